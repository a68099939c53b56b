//! PDF: text of its pages in order, title and date.

mod columns;
mod layout;
mod links;
mod repair;

use crate::{config::ParseConfig, dates, parse::ParsedDocument, refusal::Refusal, text};
use domain::fetch::RejectReason;
use layout::PageLayout;
use pdf_extract::{Document, Error, Object, output_doc_page};
use std::panic::{AssertUnwindSafe, catch_unwind};

const EXTRACTOR: &str = "pdf/2";

/// Parses a PDF. Unreadable pages are skipped.
pub(crate) fn parse(bytes: &[u8], limits: &ParseConfig) -> Result<ParsedDocument, Refusal> {
    let document = load(bytes)?;
    let pages = document.get_pages();
    if pages.is_empty() {
        return Err(Refusal::broken("PDF"));
    }
    if pages.len() > limits.max_pdf_pages {
        let message = format!(
            "This PDF has {} pages and the limit is {}; split it, or raise `fetch.parse.max_pdf_pages`.",
            pages.len(),
            limits.max_pdf_pages
        );
        return Err(Refusal::new(RejectReason::TooLarge, message));
    }
    let read: Vec<Option<String>> = pages.keys().map(|number| page_text(&document, *number)).collect();
    let text = read.iter().flatten().map(|page| tidy(page)).filter(|page| !page.is_empty());
    let text = text.collect::<Vec<_>>().join("\n\n");
    if text.is_empty() {
        return Err(match read.iter().all(Option::is_none) {
            true => Refusal::broken("PDF"),
            false => Refusal::new(
                RejectReason::NoText,
                "This PDF has no text layer, only pictures of pages; run it through text recognition (OCR) first.",
            ),
        });
    }
    let title = info(&document, b"Title").filter(|title| is_title(title));
    let (front, text) = text::read_front_matter(text, false);
    let first_line = text.lines().find(|line| line.chars().filter(|c| c.is_alphabetic()).count() > 3);
    let title = title.or(front.title).or_else(|| first_line.and_then(text::tidy_title));
    let created = info(&document, b"CreationDate").and_then(|date| dates::parse_pdf_date(&date));
    Ok(ParsedDocument {
        extractor: EXTRACTOR.to_owned(),
        title,
        byline: info(&document, b"Author").filter(|author| is_author(author)).or(front.byline),
        outlet: front.outlet,
        published: front.published.or(created),
        updated: info(&document, b"ModDate").and_then(|date| dates::parse_pdf_date(&date)),
        language: language(&document),
        links: links::read(&document, &text, limits.max_links),
        text,
        ..ParsedDocument::default()
    })
}

fn load(bytes: &[u8]) -> Result<Document, Refusal> {
    let mut document = match Document::load_mem(bytes) {
        Ok(document) => document,
        Err(Error::InvalidPassword | Error::Decryption(_) | Error::UnsupportedSecurityHandler(_)) => {
            return Err(Refusal::encrypted("PDF"));
        }
        Err(_) => repair::with_new_index(bytes)
            .and_then(|repaired| Document::load_mem(&repaired).ok())
            .ok_or_else(|| Refusal::broken("PDF"))?,
    };
    if document.is_encrypted() && document.decrypt("").is_err() {
        return Err(Refusal::encrypted("PDF"));
    }
    Ok(document)
}

fn page_text(document: &Document, number: u32) -> Option<String> {
    let mut page = PageLayout::default();
    let read = catch_unwind(AssertUnwindSafe(|| output_doc_page(document, &mut page, number).is_ok()));
    let page = page.into_text();
    let is_whole = read.unwrap_or(false);
    (is_whole || !page.trim().is_empty()).then_some(page)
}

