//! View of one tension.

use super::{EvidenceLine, Precedent, TensionView, address};
use crate::{
    heat::{Heat, HeatRule, heat_text},
    pages::{
        actions::{Actions, ScoutForm},
        days_ago, list,
        list::TrendMark,
        origins_text, responses as responses_page, undated_text,
    },
    response::{EventLimits, ResponseKind, TensionResponse},
    shared,
    story::{StoryPart, StorySentence},
    tension::{TensionId, TensionOrigin, TensionState, day_start},
    watched,
};
use app::{
    Pieces, Slot,
    atoms::{ActionButton, Badge, SampleBadge, Tone},
    format,
    parts::{Breadcrumbs, EmptyState, Frame, LiveScripts, NavItem, NoticeBanner, PageLinks},
};
use domain::{ObjectId, user::User};
use feature::region::Regions;
use leptos::prelude::*;
use leptos_meta::Title;
use std::collections::HashMap;
use tensions_islands::CalendarPicture;

#[component]
pub fn PageBody(viewer: User, page: TensionView, error: Option<String>) -> impl IntoView {
    let days = page.days_text();
    let TensionView {
        tension,
        heat,
        is_undated,
        rule,
        trend,
        strains,
        against,
        sources,
        evidence,
        evidence_total,
        page,
        per_page,
        parents,
        responses,
        story,
        story_sources,
        precedents,
        calendar,
        related,
        may_change,
        is_sample,
        today,
        limits,
    } = page;
    let (title, statement) = (tension.title.clone(), tension.statement.clone());
    let (facts, origins) = (format!("{} · {days} · ", tension.region.label()), origins_text(heat.terms.len()));
    let last = if is_undated { "read" } else { "evidence" };
    let last_day = format!(" · last {last} {}", format::day(day_start(tension.last_day)));
    let dismissed = match &tension.state {
        TensionState::Active => None,
        TensionState::Dismissed(reason) => Some(format!("Dismissed: {reason}")),
    };
    let origin = format::capitalised(tension.origin.words());
    // What documents state has one confidence, which says nothing.
    let origin = match tension.origin {
        TensionOrigin::Extraction => origin,
        TensionOrigin::Extracted | TensionOrigin::Curiosity | TensionOrigin::Scout => {
            format!("{origin}, confidence {}: {}", format::percent(tension.confidence), confidence_basis(tension.origin))
        }
    };
    let removal = may_change.then(|| address(tension.id));
    let own = address(tension.id);
    let share = Slot::Share { viewer: viewer.clone(), kind: shared::KEY, object: tension.id.to_string() };
    let object = ObjectId(tension.id.0);
    let place = Slot::Object { viewer: viewer.id, kind: watched::KEY, object, title: title.clone() };
    let last = evidence_total.div_ceil((per_page as u64).max(1)).max(1);
    // The first thing to do about a tension without a response.
    let scouted = (may_change && !is_sample && responses.is_empty()).then_some(tension.id);
    let has_scout = !is_sample && scouted.is_none();
    let actions = may_change.then(|| view! { <Actions viewer=viewer.id tension=tension.clone() related has_scout /> });
    let sentence = calendar_sentence(&heat, today);
    view! {
        <Title text=title.clone() />
        <Frame viewer nav=NavItem::Page(list::PAGE)>
            <Breadcrumbs above=[("Tensions", list::PAGE.to_owned())] here=title.clone() />
            <h1>{title}</h1>
            <NoticeBanner code=error />
            <p class="lead">{statement}</p>
            <p class="card-facts">
                <span><a class="heat-terms" href="#why"><strong>{heat_text(heat.value)}</strong></a> <TrendMark trend /></span>
                <span>{facts} <a class="heat-terms" href="#why">{origins}</a> {last_day}</span>
                <Badge tone=Tone::Quiet text=tension.severity.word() />
                <SampleBadge is_shown=is_sample />
                {dismissed.map(|text| view! { <Badge tone=Tone::Warning text /> })}
            </p>
            <div class="manage tension-acts"><Pieces at=place /> <Pieces at=share /></div>
            <Why heat=heat.clone() rule sources today />
            <Story story sources=story_sources />
            <section aria-labelledby="strains">
                <h2 id="strains">"What strains"</h2>
                <p class="muted">{origin}</p>
                <Strains strains against parents />
            </section>
            <section aria-labelledby="answers">
                <h2 id="answers">"What answers it"</h2>
                <Answers responses limits removal scouted />
            </section>
            <section aria-labelledby="eased">
                <h2 id="eased">"What eased this before"</h2>
                <Precedents precedents />
            </section>
            <section aria-labelledby="calendar">
                <h2 id="calendar">"Heat by day"</h2>
                <p class="muted">{sentence} " " <a href="#why">"How heat is computed"</a></p>
                {calendar.map(|calendar| view! { <CalendarPicture calendar /> })}
                <LiveScripts />
            </section>
            <section aria-labelledby="timeline">
                <h2 id="timeline">"Timeline"</h2>
                <Statements lines=evidence />
                <PageLinks label="Pages of the timeline" address=own name="page" fields=vec![] page last />
            </section>
            {actions}
        </Frame>
    }
    .into_any()
}

