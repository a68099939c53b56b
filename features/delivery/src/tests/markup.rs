//! Strict check of the HTML part of mails: well-formed also as XML, with elements and attributes that mail clients render, correctly
//! nested, and with nothing to load.

use crate::render::{render_confirmation, render_test};
use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};

/// Elements, each with the attributes that it may have.
const ELEMENTS: [(&str, &[&str]); 13] = [
    ("html", &["lang"]),
    ("head", &[]),
    ("meta", &["charset", "name", "content"]),
    ("title", &[]),
    ("style", &[]),
    ("body", &["style"]),
    ("table", &["role", "width", "cellpadding", "cellspacing", "border", "style"]),
    ("tr", &[]),
    ("td", &["align", "style"]),
    ("p", &["style"]),
    ("h2", &["style"]),
    ("a", &["href", "style"]),
    ("hr", &[]),
];
/// Elements without content.
const VOID: [&str; 2] = ["meta", "hr"];
/// Elements that hold text and links alone.
const TEXTUAL: [&str; 4] = ["title", "p", "h2", "a"];
/// Parents of elements that stand in some places alone.
const PARENTS: [(&str, &str); 6] =
    [("head", "html"), ("body", "html"), ("meta", "head"), ("title", "head"), ("tr", "table"), ("td", "tr")];
/// Words of styles that load something.
const LOADING: [&str; 3] = ["url(", "@import", "expression("];

/// Asserts that the HTML part of a mail is valid.
pub fn assert_valid_mail(html: &str) {
    let markup = html.strip_prefix("<!doctype html>").expect("a doctype first");
    let (mut reader, mut open, mut found) = (Reader::from_str(markup), Vec::<String>::new(), vec![]);
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error} at byte {}: {html}", reader.buffer_position())) {
            Event::Start(tag) => {
                check_element(&tag, &open, html);
                let name = tag.name().0.to_owned();
                assert!(!VOID.contains(&name.as_str()), "{name} has content: {html}");
                found.push(name.clone());
                open.push(name);
            }
            Event::Empty(tag) => {
                check_element(&tag, &open, html);
                assert!(VOID.contains(&tag.name().0), "{} is not closed: {html}", tag.name().0);
            }
            // An end of another element is an error of the reader.
            Event::End(_) => assert!(open.pop().is_some(), "an end too much: {html}"),
            Event::Text(text) => assert!(
                open.last().is_none_or(|name| name != "style") || !LOADING.iter().any(|word| text.contains(word)),
                "a style loads something: {html}"
            ),
            Event::GeneralRef(name) => assert!(["amp", "lt", "gt", "quot"].contains(&&*name), "&{};: {html}", &*name),
            Event::Eof => break,
            other => panic!("{other:?}: {html}"),
        }
    }
    assert!(open.is_empty(), "{open:?} are open: {html}");
    for once in ["html", "head", "title", "body"] {
        assert_eq!(found.iter().filter(|name| *name == once).count(), 1, "{once}: {html}");
    }
}

/// Checks name, place and attributes of an element.
fn check_element(tag: &BytesStart<'_>, open: &[String], html: &str) {
    let name = tag.name().0;
    let known = ELEMENTS.iter().find(|(element, _)| *element == name);
    let (_, allowed) = known.unwrap_or_else(|| panic!("{name}: {html}"));
    let parent = open.last().map(String::as_str).unwrap_or_default();
    assert!(!TEXTUAL.contains(&parent) || (name == "a" && parent != "a"), "{name} in {parent}: {html}");
    let place = PARENTS.iter().find(|(element, _)| *element == name);
    assert!(place.is_none_or(|(_, expected)| *expected == parent), "{name} in {parent}: {html}");
    let mut has_role = false;
    // A second attribute of one name, or one without quotes, is an error.
    for attribute in tag.attributes() {
        let attribute = attribute.unwrap_or_else(|error| panic!("{error}: {html}"));
        let (key, value) = (attribute.key.0, &*attribute.value);
        assert!(allowed.contains(&key), "{key} of {name}: {html}");
        assert!(!value.contains('<') && !LOADING.iter().any(|word| value.contains(word)), "{key} of {name}: {html}");
        assert!(key != "href" || value.starts_with("https://osint.example"), "{value}: {html}");
        has_role |= key == "role" && value == "presentation";
    }
    assert!(name != "table" || has_role, "a table without its role: {html}");
}

#[test]
fn mails_of_the_server_are_valid_html() {
    assert_valid_mail(&render_test("https://osint.example").html);
    let link = "https://osint.example/mail/confirm?a=1&b=\"2\"";
    assert_valid_mail(&render_confirmation("<b>ada & \"bob\"</b>", "https://osint.example", link).html);
}

#[test]
fn an_open_element_a_script_or_a_picture_is_refused() {
    let valid = render_test("https://osint.example").html;
    for (part, damaged) in [
        ("</p>", ""),
        ("<p style", "<script></script><p style"),
        ("<p style", "<p><p style"),
        ("</td>", "<img src=\"x\"/></td>"),
        (" role=\"presentation\"", ""),
        ("can send mail", "can & send mail"),
        ("margin:0 0 12px", "background:url(x)"),
    ] {
        let html = valid.replacen(part, damaged, 1);
        assert_ne!(html, valid, "{part}");
        let checked = std::panic::catch_unwind(|| assert_valid_mail(&html));
        assert!(checked.is_err(), "{part} became {damaged}");
    }
}
