//! Generated and damaged PDF files.

use crate::prelude::*;

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

/// Lines of three columns, which say something only in their own column.
const COLUMNS: [[&str; 6]; 3] = [
    [
        "The board met in the evening to",
        "hear the engineer, who said that",
        "two of the nine piles are hollow",
        "and that no truck may pass until",
        "they have been replaced with new",
        "ones made of steel.",
    ],
    [
        "On the south shore the school had",
        "ordered buses, because the head",
        "teacher was told by a friend what",
        "would happen. Parents complained",
        "that the drive round the sound",
        "takes fifty minutes.",
    ],
    [
        "The army has offered a pontoon to",
        "the county, but so far nobody has",
        "tested it with a loaded truck, and",
        "the insurers refuse to cover it",
        "before an inspector has been on",
        "board for a day.",
    ],
];
const LEFT: [u32; 3] = [40, 220, 400];

fn draw(x: u32, y: u32, text: &str) -> String {
    format!("BT /F1 10 Tf {x} {y} Td ({text}) Tj ET\n")
}

/// Place of each line: column, line.
fn places(columns: usize, row_by_row: bool) -> Vec<(usize, usize)> {
    match row_by_row {
        true => (0..6).flat_map(|line| (0..columns).map(move |column| (column, line))).collect(),
        false => (0..columns).flat_map(|column| (0..6).map(move |line| (column, line))).collect(),
    }
}

fn columns(columns: usize, row_by_row: bool, top: u32) -> String {
    let line = |(column, line): (usize, usize)| draw(LEFT[column], top - 12 * line as u32, COLUMNS[column][line]);
    places(columns, row_by_row).into_iter().map(line).collect()
}

async fn text_of(page: String) -> String {
    read_one("c.pdf", &drawn_pdf(&[page], "/Title (Notice)")).await.text
}

#[tokio::test]
async fn columns_are_read_one_after_the_other_in_any_drawing_order() {
    for (count, row_by_row) in [(2, true), (2, false), (3, true), (3, false)] {
        let text = text_of(columns(count, row_by_row, 700)).await;
        let expected: Vec<String> = COLUMNS[..count].iter().map(|lines| lines.join("\n")).collect();
        let found = text.replace("\n\n", "\n");
        assert_eq!(found, expected.join("\n"), "{count} columns, row by row: {row_by_row}");
    }
}

#[tokio::test]
async fn headings_across_columns_keep_their_place() {
    let heading = "The ferry at Brae is closed until the autumn, and the county looks for a way to cross the sound";
    let page =
        [draw(40, 720, heading), columns(2, true, 690), draw(40, 600, heading), columns(3, true, 570), draw(40, 480, heading)];
    let text = text_of(page.concat()).await.replace('\n', " ");
    let column = |at: usize| COLUMNS[at].join(" ");
    let places: Vec<_> = text.match_indices(heading).map(|(at, _)| at).collect();
    let firsts: Vec<_> = text.match_indices(&column(0)).map(|(at, _)| at).collect();
    let seconds: Vec<_> = text.match_indices(&column(1)).map(|(at, _)| at).collect();
    let third = text.find(&column(2)).unwrap();
    let [h1, h2, h3] = places[..] else { panic!("{text}") };
    let ([a1, a2], [b1, b2]) = (&firsts[..], &seconds[..]) else { panic!("{text}") };
    let order = [h1, *a1, *b1, h2, *a2, *b2, third, h3];
    assert!(order.is_sorted(), "{order:?} {text}");
}

#[tokio::test]
async fn tables_stay_rows() {
    let short = [
        ["Pier", "Piles", "State"],
        ["North", "nine", "two are hollow"],
        ["South", "eight", "sound"],
        ["East", "six", "sound"],
        ["West", "four", "rotten"],
    ];
    let sentences = [
        ["The north pier of the harbour", "It was closed by the port in May."],
        ["The south pier of the harbour", "It stays open for small boats."],
        ["The old pontoon of the army", "Nobody has tested it with a truck."],
        ["The ramp on the east shore", "It will be repaired in the autumn."],
    ];
    let page: String = (0..)
        .zip(&short)
        .flat_map(|(line, row)| (0..).zip(row).map(move |(at, cell)| draw(LEFT[at], 700 - 14 * line, cell)))
        .collect();
    assert_eq!(text_of(page).await, short.map(|row| row.join(" ")).join("\n"));
    let page: String = (0..)
        .zip(&sentences)
        .flat_map(|(line, row)| (0..).zip(row).map(move |(at, cell)| draw(LEFT[at], 700 - 14 * line, cell)))
        .collect();
    assert_eq!(text_of(page).await, sentences.map(|row| row.join(" ")).join("\n"));
    // Rules between the rows make the lines of prose a table.
    let rules: String = (0..6).map(|line| format!("40 {} m 380 {} l S\n", 697 - 12 * line, 697 - 12 * line)).collect();
    let rows: Vec<String> = (0..6).map(|line| format!("{} {}", COLUMNS[0][line], COLUMNS[1][line])).collect();
    assert_eq!(text_of(columns(2, true, 700) + &rules).await, rows.join("\n"));
}