/// Story that a model told, each sentence with a link to the statement that it rests on.
#[component]
fn Story(story: Vec<StorySentence>, sources: Vec<EvidenceLine>) -> impl IntoView {
    let sources: HashMap<_, _> =
        sources.iter().map(|line| (line.claim.id.0, (quote_address(line), line.source.clone()))).collect();
    let parts = StoryPart::ALL.into_iter().filter_map(|part| {
        let sentences: Vec<&StorySentence> = story.iter().filter(|sentence| sentence.part == part).collect();
        let sentences = sentences.into_iter().map(|sentence| {
            let (href, text) = match sources.get(&sentence.source) {
                Some((href, source)) => (href.clone(), source.clone()),
                None => ("#answers".to_owned(), "see the responses".to_owned()),
            };
            view! { <li class="row"><p>{sentence.text.clone()} " " <a href=href>{text}</a></p></li> }
        });
        let sentences = sentences.collect::<Vec<_>>();
        (!sentences.is_empty()).then(|| view! { <h3>{part.label()}</h3> <ul class="rows">{sentences}</ul> })
    });
    let parts = parts.collect::<Vec<_>>();
    let is_empty = parts.is_empty();
    (!is_empty).then(|| {
        view! {
            <section aria-labelledby="story">
                <h2 id="story">"Story"</h2>
                <p class="muted">"Told by a model. Each sentence links to what it rests on."</p>
                {parts}
            </section>
        }
    })
}

/// Basis of the confidence of a tension, for people.
const fn confidence_basis(origin: TensionOrigin) -> &'static str {
    match origin {
        TensionOrigin::Extraction => "that of every stated tension.",
        TensionOrigin::Extracted => "that model gave it, up to a limit.",
        TensionOrigin::Curiosity => "that of every tension that is inferred so.",
        TensionOrigin::Scout => "it is raised when further independent origins state the tension.",
    }
}

/// `5 independent origins, the latest 2 days ago.`
fn calendar_sentence(heat: &Heat, today: i64) -> String {
    let latest = |is_undated: bool| {
        let ages = heat.terms.iter().filter(|term| term.is_undated == is_undated).map(|term| term.age_days);
        ages.min().map(|age_days| format!("{} ({})", days_ago(age_days), format::day(day_start(today - age_days))))
    };
    let origins = format::count(heat.terms.len() as u64, "independent origin", "independent origins");
    let undated = heat.terms.iter().filter(|term| term.is_undated).count();
    match (latest(false), latest(true)) {
        (None, None) => "No evidence counts any more.".to_owned(),
        (Some(latest), None) => format!("{origins}, the latest {latest}."),
        (Some(latest), Some(_)) => format!("{origins}, the latest {latest}; {undated} without a date."),
        (None, Some(read)) => format!("{origins}, dates unknown, the latest read {read}."),
    }
}

