//! Reflection: scoring of a tool result. Empty results are scored at once, others by a model within a time limit, else by rules.
//!
//! Invariant: reflection never fails a call. A verdict without a model is marked as unverified and not cached.

use super::{
    Gateway, cached,
    cached::{keep, load_cached},
    checks::{self, MAX_FACTS},
};
use crate::{
    StoreError,
    agents::{
        context::{ToolContext, ToolReply},
        handler_config::Reflect,
        registry::RegisteredTool,
    },
    evidence::sha256_hex,
    reliability::{CallError, Caller, Chain},
};
use domain::agent::{MAX_UNVERIFIED_CONFIDENCE, ReflectedBy, Reflection};
use protocol::{
    fence::fence,
    model::{Message, ModelRequest, OutputSchema, ToolRequest},
    tools::{ReflectionAnswer, parse_json_answer},
};
use std::{sync::Arc, time::Duration};
use tokio::time::timeout;

const MAX_SUMMARY_CHARS: usize = 600;
const MAX_FACT_CHARS: usize = 400;

impl Gateway {
    /// Scores a reply, normalised to `content`, against the session's question.
    pub(super) async fn reflect(
        &self,
        context: &ToolContext<'_>,
        registered: &RegisteredTool,
        request: &ToolRequest,
        reply: &ToolReply,
        content: &str,
    ) -> Result<Reflection, StoreError> {
        let content = reply.judged.as_deref().unwrap_or(content);
        if checks::is_nothing(content) {
            return Ok(Reflection::nothing());
        }
        let question = question(context);
        let models = context.engine.models_for(context.investigation);
        let may_ask = registered.config.reflect == Reflect::Model && !reply.is_listing;
        let judge = models.reflector.as_ref().filter(|_| may_ask);
        let config = &context.engine.config.reflect;
        let Some(judge) = judge else { return Ok(checks::verdict(config, question, content)) };
        let seen: Arc<str> = content.chars().take(config.max_chars).collect::<String>().into();
        let key = self.reflection_key(context, judge, request, question, &seen);
        if let Some(kept) = load_cached::<Reflection>(context, &key).await? {
            return Ok(kept);
        }
        let patience = Duration::from_millis(config.timeout_ms);
        let asked = ask(context, judge, request, question, &seen, self.reflection.clone());
        let judged = match timeout(patience, asked).await {
            Ok(Ok(answer)) => read(&answer, content),
            Ok(Err(CallError::Store(error))) => return Err(error),
            Ok(Err(error)) => {
                tracing::warn!(%error, tool = request.name, "tool result not scored: model call failed");
                None
            }
            Err(_) => {
                tracing::warn!(tool = request.name, "tool result not scored: model timed out");
                None
            }
        };
        let reflection = judged.unwrap_or_else(Reflection::unverified);
        if reflection.verified {
            keep(context, &key, &reflection, config.ttl_s).await?;
        }
        Ok(reflection)
    }

    fn reflection_key(
        &self,
        context: &ToolContext<'_>,
        judge: &Chain,
        request: &ToolRequest,
        question: &str,
        seen: &str,
    ) -> String {
        let model = judge.first();
        let parts = [
            "reflection",
            &request.name,
            &cached::canonical(&request.arguments),
            question,
            model.provider(),
            model.model(),
            &context.prompts.reflector.hash,
            &sha256_hex(seen.as_bytes()),
        ];
        sha256_hex(parts.join("\n").as_bytes())
    }
}

/// Returns the question or objective of the session.
fn question<'a>(context: &ToolContext<'a>) -> &'a str {
    context.work_order.map_or(&context.investigation.question, |order| &order.objective)
}

async fn ask(
    context: &ToolContext<'_>,
    judge: &Chain,
    request: &ToolRequest,
    question: &str,
    seen: &str,
    shape: Arc<OutputSchema>,
) -> Result<Arc<str>, CallError> {
    let engine = context.engine;
    let nonce = engine.ids.next().simple().to_string();
    let text = format!("Question: {question}\nTool: {}\nResult:\n{}", request.name, fence(seen, &nonce));
    let caller = Caller {
        user_id: context.investigation.owner,
        investigation_id: context.investigation.id,
        is_stored: context.investigation.stored_id().is_some(),
        parent_id: context.investigation.parent_id,
        session_id: context.session_id,
        step: context.step,
        is_final: false,
        depth_share: engine.config.at(context.investigation.terms.depth).budget_share,
        session_share: None,
    };
    let request = ModelRequest {
        role: context.role,
        system: context.prompts.reflector.text.clone(),
        messages: vec![Message::User { text: text.into() }],
        tools: Arc::from([]),
        max_output_tokens: engine.config.reflect.max_output_tokens,
        output_schema: Some(shape),
        progress: None,
    };
    judge.call(engine, caller, |_| request.clone()).await.map(|reply| reply.text)
}

/// Parses the verdict of a model; none when unreadable. Facts that do not appear in the result are dropped.
fn read(answer: &str, content: &str) -> Option<Reflection> {
    let said: ReflectionAnswer = parse_json_answer(answer)?;
    let folded = fold(content);
    let named = said.key_facts.len();
    let stands = said.key_facts.into_iter().filter(|fact| !fact.words.trim().is_empty() && folded.contains(&fold(&fact.words)));
    let key_facts: Vec<String> = stands.take(MAX_FACTS).map(|fact| cut(&fact.statement, MAX_FACT_CHARS)).collect();
    let verified = named == 0 || !key_facts.is_empty();
    let confidence = u8::try_from(said.confidence.min(100)).unwrap_or(100);
    Some(Reflection {
        answers: said.answers,
        quality: said.quality,
        key_facts,
        summary: cut(&said.summary, MAX_SUMMARY_CHARS),
        confidence: if verified { confidence } else { confidence.min(MAX_UNVERIFIED_CONFIDENCE) },
        by: ReflectedBy::Model,
        verified,
    })
}

/// Folds white space and quotation marks to their plain forms.
fn fold(text: &str) -> String {
    let plain = |c: char| match c {
        '“' | '”' | '„' | '«' | '»' => '"',
        '‘' | '’' => '\'',
        other => other,
    };
    let words: Vec<String> = text
        .replace("\\n", " ")
        .replace("\\\"", "\"")
        .split_whitespace()
        .map(|word| word.chars().map(plain).collect())
        .collect();
    words.join(" ")
}

fn cut(text: &str, max_chars: usize) -> String {
    text.trim().chars().take(max_chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::agent::Quality;

    const RESULT: &str = "On 4 May the mayor said “the dam is\nsafe”. A worker saw water in gallery two.";

    fn answer(words: &str) -> String {
        format!(
            r#"{{"answers": true, "quality": "good", "key_facts": [{{"statement": "The mayor called the dam safe.", "words": "{words}"}}], "summary": "s", "confidence": 90}}"#
        )
    }

    #[test]
    fn a_fact_counts_if_its_words_are_in_the_result() {
        let judged = read(&answer("the mayor said \\\"the dam is safe\\\""), RESULT).unwrap();
        assert_eq!((judged.key_facts.len(), judged.verified, judged.confidence), (1, true, 90));
        let invented = read(&answer("the mayor resigned"), RESULT).unwrap();
        assert_eq!((invented.key_facts.len(), invented.verified, invented.confidence), (0, false, 60));
        assert_eq!(judged.quality, Quality::Good);
    }

    #[test]
    fn an_unreadable_reply_is_no_verdict() {
        assert_eq!(read("I think it is good.", RESULT), None);
        assert_eq!(read(r#"{"quality": "splendid"}"#, RESULT), None);
    }
}
