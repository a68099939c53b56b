//! Folders, uploads, text and format detection.

use crate::prelude::*;
use fetch::UploadWriter;

#[tokio::test]
async fn a_folder_is_read_in_the_order_of_its_paths() {
    let folder = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("b/inner")).unwrap();
    fs::write(at("b/inner/note.md"), "# Inner note\n\nWords.").unwrap();
    fs::write(at("c.txt"), "Third\n\nWords.").unwrap();
    fs::write(at("a.html"), "<html><title>First</title><body><p>Words of a page.</p></body></html>").unwrap();
    fs::write(at(".hidden.txt"), "Hidden").unwrap();
    fs::create_dir_all(at(".git/objects")).unwrap();
    fs::write(at(".git/config"), "Hidden").unwrap();
    fs::write(at("empty.txt"), "").unwrap();
    fs::write(at("picture.png"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").unwrap();
    fs::write(outside.path().join("secret.txt"), "Secret").unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outside.path().join("secret.txt"), at("d-out.txt")).unwrap();
        std::os::unix::fs::symlink(outside.path(), at("d-folder")).unwrap();
        std::os::unix::fs::symlink(at("c.txt"), at("d-in.txt")).unwrap();
        std::os::unix::fs::symlink(folder.path(), at("d-loop")).unwrap();
    }
    let results = read(&source(config()), Input::Paths(vec![folder.path().to_owned()])).await;
    let expected = [
        ".git/! Unsupported",
        ".hidden.txt! Unsupported",
        "a.html: First",
        "b/inner/note.md: Inner note",
        "c.txt: Third",
        "d-folder! UnsafePath",
        "d-in.txt: Third",
        "d-out.txt! UnsafePath",
        "empty.txt! Empty",
        "picture.png! Unsupported",
    ];
    assert_eq!(lines(&results), expected);
}

#[tokio::test]
async fn single_files_and_missing_ones_are_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("one.txt"), "One").unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    fs::write(folder.path().join("sub/two.txt"), "Two").unwrap();
    let paths = ["one.txt", "sub", "missing"].map(|name| folder.path().join(name));
    let results = read(&source(config()), Input::Paths(paths.to_vec())).await;
    let lines = lines(&results);
    assert!(lines[0].ends_with("missing! NotFound"), "{lines:?}");
    assert_eq!(lines[1..], ["one.txt: One", "sub/two.txt: Two"]);
}

#[tokio::test]
async fn uploads_keep_relative_names_and_lose_dangerous_ones() {
    let files: [(&str, &[u8]); 4] =
        [("b\\two.txt", b"Two"), ("../../a.txt", b"One"), ("same.txt", b"Three"), ("same.txt", b"Four")];
    let results = read_uploads(&files).await;
    assert_eq!(lines(&results), ["a.txt: One", "b/two.txt: Two", "same.txt: Three", "same.txt~2: Four"]);
}

