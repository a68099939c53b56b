//! Generated and damaged PDF files.

use crate::support::*;

#[tokio::test]
async fn pages_follow_one_another_with_title_and_date() {
    let file = pdf(
        &["The gates are shut.\nNo ship leaves the har-\nbour.", "Second page."],
        "/Title (Notice) /CreationDate (D:20310314093000Z)",
    );
    let document = read_one("notice.pdf", &file).await;
    assert_eq!(document.title, "Notice");
    assert_eq!(date(&document), "2031-03-14t09:30:00z minute metadata");
    assert_eq!(document.text, "The gates are shut.\nNo ship leaves the harbour.\n\nSecond page.");
    assert_eq!(document.media_type, "application/pdf");
}

#[tokio::test]
async fn a_pdf_that_cannot_be_read_says_why() {
    let whole = pdf(&["The gates are shut."], "/Title (Notice)");
    let blank = pdf(&[""], "/Title (Notice)");
    let files: [(&str, &[u8]); 4] =
        [("a-blank.pdf", &blank), ("b-cut.pdf", &whole[..60]), ("c-magic.pdf", b"%PDF-1.7"), ("d-whole.pdf", &whole)];
    let results = read_uploads(&files).await;
    assert_eq!(lines(&results), ["a-blank.pdf! NoText", "b-cut.pdf! Broken", "c-magic.pdf! Broken", "d-whole.pdf: Notice"]);
    let message = &results[0].as_ref().unwrap_err().message;
    assert!(message.contains("no text layer"), "{message}");
}

#[tokio::test]
async fn a_pdf_without_its_index_is_read_as_far_as_it_goes() {
    let whole = pdf(&["The gates are shut.", "Second page."], "/Title (Notice)");
    let index = whole.windows(4).position(|four| four == b"xref").unwrap();
    let document = read_one("cut.pdf", &whole[..index]).await;
    assert_eq!(document.text, "The gates are shut.\n\nSecond page.");
}