/// The terms of the heat.
#[component]
fn Why(heat: Heat, rule: HeatRule, sources: Vec<EvidenceLine>, today: i64) -> impl IntoView {
    let sources: HashMap<&str, &EvidenceLine> = sources.iter().map(|line| (line.evidence.origin.as_str(), line)).collect();
    let shown = heat.terms.iter().filter_map(|term| Some((term, sources.get(term.origin.as_str())?)));
    let rows = shown.map(|(term, line)| {
        let source = view! { <a href=quote_address(line)>{line.source.clone()}</a> };
        let age = if term.is_undated { undated_text(today - term.age_days) } else { days_ago(term.age_days) };
        let (severity, value) = (term.severity.word(), format!("{:.3}", term.value));
        view! { <tr><td>{source}</td><td>{severity}</td><td>{age}</td><td class="number">{value}</td></tr> }
    });
    let rows: Vec<_> = rows.collect();
    let others = heat.terms.len() - rows.len();
    let others =
        (others > 0).then(|| view! { <p class="muted">{format!("And {} that count less.", origins_text(others))}</p> });
    let sum: f64 = heat.terms.iter().map(|term| term.value).sum();
    view! {
        <details>
            <summary>{format!("Why {}?", heat_text(heat.value))}</summary>
            <p id="why" class="muted">
                {format!(
                    "Each independent origin counts once: weight × 2^(−age ÷ {} days). The weight is {} for minor, {} for serious and \
                     {} for severe strain; without a date, × {}, with the age since it was read. The sum is {sum:.3}; heat is \
                     1 − e^(−sum), from .00 to 1.00. Trends compare dated evidence only.",
                    rule.half_life_days, rule.minor, rule.serious, rule.severe, rule.undated_share,
                )}
            </p>
            <table>
                <thead><tr><th scope="col">"Origin"</th><th scope="col">"Severity"</th><th scope="col">"Age"</th><th scope="col" class="number">"Counts"</th></tr></thead>
                <tbody>{rows}</tbody>
            </table>
            {others}
        </details>
    }
    .into_any()
}

/// Address of the quoted line of a statement.
fn quote_address(line: &EvidenceLine) -> String {
    let (document, span) = (line.claim.document_id, &line.claim.span);
    format!("/documents/{document}?quote={}-{}#quote", span.start, span.end)
}

#[component]
fn Strains(strains: Vec<EvidenceLine>, against: Vec<EvidenceLine>, parents: Vec<(TensionId, String)>) -> impl IntoView {
    let links = parents.into_iter().map(|(id, title)| view! { <li><a href=address(id)>{title}</a></li> }).collect::<Vec<_>>();
    view! {
        <Statements lines=strains />
        {(!against.is_empty()).then(|| view! { <h3>"Against"</h3> <Statements lines=against /> })}
        {(!links.is_empty()).then(|| view! { <h3>"Sprang from"</h3> <ul class="rows">{links}</ul> })}
    }
}

#[component]
fn Statements(lines: Vec<EvidenceLine>) -> impl IntoView {
    let items = lines.into_iter().map(|line| {
        let href = quote_address(&line);
        let EvidenceLine { evidence, claim, source } = line;
        let published = match (evidence.day.is_undated, claim.published) {
            (true, _) => undated_text(evidence.day.day),
            (false, Some(published)) => format::published(published),
            (false, None) => format::day(day_start(evidence.day.day)),
        };
        view! {
            <li class="row">
                <p><a href=href>{claim.content}</a></p>
                <p class="card-facts">
                    <span>{source} ", " {published}</span>
                    {evidence.is_against.then(|| view! { <Badge tone=Tone::Quiet text="denied" /> })}
                </p>
            </li>
        }
    });
    view! { <ul class="rows">{items.collect_view()}</ul> }.into_any()
}