/// Normalised paragraphs: ligatures expanded, words hyphenated at line ends joined.
fn tidy(page: &str) -> String {
    let page = text::normalise(page);
    let mut tidy = String::with_capacity(page.len());
    let mut blank = false;
    for line in page.lines() {
        let line = spell_out(line);
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.is_empty() {
            blank = !tidy.is_empty();
            continue;
        }
        let continues = !blank && line.starts_with(char::is_lowercase);
        let is_broken_word = continues && ends_in_broken_word(&tidy);
        if is_broken_word {
            tidy.pop();
        } else if blank {
            tidy.push_str("\n\n");
        } else if !tidy.is_empty() {
            tidy.push('\n');
        }
        tidy.push_str(&line);
        blank = false;
    }
    tidy
}

fn ends_in_broken_word(text: &str) -> bool {
    let mut last = text.chars().rev();
    matches!(last.next(), Some('-' | '\u{2010}' | '\u{ad}'))
        && last.next().is_some_and(char::is_alphabetic)
        && last.next().is_some_and(char::is_alphabetic)
}

/// Expands ligatures and drops control characters left by fonts without a character map.
fn spell_out(line: &str) -> String {
    let mut spelt = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '\u{fb00}' => spelt.push_str("ff"),
            '\u{fb01}' => spelt.push_str("fi"),
            '\u{fb02}' => spelt.push_str("fl"),
            '\u{fb03}' => spelt.push_str("ffi"),
            '\u{fb04}' => spelt.push_str("ffl"),
            '\u{fb05}' | '\u{fb06}' => spelt.push_str("st"),
            '\u{a0}' | '\t' => spelt.push(' '),
            c if c.is_control() => {}
            c => spelt.push(c),
        }
    }
    spelt
}

/// Value from the information dictionary.
fn info(document: &Document, key: &[u8]) -> Option<String> {
    let entry = document.trailer.get(b"Info").ok()?;
    let entries = match entry {
        Object::Reference(id) => document.get_dictionary(*id).ok()?,
        other => other.as_dict().ok()?,
    };
    let value = entries.get(key).ok()?;
    let (_, value) = document.dereference(value).ok()?;
    let bytes = value.as_str().ok()?;
    let value = match bytes {
        [0xfe, 0xff, ..] | [0xff, 0xfe, ..] | [0xef, 0xbb, 0xbf, ..] => text::decode(bytes, None).into_owned(),
        _ => text::decode(bytes, Some("windows-1252")).into_owned(),
    };
    let value = value.replace('\0', "").trim().to_owned();
    (!value.is_empty()).then_some(value)
}

/// Language stated for the whole document.
fn language(document: &Document) -> Option<String> {
    let value = document.catalog().ok()?.get(b"Lang").ok()?.as_str().ok()?;
    let tag = String::from_utf8_lossy(value).trim().to_owned();
    (!tag.is_empty()).then_some(tag)
}

/// Whether a text is a person's name rather than an account or program.
fn is_author(author: &str) -> bool {
    let lower = author.to_lowercase();
    let is_account = ["user", "admin", "administrator", "unknown", "anonymous", "author", "owner"].contains(&lower.as_str());
    author.chars().filter(|c| c.is_alphabetic()).count() >= 3 && author.chars().count() <= 120 && !is_account
}

/// Whether a text is a title rather than a file name or a program's default.
fn is_title(title: &str) -> bool {
    let lower = title.to_lowercase();
    let is_file =
        [".doc", ".docx", ".dvi", ".tex", ".indd", ".pdf", ".ps", ".qxd", ".odt"].iter().any(|end| lower.ends_with(end));
    let is_default = ["untitled", "microsoft word", "document", "powerpoint"].iter().any(|word| lower.starts_with(word));
    title.chars().filter(|c| c.is_alphabetic()).count() >= 3 && !is_file && !is_default
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_words_and_ligatures_are_put_together() {
        assert_eq!(
            tidy("The ﬁrst exam-\nple   of a\nline.\n\n\nNext para-\n\nGraph"),
            "The first example of a\nline.\n\nNext para-\n\nGraph"
        );
        assert_eq!(tidy("in 1990-\nstyle"), "in 1990-\nstyle");
    }
}
