//! Damaged and forged bundles.

use super::{TEXT, fixture, key, moment};
use crate::{
    file::{self, CHECKER},
    part::{Part, split},
    signing::SigningKey,
    verify::verify,
};
use std::{fs, process::Command};

/// Returns the file with one byte changed.
fn changed(file: &[u8], at: usize) -> Vec<u8> {
    let mut file = file.to_vec();
    file[at] ^= 1;
    file
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_byte_is_refused_with_the_name_of_its_part() {
    let fixture = fixture().await;
    let file = file::write(&fixture.report().await, &key(), moment()).into_bytes();
    let verified = verify(&file, Some(&key().public_key()), &[TEXT.as_bytes().to_vec()]).unwrap();
    assert_eq!((verified.quotations, verified.in_texts), (3, 3));
    let mut start = 0;
    for (part, content) in Part::ALL.into_iter().zip(split(&file).unwrap()) {
        let length = part.marked(str::from_utf8(content).unwrap()).len();
        // Every byte of the small parts, and of the others the first, the last and some between.
        let step = if content.len() < 2_000 { 1 } else { length / 7 };
        for at in (start..start + length).step_by(step).chain([start + length - 1]) {
            let damage = verify(&changed(&file, at), None, &[]).unwrap_err();
            assert_eq!(damage.part, part, "byte {at}: {damage}");
            assert!(damage.to_string().starts_with(&format!("part {}: ", part.name())), "{damage}");
        }
        start += length;
    }
    assert_eq!(start, file.len());
    let longer = [file.as_slice(), b"\n"].concat();
    assert_eq!(verify(&longer, None, &[]).unwrap_err().part, Part::Signature);
    fixture.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_key_another_text_and_a_signed_false_quote_are_refused() {
    let fixture = fixture().await;
    let mut report = fixture.report().await;
    let file = file::write(&report, &key(), moment());
    let other = SigningKey::from_seed(&[8; 32]).unwrap().public_key();
    assert_eq!(verify(file.as_bytes(), Some(&other), &[]).unwrap_err().part, Part::Signature);
    let text = verify(file.as_bytes(), None, &[b"Another text.".to_vec()]).unwrap_err();
    assert_eq!(text.part, Part::Quotations);
    report.quotations[1].quote.insert(0, 'x');
    let forged = file::write(&report, &key(), moment());
    let damage = verify(forged.as_bytes(), None, &[]).unwrap_err();
    assert_eq!(damage, Part::Quotations.damage("quotation [2] is not in its passage"));
    fixture.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_script_in_the_bundle_agrees_with_the_program() {
    let fixture = fixture().await;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut report = fixture.report().await;
    let file = file::write(&report, &key(), moment());
    report.quotations[0].quote.insert(0, 'x');
    fs::write(at("verify.py"), CHECKER).unwrap();
    fs::write(at("text.txt"), TEXT).unwrap();
    fs::write(at("forged.html"), file::write(&report, &key(), moment())).unwrap();
    // A byte inside each part.
    let mut damaged = vec![];
    for part in Part::ALL {
        let mark = format!("<!-- autosint:part {} -->\n", part.name());
        let inside = file.find(&mark).unwrap() + mark.len() + 60;
        fs::write(at(part.name()), changed(file.as_bytes(), inside)).unwrap();
        damaged.push(part.name());
    }
    fs::write(at("bundle.html"), file).unwrap();
    let run = |arguments: &[&str]| {
        let output = Command::new("python3").arg("verify.py").args(arguments).current_dir(folder.path()).output();
        let output = output.expect("python3 is missing: the set-up of tests needs it, too");
        (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    };
    let (code, said) = run(&["bundle.html", "--key", &key().public_key(), "--text", "text.txt"]);
    assert!(code == Some(0) && said.contains("in whole texts: 3"), "{said}");
    for part in damaged {
        let (code, said) = run(&[part]);
        assert!(code == Some(5) && said.starts_with(&format!("part {part}: ")), "{part}: {said}");
    }
    let (code, said) = run(&["forged.html"]);
    assert!(code == Some(5) && said.contains("quotation [1] is not in its passage"), "{said}");
    fixture.backend.close().await;
}
