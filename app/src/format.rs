//! Dates, ages, sizes and shares as people read them. Values stay typed until here.

use domain::{
    AssessmentId, InvestigationId, Precision, PublicationDate, Timestamp, assessment::Cost, budget::Spend, claim::Attribution,
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// `14 Mar 2031`.
pub fn day(moment: Timestamp) -> String {
    moment.to_datetime().format("%-d %b %Y").to_string()
}

/// `14 Mar 2031, 09:30 UTC`.
pub fn minute(moment: Timestamp) -> String {
    moment.to_datetime().format("%-d %b %Y, %H:%M UTC").to_string()
}

/// `09:30:05`.
pub fn clock(moment: Timestamp) -> String {
    moment.to_datetime().format("%H:%M:%S").to_string()
}

/// As exactly as it is known.
pub fn published(published: PublicationDate) -> String {
    match published.precision {
        Precision::Year => published.value.to_datetime().format("%Y").to_string(),
        Precision::Month => published.value.to_datetime().format("%B %Y").to_string(),
        Precision::Day => day(published.value),
        Precision::Minute => minute(published.value),
    }
}

/// `09:30 UTC` of today, `Friday` of the last days, else `14 Mar 2031`.
pub fn since(then: Timestamp, now: Timestamp) -> String {
    let (then_at, now_at) = (then.to_datetime(), now.to_datetime());
    if then_at.date_naive() == now_at.date_naive() {
        return then_at.format("%H:%M UTC").to_string();
    }
    match now.ms_since(then) / 86_400_000 {
        ..=5 => then_at.format("%A").to_string(),
        _ => day(then),
    }
}

/// `just now`, `12 min ago`, `3 h ago`, `5 days ago`; a date when it is longer.
pub fn age(then: Timestamp, now: Timestamp) -> String {
    match now.ms_since(then) / 60_000 {
        ..=0 => "just now".to_owned(),
        minutes @ 1..60 => format!("{minutes} min ago"),
        minutes @ 60..1_440 => format!("{} h ago", minutes / 60),
        minutes @ 1_440..2_880 => format!("{} day ago", minutes / 1_440),
        minutes @ 2_880..43_200 => format!("{} days ago", minutes / 1_440),
        _ => day(then),
    }
}

/// `0:07`, `12:45`, `1:02:03`.
pub fn elapsed(ms: i64) -> String {
    let seconds = (ms / 1_000).max(0);
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// `340 ms`, `4.2 s`, `12 min 5 s`.
pub fn duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms}\u{a0}ms"),
        1_000..60_000 => format!("{}.{}\u{a0}s", ms / 1_000, ms / 100 % 10),
        _ => format!("{}\u{a0}min {}\u{a0}s", grouped(ms / 60_000), ms / 1_000 % 60),
    }
}

/// `840 bytes`, `12 KB`, `3.4 MB`.
pub fn bytes(size: u64) -> String {
    match size {
        0..1_000 => format!("{size} bytes"),
        1_000..1_000_000 => format!("{} KB", size.div_ceil(1_000)),
        _ => format!("{}.{} MB", size / 1_000_000, size / 100_000 % 10),
    }
}

pub use domain::likelihood::percent;

/// `20–45 %`, on one line.
pub fn percents(low: f64, high: f64) -> String {
    format!("{:.0}–{}", low * 100.0, percent(high))
}

/// `1 claim`, `12,408 claims`.
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// `12,408`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The beginning of a text, cut between words.
pub fn abridged(text: &str, most_chars: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(most_chars) else { return text.to_owned() };
    let start = &text[..end];
    let cut = start.rfind(char::is_whitespace).filter(|cut| *cut > 0).unwrap_or(end);
    format!("{}…", start[..cut].trim_end())
}

/// Leptos writes the content of a `textarea` as it is; this keeps it text.
pub fn as_text(draft: &str) -> String {
    draft.replace('&', "&amp;").replace('<', "&lt;")
}

/// Text from outside as text or attribute of HTML that is written without Leptos.
pub fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Bytes that a value of a query cannot have as they are.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'/');

