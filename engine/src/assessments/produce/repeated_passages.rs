//! Passages that pages of one site repeat: headlines and leads of other pages, which stand in lists beside the article.

use domain::{DocumentId, assessment::Citation};

/// Letters and digits of the shortest passage that is compared.
const MIN_LETTERS: usize = 16;

/// A citation as it is compared.
struct CitedPassage {
    /// Outlet or host.
    site: String,
    document: DocumentId,
    quote: Vec<String>,
    title: Vec<String>,
}

impl CitedPassage {
    fn new(citation: &Citation) -> Self {
        Self {
            site: citation.source_name().to_lowercase(),
            document: citation.document_id,
            quote: words(&citation.quote),
            title: words(&citation.document_title),
        }
    }

    fn is_of_another_page(&self, other: &Self) -> bool {
        self.site == other.site && self.document != other.document
    }

    /// Returns whether it is the headline of another page. A title that both pages have is that of the site.
    fn is_led_by_title_of(&self, other: &Self) -> bool {
        self.is_of_another_page(other) && self.title != other.title && is_one_passage(&self.quote, &other.title)
    }
}

/// Gives citations of one site that repeat one passage one origin, so that they count once. A headline of another cited page has the
/// origin of that page; of passages that several pages have, all have the origin of the first.
pub(super) fn join_origins(citations: &mut [Citation]) {
    let passages: Vec<CitedPassage> = citations.iter().map(CitedPassage::new).collect();
    let own: Vec<Option<String>> = citations.iter().map(|citation| citation.origin.clone()).collect();
    for (at, passage) in passages.iter().enumerate() {
        let is_page = |other: &CitedPassage| passage.is_led_by_title_of(other);
        let is_repeated =
            |other: &CitedPassage| passage.is_of_another_page(other) && is_one_passage(&passage.quote, &other.quote);
        if let Some(page) = passages.iter().position(is_page) {
            citations[at].origin.clone_from(&own[page]);
        } else if let Some(first) = passages[..at].iter().position(is_repeated) {
            let origin = citations[first].origin.clone();
            citations[at].origin = origin;
        }
    }
}

/// Returns whether two texts are equal, or one is the beginning of the other, and long enough to be no chance.
fn is_one_passage(one: &[String], other: &[String]) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let letters: usize = short.iter().map(|word| word.chars().count()).sum();
    letters >= MIN_LETTERS && long.starts_with(short)
}

fn words(text: &str) -> Vec<String> {
    domain::text::words(text).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{
        ClaimId,
        assessment::{Evidence, Marker},
        claim::{Attribution, Span},
    };
    use uuid::Uuid;

    /// A citation of a page, by outlet, title and quote. Each page is an origin of its own.
    fn citation(marker: Marker, page: u128, outlet: &str, title: &str, quote: &str) -> Citation {
        Citation {
            marker,
            claim_id: ClaimId(Uuid::from_u128(1_000 + u128::from(marker))),
            content: None,
            speaker: None,
            speaker_entity: None,
            document_id: DocumentId(Uuid::from_u128(page)),
            document_sha256: String::new(),
            text_sha256: format!("text {page}"),
            document_title: title.into(),
            document_path: format!("https://{page}.example/page"),
            origin: Some(format!("origin {page}")),
            quote: quote.into(),
            span: Span { start: 0, end: quote.len() as u64 },
            outlet: Some(outlet.into()),
            published_at: None,
            attribution: Attribution::Secondhand,
        }
    }

    fn origins(citations: &[Citation]) -> usize {
        Evidence::of_citations(citations).origins
    }

    #[test]
    fn a_headline_beside_an_article_counts_with_the_page_that_it_leads_to() {
        let mut citations = [
            citation(1, 1, "Quay Radio", "Ferry halted", "Council blames the ferry company for the delay"),
            citation(2, 2, "Quay Radio", "Council blames the ferry company for the delay | Quay Radio", "It paid in May."),
            citation(3, 1, "Quay Radio", "Ferry halted", "The ferry was halted on Monday."),
        ];
        join_origins(&mut citations);
        let origins: Vec<_> = citations.iter().map(|one| one.origin.as_deref().unwrap()).collect();
        assert_eq!(origins, ["origin 2", "origin 2", "origin 1"], "the article itself stays what it is");
    }

    #[test]
    fn a_teaser_on_many_pages_of_one_site_is_one_origin() {
        let teaser = "Council blames the ferry company";
        let longer = format!("{teaser}: it has not paid since May.");
        let quotes = [teaser, "COUNCIL BLAMES THE FERRY COMPANY …", longer.as_str()];
        let numbered = (1..).zip(quotes);
        let mut citations: Vec<Citation> =
            numbered.map(|(n, quote)| citation(n, u128::from(n), "Quay Radio", "More news", quote)).collect();
        assert_eq!(origins(&citations), 3);
        join_origins(&mut citations);
        assert_eq!(origins(&citations), 1);
    }

    #[test]
    fn a_title_that_pages_share_is_no_headline() {
        let title = "Ministry of Fisheries of the Coast";
        let mut citations = [
            citation(1, 1, "Quay Radio", title, "Ministry of Fisheries of the Coast opens a pier."),
            citation(2, 2, "Quay Radio", title, "It paid in May."),
        ];
        join_origins(&mut citations);
        assert_eq!(origins(&citations), 2);
    }

    #[test]
    fn other_sites_and_short_passages_stay_apart() {
        let report = "Council blames the ferry company";
        let mut citations = [
            citation(1, 1, "Quay Radio", "News", report),
            citation(2, 2, "Coast Courier", "News", report),
            citation(3, 3, "Quay Radio", "Other news", "He denied it."),
            citation(4, 4, "Quay Radio", "Late news", "He denied it."),
        ];
        join_origins(&mut citations);
        assert_eq!(origins(&citations), 4, "two outlets may report one thing, and a short answer is given twice");
    }
}
