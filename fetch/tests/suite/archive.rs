//! Zip archives, valid and hostile.

use crate::prelude::*;
use std::io::Write;
use zip::write::SimpleFileOptions;

#[tokio::test]
async fn an_archive_is_read_like_a_folder() {
    let inner = zip(&[("deep.txt", b"Deep words")]);
    let outer = zip(&[
        ("b/page.html", b"<html><title>Page</title><body><p>Words.</p></body></html>"),
        ("a.txt", b"First words"),
        ("__MACOSX/a.txt", b"junk"),
        (".hidden", b"junk"),
        ("inner.zip", &inner),
        ("empty.txt", b""),
    ]);
    let results = read_uploads(&[("all.zip", &outer), ("after.txt", b"After")]).await;
    let expected = [
        "after.txt: After",
        "all.zip!a.txt: First words",
        "all.zip!b/page.html: Page",
        "all.zip!empty.txt! Empty",
        "all.zip!inner.zip!deep.txt: Deep words",
        "all.zip!.hidden! Unsupported",
        "all.zip!__MACOSX/! Unsupported",
    ];
    assert_eq!(lines(&results), expected);
}

/// Folder of archives with three members each, every second one nested once more.
fn folder_of_archives(count: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..count {
        let flat = zip(&[("a.txt", b"First words"), ("b.html", b"<title>Page</title><p>Words."), ("c.txt", b"Third words")]);
        let archive = if n % 2 == 0 { flat } else { zip(&[("in.zip", &flat), ("z.txt", b"Last words")]) };
        std::fs::write(folder.path().join(format!("{n:02}.zip")), archive).unwrap();
    }
    folder
}

/// Never reached unless archives wait for one another.
const HANG: std::time::Duration = std::time::Duration::from_secs(120);

#[tokio::test]
async fn archives_do_not_wait_for_one_another() {
    for (children, count) in [1, 4].into_iter().flat_map(|children| [1, 3, 12].map(|count| (children, count))) {
        let mut config = config();
        config.pool.children = children;
        let folder = folder_of_archives(count);
        let source = source(config);
        let reading = read(&source, fetch::Input::Paths(vec![folder.path().to_owned()]));
        let results = tokio::time::timeout(HANG, reading).await.unwrap_or_else(|_| panic!("{count} archives hang"));
        assert_eq!(results.len(), count * 3 + count / 2, "{:?}", lines(&results));
        assert!(results.iter().all(Result::is_ok), "{:?}", lines(&results));
    }
}

#[tokio::test]
async fn every_member_is_read_or_listed() {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    writer.add_symlink("link.txt", "/etc/passwd", options).unwrap();
    writer.add_directory("folder", options).unwrap();
    for name in [
        "___0.txt",
        "notes\\north\\pier.txt",
        ".git/config",
        ".git/HEAD",
        "folder/.env",
        "C:\\up.txt",
        "../up.txt",
        "same1.txt",
        "same2.txt",
    ] {
        writer.start_file(name, options).unwrap();
        writer.write_all(b"Words").unwrap();
    }
    let mut bytes = writer.finish().unwrap().into_inner();
    // Shift-JIS, with the byte of a backslash in the second character; and two members of one name.
    for (from, to) in [(b"___0.txt", b"\x83\\\x95\\.txt"), (b"same2.txt", b"same1.txt")] as [(&[u8], &[u8]); 2] {
        let places: Vec<usize> = (0..bytes.len() - from.len()).filter(|at| bytes[*at..].starts_with(from)).collect();
        assert_eq!(places.len(), 2);
        places.iter().for_each(|at| bytes[*at..*at + from.len()].copy_from_slice(to));
    }
    let expected = [
        "a.zip!notes/north/pier.txt: Words",
        "a.zip!same1.txt: Words",
        "a.zip!ソ表.txt: Words",
        "a.zip!../up.txt! UnsafePath",
        "a.zip!.git/! Unsupported",
        "a.zip!C:/up.txt! UnsafePath",
        "a.zip!folder/.env! Unsupported",
        "a.zip!link.txt! UnsafePath",
        "a.zip! Broken",
    ];
    assert_eq!(lines(&read_uploads(&[("a.zip", &bytes)]).await), expected);
}

#[tokio::test]
async fn a_bomb_is_refused_whole_and_costs_nothing_else() {
    let bomb = zip(&[("zeros.txt", &vec![b'0'; 32 * 1024 * 1024])]);
    let results = read_uploads(&[("a.txt", b"Words"), ("bomb.zip", &bomb), ("c.txt", b"More")]).await;
    assert_eq!(lines(&results), ["a.txt: Words", "bomb.zip! ZipBomb", "c.txt: More"]);
}

#[tokio::test]
async fn nesting_has_an_end() {
    let mut archive = zip(&[("deep.txt", b"Deep words")]);
    for _ in 0..8 {
        archive = zip(&[("in.zip", &archive)]);
    }
    let results = read_uploads(&[("russian.zip", &archive)]).await;
    let lines = lines(&results);
    assert_eq!(lines.len(), 1);
    assert!(lines[0].ends_with("in.zip! TooDeep"), "{lines:?}");
}

#[tokio::test]
async fn too_many_entries_are_refused_and_names_that_climb_out_are_left() {
    let mut config = config();
    config.parse.max_zip_entries = 2;
    let many = zip(&[("a.txt", b"a"), ("b.txt", b"b"), ("c.txt", b"c")]);
    let climbing = zip(&[("../../up.txt", b"up"), ("ok.txt", b"Fine")]);
    let results = read(&source(config), uploads(&[("many.zip", &many), ("up.zip", &climbing)])).await;
    assert_eq!(lines(&results), ["many.zip! TooMany", "up.zip!ok.txt: Fine", "up.zip!../../up.txt! UnsafePath"]);
}

#[tokio::test]
async fn a_damaged_archive_says_so() {
    let whole = zip(&[("a.txt", b"Words")]);
    let empty = zip(&[]);
    let files: [(&str, &[u8]); 2] = [("cut.zip", &whole[..whole.len() / 2]), ("empty.zip", &empty)];
    assert_eq!(lines(&read_uploads(&files).await), ["cut.zip! Broken", "empty.zip! Empty"]);
}

#[tokio::test]
async fn a_header_that_lies_about_sizes_gains_nothing() {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    writer.start_file("zeros.txt", SimpleFileOptions::default()).unwrap();
    writer.write_all(&vec![b'0'; 32 * 1024 * 1024]).unwrap();
    let mut bytes = writer.finish().unwrap().into_inner();
    let size = (32u32 * 1024 * 1024).to_le_bytes();
    let places: Vec<usize> = (0..bytes.len() - 4).filter(|at| bytes[*at..*at + 4] == size).collect();
    assert!(!places.is_empty());
    places.iter().for_each(|at| bytes[*at..*at + 4].copy_from_slice(&10u32.to_le_bytes()));
    let results = read_uploads(&[("liar.zip", &bytes)]).await;
    assert_eq!(results.len(), 1);
    assert!(results[0].is_err(), "{:?}", lines(&results));
}

#[tokio::test]
async fn a_member_behind_a_password_is_named() {
    let mut bytes = zip(&[("a.txt", b"Words"), ("b.txt", b"More")]);
    let central = bytes.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    bytes[6] |= 1;
    bytes[central + 8] |= 1;
    assert_eq!(lines(&read_uploads(&[("half.zip", &bytes)]).await), ["half.zip!b.txt: More", "half.zip!a.txt! Encrypted"]);
}
