//! Role `interest_matcher`: decides on matches just below the threshold, within a number of decisions for each person and day.

use crate::{
    dates::DAY_MS,
    interest::Interest,
    settings::MonitorSettings,
    store::{MonitorStore, StoredMatch},
};
use domain::{Word, investigation::WebAccess, model_choice::ModelRole};
use engine::{
    StoreResult, accounts,
    agents::{
        FeatureRun, RunLimits, RunOutcome, run_role,
        spec::{AgentSpec, AnswerShape, PhaseKind, PhaseSpec},
    },
};
use feature::{NamedText, ReadableProduct, Web};
use protocol::fence::fence;

/// Kind of the objects of its sessions: a match that waits.
pub const PAIR: Word = Word::new("interest_match");
/// Decisions of one round.
const PER_ROUND: u32 = 20;

/// Answer of the role.
#[derive(Debug, Clone, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchVerdict {
    /// Whether the person of the interest would want to read it.
    pub is_match: bool,
}

const PHASES: &[PhaseSpec] =
    &[PhaseSpec::new("interest_match", PhaseKind::Once(AnswerShape::new::<MatchVerdict>("match_verdict")))];

/// The role. It has no tools.
pub static MATCHER: AgentSpec = AgentSpec::answering("interest_matcher", ModelRole::Analyst, PHASES, &[]);

/// Roles of the feature.
pub static ROLES: [&AgentSpec; 1] = [&MATCHER];

/// Prompts of the roles.
pub const PROMPTS: &[NamedText] = &[("interest_match", include_str!("../prompts/interest_match.md"))];

/// Decides on matches that wait. One whose product its person reads no more is refused without a call.
pub async fn judge_waiting(web: &Web) -> StoreResult<()> {
    let (engine, store, settings) = (&web.engine, MonitorStore::new(web), web.settings.get::<MonitorSettings>());
    if settings.judged_per_day == 0 {
        return Ok(());
    }
    let since = engine.clock.now().plus_ms(-DAY_MS);
    for waiting in store.borderline(since, settings.judged_per_day, PER_ROUND).await? {
        // Those of this round count, too.
        if store.judged_since(waiting.user, since).await? >= settings.judged_per_day {
            continue;
        }
        let interest = store.interest(waiting.user, waiting.interest).await?;
        let verdict = match (interest, read_product(web, &waiting).await?) {
            (Some(interest), Some(product)) => decide(web, &waiting, &interest, &product).await?,
            _ => Some(false),
        };
        match verdict {
            Some(is_match) => store.decide_match(waiting.id, is_match, engine.clock.now()).await?,
            // Those of other people come first in the next round.
            None => store.put_off_match(waiting.id, engine.clock.now()).await?,
        }
    }
    Ok(())
}

/// Returns the product of a match as its person reads it.
async fn read_product(web: &Web, waiting: &StoredMatch) -> StoreResult<Option<ReadableProduct>> {
    let source = web.products.iter().copied().find(|source| source.key == waiting.source);
    let reader = web.engine.accounts.user(waiting.user).await?.filter(|user| !user.is_disabled);
    let (Some(source), Some(reader)) = (source, reader) else { return Ok(None) };
    Ok((source.find)(web.clone(), reader, vec![waiting.product]).await?.pop())
}

/// Returns the verdict on a pair; none where the role cannot answer now.
async fn decide(web: &Web, waiting: &StoredMatch, interest: &Interest, product: &ReadableProduct) -> StoreResult<Option<bool>> {
    let engine = &web.engine;
    let Some(user) = engine.accounts.user(waiting.user).await? else { return Ok(Some(false)) };
    let collection = accounts::upload_collection(engine, &user).await?.id;
    let mark = engine.ids.next().simple().to_string();
    let text = format!("{}\n{}", product.title, product.summary);
    let run = FeatureRun {
        role: MATCHER.role,
        kind: PAIR,
        id: waiting.id.0,
        user: user.id,
        scope: engine.accounts.scope_of(user.id).await?.with(collection),
        collection,
        question: interest.draft.sentence.clone(),
        opening: format!("Interest: {}\n\nProduct:\n{}", interest.draft.sentence, fence(&text, &mark)),
        addresses: vec![],
        web: WebAccess::Off,
        limits: RunLimits { max_tool_calls: 0, max_questions: 0 },
    };
    Ok(match run_role(engine, &web.agents, &run, None).await? {
        RunOutcome::Answered(answer) => serde_json::from_value(answer).ok().map(|verdict: MatchVerdict| verdict.is_match),
        RunOutcome::Failed(reason) => {
            tracing::warn!(reason, "decision on a match failed");
            Some(false)
        }
        RunOutcome::Waiting(_) | RunOutcome::Suspended(_) | RunOutcome::OutOfBudget(_) => None,
    })
}