/// Responses by kind; events that are over come last.
#[component]
fn Answers(
    responses: Vec<TensionResponse>,
    limits: EventLimits,
    removal: Option<String>,
    /// Tension whose scouting is offered.
    #[prop(optional_no_strip)]
    scouted: Option<TensionId>,
) -> impl IntoView {
    if responses.is_empty() {
        let text = "Nothing answers this yet.";
        return match scouted {
            Some(tension) => view! { <div class="empty"><p>{text}</p> <ScoutForm tension /></div> }.into_any(),
            None => view! { <EmptyState text href=responses_page::PAGE button="See other responses" /> }.into_any(),
        };
    }
    let groups = ResponseKind::ALL.into_iter().filter_map(|kind| {
        let mut of_kind: Vec<TensionResponse> = responses.iter().filter(|one| one.response.kind == kind).cloned().collect();
        of_kind.sort_by_key(|one| one.is_over(limits));
        let item = |one: TensionResponse| {
            let action = removal.as_ref().map(|page| format!("{page}/responses/{}/remove", one.response.id));
            let label = format!("Remove: {}", one.response.title);
            let remove = action.map(|action| view! { <ActionButton action fields=vec![] text="Remove" label /> });
            view! { <ResponseItem one limits more=remove.into_any() /> }
        };
        let items = of_kind.into_iter().map(item).collect::<Vec<_>>();
        (!items.is_empty()).then(|| view! { <h3>{kind.label()}</h3> <ul class="rows">{items}</ul> })
    });
    groups.collect_view().into_any()
}

/// A response: name, mechanism, when, where, whether it is over, and what its page adds.
#[component]
pub fn ResponseItem(one: TensionResponse, limits: EventLimits, more: AnyView) -> impl IntoView {
    let standing = standing(&one, limits);
    let TensionResponse { response, link, .. } = one;
    let when = match (response.starts_at, response.ends_at) {
        (Some(start), Some(end)) => Some(format!("{} to {}", format::day(start), format::day(end))),
        (Some(day), None) | (None, Some(day)) => Some(format::day(day)),
        (None, None) => None,
    };
    let place = (!response.region.is_unknown()).then(|| response.region.label());
    let basis = match response.document {
        Some(document) => view! { <a href=format!("/documents/{document}")>"page as read"</a> }.into_any(),
        None => view! { <span>"entered by a person"</span> }.into_any(),
    };
    view! {
        <li class="row">
            <p class="row-title"><a href=response.url rel="noreferrer nofollow">{response.title}</a></p>
            {(!response.summary.is_empty()).then(|| view! { <p>{response.summary}</p> })}
            {(!link.explanation.is_empty()).then(|| view! { <p class="muted">{link.explanation}</p> })}
            <p class="card-facts">
                {(!link.mechanism.is_empty()).then(|| view! { <span>{link.mechanism}</span> })}
                {when.map(|when| view! { <span>{when}</span> })}
                {place.map(|place| view! { <span>{place}</span> })}
                <span>{standing}</span>
                {basis}
            </p>
            {more}
        </li>
    }
    .into_any()
}

/// Returns whether a response is still on, in words: an event by its days, anything else by the day on which it was last seen.
fn standing(one: &TensionResponse, limits: EventLimits) -> String {
    let TensionResponse { response, link, .. } = one;
    if one.is_over(limits) {
        return "over".to_owned();
    }
    match (response.kind, response.starts_at, response.ends_at) {
        (ResponseKind::Event, Some(start), _) if start > limits.now => "to come".to_owned(),
        (ResponseKind::Event, Some(_), _) | (ResponseKind::Event, _, Some(_)) => "still on".to_owned(),
        _ => format!("seen {}", format::day(link.last_seen)),
    }
}

