//! Role `interest_matcher`: decides on matches just below the threshold, within a number of decisions for each person and day.

use crate::{
    dates::DAY_MS,
    interest::{Interest, MatchId},
    settings::MonitorSettings,
    store::{MonitorStore, StoredMatch},
};
use domain::{ObjectId, UserId, Word, investigation::WebAccess, model_choice::ModelRole, user::User};
use engine::{
    StoreResult, accounts,
    agents::{
        FeatureRun, RunLimits, RunOutcome, run_role,
        spec::{AgentSpec, AnswerShape, PhaseKind, PhaseSpec},
    },
};
use feature::{NamedText, ReadableProduct, Web};
use protocol::fence::fence;
use std::collections::{BTreeMap, BTreeSet, HashMap};

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
    let borderline = store.borderline(since, settings.judged_per_day, PER_ROUND).await?;
    let people: Vec<UserId> = borderline.iter().map(|one| one.user).collect();
    let readers = accounts::active_users(engine, &people).await?;
    let products = read_products(web, &borderline, &readers).await?;
    for waiting in borderline {
        // Those of this round count, too.
        if store.judged_since(waiting.user, since).await? >= settings.judged_per_day {
            continue;
        }
        let interest = store.interest(waiting.user, waiting.interest).await?;
        let verdict = match (interest, readers.get(&waiting.user), products.get(&waiting.id)) {
            (Some(interest), Some(reader), Some(product)) => decide(web, waiting.id, &interest, reader, product).await?,
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

/// Returns the products of matches as their people read them, with one look for each source and person.
async fn read_products(
    web: &Web,
    matches: &[StoredMatch],
    readers: &HashMap<UserId, User>,
) -> StoreResult<HashMap<MatchId, ReadableProduct>> {
    let mut asked: BTreeMap<(&str, UserId), Vec<&StoredMatch>> = BTreeMap::new();
    for one in matches {
        asked.entry((one.source.as_str(), one.user)).or_default().push(one);
    }
    let mut products = HashMap::new();
    for ((key, user), matches) in asked {
        let source = web.products.iter().find(|source| source.key == key);
        let (Some(source), Some(reader)) = (source, readers.get(&user)) else { continue };
        let ids: BTreeSet<ObjectId> = matches.iter().map(|one| one.product).collect();
        let read = (source.find)(web.clone(), reader.clone(), Vec::from_iter(ids)).await?;
        let read: HashMap<ObjectId, ReadableProduct> = read.into_iter().map(|product| (product.id, product)).collect();
        products.extend(matches.into_iter().filter_map(|one| Some((one.id, read.get(&one.product)?.clone()))));
    }
    Ok(products)
}

/// Returns the verdict on a pair; none where the role cannot answer now.
async fn decide(
    web: &Web,
    id: MatchId,
    interest: &Interest,
    reader: &User,
    product: &ReadableProduct,
) -> StoreResult<Option<bool>> {
    let engine = &web.engine;
    let collection = accounts::upload_collection(engine, reader).await?.id;
    let mark = engine.ids.next().simple().to_string();
    let text = format!("{}\n{}", product.title, product.summary);
    let run = FeatureRun {
        role: MATCHER.role,
        kind: PAIR,
        id: id.0,
        user: reader.id,
        scope: engine.accounts.scope_of(reader.id).await?.with(collection),
        collection,
        question: interest.draft.sentence.clone(),
        opening: format!("Interest: {}\n\nProduct:\n{}", interest.draft.sentence, fence(&text, &mark)),
        addresses: vec![],
        web: WebAccess::Off,
        limits: RunLimits { max_tool_calls: 0, max_questions: 0 },
        tool_limits: vec![],
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