/// Percent-encodes a value of a query.
pub fn percent_encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// Fields of an address as its query.
pub fn query_string<T: AsRef<str>>(fields: impl IntoIterator<Item = (&'static str, T)>) -> String {
    let pairs = fields.into_iter().map(|(name, value)| format!("{name}={}", percent_encoded(value.as_ref())));
    pairs.collect::<Vec<_>>().join("&")
}

/// Name of a media type for readers: `Markdown`, `PDF`.
pub fn media_type(media_type: &str) -> &str {
    match media_type {
        "text/plain" => "Text",
        "text/markdown" => "Markdown",
        "text/html" => "Web page",
        "application/pdf" => "PDF",
        "message/rfc822" => "E-mail",
        other => other,
    }
}

/// Millionths of a currency: `USD 12.30`, `USD 0.0042`, `no cost`.
pub fn money(micros: u64, currency: &str) -> String {
    match micros {
        0 => "no cost".to_owned(),
        1..100 => format!("below {currency}\u{a0}0.0001"),
        100..1_000_000 => format!("{currency}\u{a0}{:.4}", micros as f64 / 1e6),
        _ => format!("{currency}\u{a0}{:.2}", micros as f64 / 1e6),
    }
}

/// `18,204 tokens in, 1,377 out, USD 0.12`; `no tokens, no cost`.
pub fn spend(spent: &Spend, currency: &str) -> String {
    spend_if_priced(spent, currency, true)
}

/// The same, where a price may not be known.
pub fn spend_if_priced(spent: &Spend, currency: &str, is_priced: bool) -> String {
    spend_text(spent, money_if_priced(spent, currency, is_priced))
}

/// Cost alone: `USD 0.12`, `no cost`, `not priced`.
pub fn money_if_priced(spent: &Spend, currency: &str, is_priced: bool) -> String {
    if is_priced { money(spent.cost_micros, currency) } else { "not priced".to_owned() }
}

/// The same of an assessment, where the price of a model may not be known.
pub fn cost(cost: &Cost) -> String {
    let micros = cost.amount.map_or(0, |amount| (amount * 1e6).round() as u64);
    let used = Spend { tokens_in: cost.tokens_in, tokens_out: cost.tokens_out, cost_micros: micros };
    spend_if_priced(&used, &cost.currency, cost.amount.is_some())
}

/// `18,204 tokens in, 1,377 out, not priced`.
fn spend_text(spent: &Spend, money: String) -> String {
    if spent.tokens() == 0 {
        return format!("no tokens, {money}");
    }
    let (read, written) = (grouped(spent.tokens_in), grouped(spent.tokens_out));
    format!("{read} tokens in, {written} out, {money}")
}

/// `Analyst`.
pub fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Returns a stored name, such as that of a role, in sentence case: `Response scout` for `response_scout`.
pub fn sentence_case(name: &str) -> String {
    capitalised(&name.replace('_', " "))
}

pub const fn attribution(attribution: Attribution) -> &'static str {
    match attribution {
        Attribution::Primary => "primary",
        Attribution::Secondhand => "second-hand",
        Attribution::Unattributed => "unattributed",
        Attribution::Indirect => "indirect",
    }
}

/// Address of the report of an investigation, or of its work where there is none.
pub fn report_address(investigation: InvestigationId, assessment: Option<AssessmentId>) -> String {
    assessment.map_or_else(|| format!("/investigations/{investigation}"), |id| format!("/assessments/{id}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_three() {
        assert_eq!([grouped(7), grouped(700), grouped(1_000), grouped(1_234_567)], ["7", "700", "1,000", "1,234,567"]);
    }

    #[test]
    fn a_stored_name_is_written_in_sentence_case() {
        assert_eq!(["response_scout", "analyst"].map(sentence_case), ["Response scout", "Analyst"]);
    }

    #[test]
    fn escaped_text_ends_no_element_and_no_attribute() {
        assert_eq!(escape_html("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
    }

    #[test]
    fn small_money_is_not_rounded_away() {
        let shown = [0, 7, 4_200, 12_300_000].map(|micros| money(micros, "USD"));
        assert_eq!(shown, ["no cost", "below USD\u{a0}0.0001", "USD\u{a0}0.0042", "USD\u{a0}12.30"]);
    }

    #[test]
    fn no_cost_is_written_in_words() {
        assert_eq!(spend(&Spend::default(), "USD"), "no tokens, no cost");
        let some = Spend { tokens_in: 18_204, tokens_out: 1_377, cost_micros: 120_000 };
        assert_eq!(spend(&some, "USD"), "18,204 tokens in, 1,377 out, USD\u{a0}0.1200");
    }

    #[test]
    fn an_unpriced_model_is_written_as_not_priced() {
        let cost = |amount| super::cost(&Cost { currency: "USD".into(), amount, tokens_in: 18_204, tokens_out: 1_377 });
        assert_eq!(cost(None), "18,204 tokens in, 1,377 out, not priced");
        assert_eq!(cost(Some(0.12)), "18,204 tokens in, 1,377 out, USD\u{a0}0.1200");
    }

    #[test]
    fn a_long_text_is_cut_between_words() {
        assert_eq!(abridged("Who did it?", 11), "Who did it?");
        assert_eq!(abridged("Who did it, and why?", 9), "Who did…");
        assert_eq!(abridged("ÄÖÜÄÖÜ", 3), "ÄÖÜ…");
    }

    #[test]
    fn ages_grow_coarser() {
        let now = Timestamp::parse("2031-03-14T12:00:00Z").unwrap();
        let ages = [0, 5, 180, 1_500, 7_200].map(|minutes: i64| age(now.plus_ms(-minutes * 60_000), now));
        assert_eq!(ages, ["just now", "5 min ago", "3 h ago", "1 day ago", "5 days ago"]);
        assert_eq!(elapsed(3_723_000), "1:02:03");
        assert_eq!([340, 4_250, 725_000].map(duration), ["340\u{a0}ms", "4.2\u{a0}s", "12\u{a0}min 5\u{a0}s"]);
    }
}