#[component]
fn Precedents(precedents: Vec<Precedent>) -> impl IntoView {
    if precedents.is_empty() {
        let text = "No like case that something answered has cooled yet.";
        return view! { <EmptyState text href="/tensions?list=cooled#all" button="See what cooled" /> }.into_any();
    }
    let has_likeness = precedents.iter().any(|one| one.likeness.is_some());
    let items = precedents.into_iter().map(|one| {
        let Precedent { eased, likeness, responses } = one;
        let by_day = format!("{}#calendar", address(eased.id));
        let cooled = format!("{} to {}", heat_text(eased.peak), heat_text(eased.heat));
        let alike = likeness.map(|likeness| format!("likeness {}", format::percent(likeness.clamp(0.0, 1.0))));
        let answered: Vec<String> = responses.into_iter().map(|one| one.response.title).collect();
        let answered = format!("Answered by: {}.", answered.join("; "));
        view! {
            <li class="row">
                <p class="row-title"><a href=address(eased.id)>{eased.title}</a></p>
                <p>{answered}</p>
                <p class="card-facts">
                    <span>{Regions::shared().label(&eased.region)}</span>
                    <a class="heat-terms" href=by_day>{cooled}</a>
                    {alike.map(|alike| view! { <span>{alike}</span> })}
                </p>
            </li>
        }
    });
    view! {
        <ul class="rows">{items.collect_view()}</ul>
        {has_likeness.then(|| view! { <p class="muted">{LIKENESS_NOTE}</p> })}
    }
    .into_any()
}

/// Meaning of a likeness, for people.
const LIKENESS_NOTE: &str = "Likeness: how near title and statement are in meaning, by the embedding model. 100 % is the same.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        heat::HeatTerm,
        response::{
            RespondsTo, Response,
            tests::{at, event},
        },
        tension::{Severity, day_number},
    };
    use domain::Timestamp;
    use testkit::id;

    #[test]
    fn terms_without_a_date_say_when_they_were_read() {
        let today = day_number(Timestamp::parse("2026-11-28").unwrap());
        let term = |age_days: i64, is_undated: bool| HeatTerm {
            origin: format!("{age_days}"),
            severity: Severity::Severe,
            age_days,
            is_undated,
            value: 0.2,
        };
        let sentence = |terms: Vec<HeatTerm>| calendar_sentence(&Heat { value: 0.5, terms }, today);
        assert_eq!(sentence(vec![]), "No evidence counts any more.");
        assert_eq!(sentence(vec![term(2, false)]), "1 independent origin, the latest 2 days ago (26 Nov 2026).");
        let mixed = "2 independent origins, the latest 2 days ago (26 Nov 2026); 1 without a date.";
        assert_eq!(sentence(vec![term(0, true), term(2, false)]), mixed, "what was read today is not the latest event");
        let unknown = "1 independent origin, dates unknown, the latest read today (28 Nov 2026).";
        assert_eq!(sentence(vec![term(0, true)]), unknown);
        assert_eq!(undated_text(today), "date unknown, read on 28 Nov 2026");
    }

    #[test]
    fn a_response_says_whether_it_is_still_on() {
        let now = at("2026-11-28T12:00:00Z");
        let words = |kind: ResponseKind, starts_at: Option<&str>, ends_at: Option<&str>| {
            let response = Response { kind, ..event(starts_at, ends_at) };
            let link = RespondsTo {
                tension: TensionId(id()),
                strength: 0.7,
                explanation: String::new(),
                mechanism: String::new(),
                first_seen: at("2026-11-01"),
                last_seen: at("2026-11-27"),
            };
            let one = TensionResponse { response, link, tension_title: String::new() };
            standing(&one, EventLimits::new(now, 30))
        };
        assert_eq!(words(ResponseKind::Event, Some("2026-11-20"), None), "over");
        assert_eq!(words(ResponseKind::Event, Some("2026-11-28"), None), "still on");
        assert_eq!(words(ResponseKind::Event, Some("2026-12-20"), None), "to come");
        assert_eq!(words(ResponseKind::Event, None, Some("2026-12-20")), "still on");
        assert_eq!(words(ResponseKind::Event, None, None), "seen 27 Nov 2026");
        assert_eq!(words(ResponseKind::Give, Some("2026-11-20"), None), "seen 27 Nov 2026");
    }
}
