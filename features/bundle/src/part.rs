//! Layout of a bundle: parts between marks, in one order, and nothing else.
//!
//! Invariant: text from outside is escaped in every part, so that no mark stands inside one.

use base64::{Engine as _, prelude::BASE64_STANDARD};

/// Part of a bundle, in the order of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The report, as people read it.
    Page,
    /// The quotations with their passages.
    Quotations,
    JsonLd,
    Stix,
    Markdown,
    /// The script that checks the file.
    Checker,
    /// Hashes of the parts before.
    Manifest,
    /// Signature of the manifest.
    Signature,
}

/// Damage to a bundle: the part and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("part {}: {problem}", .part.name())]
pub struct Damage {
    pub part: Part,
    pub problem: String,
}

impl Part {
    pub const ALL: [Self; 8] = [
        Self::Page,
        Self::Quotations,
        Self::JsonLd,
        Self::Stix,
        Self::Markdown,
        Self::Checker,
        Self::Manifest,
        Self::Signature,
    ];

    /// The parts that the manifest lists.
    pub fn hashed() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|part| !matches!(part, Self::Manifest | Self::Signature))
    }

    /// Name in marks, manifest and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Quotations => "quotations",
            Self::JsonLd => "json-ld",
            Self::Stix => "stix",
            Self::Markdown => "markdown",
            Self::Checker => "checker",
            Self::Manifest => "manifest",
            Self::Signature => "signature",
        }
    }

    /// The damage of this part.
    pub fn damage(self, problem: impl Into<String>) -> Damage {
        Damage { part: self, problem: problem.into() }
    }

    fn marks(self) -> (String, String) {
        let name = self.name();
        (format!("<!-- autosint:part {name} -->\n"), format!("\n<!-- autosint:end {name} -->\n"))
    }

    /// Returns the part with its marks.
    pub fn marked(self, content: &str) -> String {
        let (start, end) = self.marks();
        format!("{start}{content}{end}")
    }
}

/// Splits a bundle into its parts, in their order. A missing or changed mark is damage to its part.
pub fn split(file: &[u8]) -> Result<[&[u8]; Part::ALL.len()], Damage> {
    let mut contents: [&[u8]; Part::ALL.len()] = [&[]; Part::ALL.len()];
    let mut rest = file;
    for (content, part) in contents.iter_mut().zip(Part::ALL) {
        let (start, end) = part.marks();
        let opened =
            rest.strip_prefix(start.as_bytes()).ok_or_else(|| part.damage("its first line is not as it was written"))?;
        let at = opened.windows(end.len()).position(|bytes| bytes == end.as_bytes());
        let at = at.ok_or_else(|| part.damage("its last line is not as it was written"))?;
        (*content, rest) = (&opened[..at], &opened[at + end.len()..]);
    }
    if rest.is_empty() { Ok(contents) } else { Err(Part::Signature.damage("more bytes follow it")) }
}

/// Writes JSON as a block that browsers do not run. `kind` is its media type.
pub fn data_block(kind: &str, json: &str) -> String {
    format!("<script type=\"{kind}\">{}</script>", json.replace('<', "\\u003c"))
}

/// Returns the JSON of a block.
pub fn data_in<'a>(kind: &str, block: &'a [u8]) -> Option<&'a [u8]> {
    block.strip_prefix(format!("<script type=\"{kind}\">").as_bytes())?.strip_suffix(b"</script>")
}

/// Writes a file that readers save with one click.
pub fn download(name: &str, media_type: &str, label: &str, content: &str) -> String {
    let content = BASE64_STANDARD.encode(content);
    format!("<nav aria-label=\"{label}\"><a download=\"{name}\" href=\"data:{media_type};base64,{content}\">{label}</a></nav>")
}