#[tokio::test]
async fn bytes_decide_what_a_file_is() {
    let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain("Größe".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let page = b"<!DOCTYPE html><html><head><title>Page</title></head><body><p>Some words here.</p></body></html>";
    let junk: Vec<u8> = (0..4096u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let paper = pdf(&["Words on paper."], "/Title (Paper)");
    let files: [(&str, &[u8]); 12] = [
        ("a-page.txt", page),
        ("b-text.pdf", b"Only text"),
        ("c-junk.txt", &junk),
        ("d-junk.pdf", &junk),
        ("e-utf16.txt", &utf16),
        ("f-latin1.txt", b"Sch\xf6ne Gr\xfc\xdfe aus M\xfcnchen und K\xf6ln, sagte der B\xfcrgermeister"),
        ("g-paper.txt", &paper),
        ("h-zip.txt", &zip(&[("in.txt", b"Inside")])),
        ("i.zip", b""),
        ("j-report.docx", &zip(&[("[Content_Types].xml", b"<Types/>")])),
        ("k-script.js", b"let a = 1;"),
        ("l-blank.txt", b" \n \n"),
    ];
    let results = read_uploads(&files).await;
    let expected = [
        "a-page.txt: Page",
        "b-text.pdf: Only text",
        "c-junk.txt! Binary",
        "d-junk.pdf! Binary",
        "e-utf16.txt: Größe",
        "f-latin1.txt: Schöne Grüße aus München und Köln, sagte der Bürgermeister",
        "g-paper.txt: Paper",
        "h-zip.txt!in.txt: Inside",
        "i.zip! Empty",
        "j-report.docx! Unsupported",
        "k-script.js! Unsupported",
        "l-blank.txt! Empty",
    ];
    assert_eq!(lines(&results), expected);
    let sentences = results.iter().filter_map(|result| result.as_ref().err());
    assert!(sentences.clone().all(|rejected| rejected.message.ends_with('.') && rejected.message.len() > 20));
}

#[tokio::test]
async fn uploads_on_disk_are_read_like_those_in_memory() {
    let files: [(&str, &[u8]); 5] = [
        ("b/report.txt", b"Second\n\nWords."),
        ("a.txt", b"First\n\nWords."),
        ("a.txt", b"Again\n\nWords."),
        ("empty.txt", b""),
        ("../large.txt", &[b'x'; 2_000]),
    ];
    let mut config = config();
    config.read.max_file_bytes = 1_000;
    let source = source(config);
    let folder = tempfile::tempdir().unwrap();
    let mut writer = UploadWriter::create(&folder.path().join("uploads")).await.unwrap();
    for (name, bytes) in files {
        writer.begin(name);
        for piece in bytes.chunks(7) {
            writer.write(piece).await.unwrap();
        }
    }
    let uploaded = writer.finish().await.unwrap();
    assert_eq!(uploaded.size_bytes(), files.iter().map(|(_, bytes)| bytes.len() as u64).sum::<u64>());
    let left = fs::read_dir(folder.path().join("uploads")).unwrap().count();
    assert_eq!(left, 0, "the file has no name, so nothing is left after a crash");
    let on_disk = lines(&read(&source, Input::Uploaded(uploaded)).await);
    assert_eq!(on_disk, lines(&read(&source, uploads(&files)).await));
    assert_eq!(on_disk[..2], ["a.txt: First", "a.txt~2: Again"]);
}

#[tokio::test]
async fn text_is_kept_as_written_and_hashed() {
    let document = read_one(
        "report.txt",
        b"\xef\xbb\xbfOutlet: The Harbour Post\r\nDate: 14 March 2031\r\n\r\nGates shut\r\n  today.\r\n",
    )
    .await;
    assert_eq!(document.text, "Outlet: The Harbour Post\nDate: 14 March 2031\n\nGates shut\n  today.\n");
    assert_eq!(document.outlet.as_deref(), Some("The Harbour Post"));
    assert_eq!(date(&document), "2031-03-14t00:00:00z day stated");
    assert_eq!(document.title, "Gates shut");
    assert_eq!(document.size_bytes, 74);
    assert_eq!(document.sha256.len(), 64);
    assert_eq!(document.media_type, "text/plain");
}

#[tokio::test]
async fn limits_on_size_and_number_are_reported() {
    let mut config = config();
    config.read.max_file_bytes = 100;
    config.read.max_files = 2;
    let folder = tempfile::tempdir().unwrap();
    for name in ["b.txt", "c.txt", "d.txt"] {
        fs::write(folder.path().join(name), "Words").unwrap();
    }
    fs::write(folder.path().join("a.txt"), "x".repeat(200)).unwrap();
    let results = read(&source(config), Input::Paths(vec![folder.path().to_owned()])).await;
    assert_eq!(lines(&results), ["a.txt! TooLarge", "b.txt: Words", "c.txt! TooMany"]);
}

#[cfg(unix)]
#[tokio::test]
async fn a_pipe_in_a_folder_does_not_block_the_import() {
    let folder = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("a.txt")).status().unwrap();
    assert!(made.success());
    fs::write(folder.path().join("b.txt"), "Words").unwrap();
    let results = read(&source(config()), Input::Paths(vec![folder.path().to_owned()])).await;
    assert_eq!(lines(&results), ["a.txt! Unreadable", "b.txt: Words"]);
}
