//! Story of a tension: what happened, what feeds it, what eases it, in sentences that each rest on one claim or response.

use crate::{
    agents::{CitedSentence, StoryAnswer, TENSION_STORY, TaskAnswer, run_task},
    cycle::{
        TaskOutcome,
        order::{CycleOrder, CycleTask, add_count},
    },
    findings::GivenClaim,
    response::{MAX_TEXT, TensionResponse},
    scout::{ClaimList, tension_opening},
    settings::TensionSettings,
    store::{TaskResult, TensionStore},
    tension::TensionId,
};
use domain::{DocumentId, Scope};
use engine::StoreResult;
use feature::Web;
use uuid::Uuid;

domain::words! {
    /// Part of a story.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum StoryPart {
        Happened = "happened",
        Feeds = "feeds",
        Eases = "eases",
    }
}

impl StoryPart {
    pub const fn label(self) -> &'static str {
        match self {
            Self::Happened => "What happened",
            Self::Feeds => "What feeds it",
            Self::Eases => "What eases it",
        }
    }
}

/// Sentence of a story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorySentence {
    pub part: StoryPart,
    pub text: String,
    /// Id of the claim, or of the response of the last part.
    pub source: Uuid,
    /// None for a response that a person entered.
    pub document: Option<DocumentId>,
}

/// Tells the story of the tension of a task.
pub async fn tell_story(web: &Web, order: &CycleOrder, task: &CycleTask) -> StoreResult<TaskOutcome> {
    let (engine, store) = (&web.engine, TensionStore::new(web));
    // The story is read by those who read the tension: it rests on nothing else.
    let scope = Scope::from(task.collection);
    let tension = match task.tension {
        Some(id) => store.tension(&scope, id).await?,
        None => None,
    };
    let Some(tension) = tension else { return Ok(TaskOutcome::gone(task)) };
    let claims = ClaimList::of_tension(web, &scope, tension.id).await?;
    let mut responses = store.responses_to(&scope, &[tension.id]).await?;
    // What is over eases nothing any more.
    let limits = web.settings.get::<TensionSettings>().event_limits(engine.clock.now());
    responses.retain(|one| !one.is_over(limits));
    let opening = tension_opening(engine, &tension, &claims, &responses, &[], 0);
    Ok(match run_task::<StoryAnswer>(web, &TENSION_STORY, task, order.user, &scope, opening).await? {
        TaskAnswer::Given(answer) => {
            TaskOutcome::Ended(Box::new(story_result(task, tension.id, &claims.given, &responses, answer)))
        }
        other => TaskOutcome::without_answer(task, other),
    })
}

/// Returns the story that an answer tells, without sentences that rest on nothing.
fn story_result(
    task: &CycleTask,
    tension: TensionId,
    claims: &[GivenClaim],
    responses: &[TensionResponse],
    answer: StoryAnswer,
) -> TaskResult {
    let mut result = TaskResult::new(task.id);
    let of_claims = |part: StoryPart, sentences: Vec<CitedSentence>| {
        let rest_on = |number: usize| claims.get(number.checked_sub(1)?).map(|one| (one.claim.0, Some(one.document)));
        sentences.into_iter().map(move |sentence| (part, rest_on(sentence.source), sentence.text)).collect::<Vec<_>>()
    };
    let mut drafts = of_claims(StoryPart::Happened, answer.what_happened);
    drafts.extend(of_claims(StoryPart::Feeds, answer.what_feeds_it));
    for CitedSentence { text, source } in answer.what_eases_it {
        let response = source.checked_sub(1).and_then(|index| responses.get(index));
        let basis = response.map(|one| (one.response.id.0, one.response.document));
        drafts.push((StoryPart::Eases, basis, text));
    }
    let mut sentences = vec![];
    for (part, basis, text) in drafts {
        let text = text.trim().to_owned();
        match basis {
            Some((source, document)) if !text.is_empty() && text.chars().count() <= MAX_TEXT => {
                sentences.push(StorySentence { part, text, source, document });
            }
            Some(_) | None => add_count(&mut result.counts, "sentences_refused", 1),
        }
    }
    add_count(&mut result.counts, "sentences", sentences.len());
    result.story = Some((tension, sentences));
    result
}
