//! Prompt cache of the services, by whole blocks in the services' order: tools, system, messages.

use crate::tokens;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::HashSet;

/// Minimum length of a cached prefix.
const LEAST_TOKENS: u64 = 1_024;
/// Blocks before a breakpoint in which the Messages service looks for a cached prefix.
const LOOK_BACK_BLOCKS: usize = 20;
/// Granularity of cached tokens in chat completions.
const STEP_TOKENS: u64 = 128;

/// Prompt tokens read from and written to the cache.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct CacheUsage {
    pub read: u64,
    pub written: u64,
}

/// Prefix of a prompt, up to the end of a block.
struct Prefix {
    digest: [u8; 32],
    tokens: u64,
    is_marked: bool,
}

/// Prefixes seen so far.
#[derive(Default)]
pub(crate) struct PrefixCache {
    known: HashSet<[u8; 32]>,
}

impl PrefixCache {
    /// Caches marked prefixes, and finds cached ones up to some blocks before a breakpoint.
    pub fn take_messages(&mut self, body: &Value) -> CacheUsage {
        let prefixes = prefixes(messages_blocks(body));
        let marks: Vec<usize> = (0..prefixes.len()).filter(|n| prefixes[*n].is_marked).collect();
        let is_near = |n: usize| marks.iter().any(|mark| n <= *mark && mark - n <= LOOK_BACK_BLOCKS);
        let found = (0..prefixes.len()).rev().filter(|n| is_near(*n)).find(|n| self.known.contains(&prefixes[*n].digest));
        let read = found.map_or(0, |n| prefixes[n].tokens);
        let kept = marks.iter().map(|n| &prefixes[*n]).filter(|prefix| prefix.tokens >= LEAST_TOKENS);
        let mut longest = 0;
        for prefix in kept {
            self.known.insert(prefix.digest);
            longest = prefix.tokens.max(longest);
        }
        CacheUsage { read, written: longest.saturating_sub(read) }
    }

    /// Caches every prefix, and counts only reads.
    pub fn take_completions(&mut self, body: &Value) -> CacheUsage {
        let prefixes = prefixes(completions_blocks(body));
        let found = prefixes.iter().rev().find(|prefix| self.known.contains(&prefix.digest));
        let read = found.map_or(0, |prefix| prefix.tokens / STEP_TOKENS * STEP_TOKENS);
        self.known.extend(prefixes.iter().filter(|prefix| prefix.tokens >= LEAST_TOKENS).map(|prefix| prefix.digest));
        CacheUsage { read, written: 0 }
    }
}

/// Block with everything else that its identity depends on.
struct Block {
    content: Value,
    place: Value,
}

fn prefixes(blocks: impl Iterator<Item = Block>) -> Vec<Prefix> {
    let (mut hash, mut chars) = (Sha256::new(), 0);
    let take = |Block { mut content, place }: Block| {
        let is_marked = content.as_object_mut().is_some_and(|content| content.remove("cache_control").is_some());
        let text = content.to_string();
        hash.update(format!("{place} {text}"));
        chars += text.chars().count();
        Prefix { digest: hash.clone().finalize().into(), tokens: tokens(chars), is_marked }
    };
    blocks.map(take).collect()
}

fn blocks(list: &Value, place: Value) -> impl Iterator<Item = Block> + use<> {
    listed(list).into_iter().map(move |content| Block { content, place: place.clone() })
}

fn messages_blocks(body: &Value) -> impl Iterator<Item = Block> {
    // Changing thinking or tool choice keeps tools and system, but invalidates messages.
    let way = json!({"tool_choice": body["tool_choice"], "thinking": body["thinking"]});
    let messages = listed(&body["messages"]).into_iter();
    let messages = messages.flat_map(move |message| blocks(&message["content"], json!([message["role"], way])));
    blocks(&body["tools"], json!("tools")).chain(blocks(&body["system"], json!("system"))).chain(messages)
}

fn completions_blocks(body: &Value) -> impl Iterator<Item = Block> {
    let parts = ["tools", "response_format", "messages"];
    parts.into_iter().flat_map(|part| blocks(&body[part], json!(part)))
}

/// Returns the items of a list; a text counts as one.
fn listed(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(values) => values.clone(),
        Value::Null => vec![],
        Value::String(text) => vec![json!({"type": "text", "text": text})],
        other => vec![other.clone()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long(word: &str) -> String {
        word.repeat(6_000 / word.len())
    }

    fn marked(text: &str) -> Value {
        json!({"type": "text", "text": text, "cache_control": {"type": "ephemeral"}})
    }

    fn body(system: Value, turns: &[Value]) -> Value {
        let messages: Vec<Value> = turns
            .iter()
            .enumerate()
            .map(|(n, turn)| json!({"role": if n % 2 == 0 { "user" } else { "assistant" }, "content": [turn]}))
            .collect();
        json!({"system": [system], "tools": [{"name": "look"}], "messages": messages})
    }

    #[test]
    fn marked_prefixes_are_read_and_new_ones_written() {
        let mut cache = PrefixCache::default();
        let first = cache.take_messages(&body(marked(&long("s")), &[marked("q")]));
        assert_eq!(first.read, 0);
        assert!(first.written > 1_500, "{first:?}");
        let answer = json!({"type": "text", "text": "a"});
        let turns = [marked("q"), answer.clone(), marked(&long("r"))];
        let second = cache.take_messages(&body(marked(&long("s")), &turns));
        assert_eq!(second.read, first.written);
        assert!(second.written > 1_400, "{second:?}");
        // Another system prompt: nothing after it is cached.
        assert_eq!(cache.take_messages(&body(marked(&long("t")), &turns)).read, 0);
        // The breakpoint itself is not part of the prefix.
        let plain = json!({"type": "text", "text": "q"});
        let third = cache.take_messages(&body(marked(&long("s")), &[plain, answer, marked(&long("r"))]));
        assert_eq!(third, CacheUsage { read: second.read + second.written, written: 0 });
    }

    #[test]
    fn short_or_unmarked_prefixes_are_not_cached() {
        let mut cache = PrefixCache::default();
        for system in [marked("short"), json!({"type": "text", "text": long("s")})] {
            for _ in 0..2 {
                let cached = cache.take_messages(&body(system.clone(), &[json!({"type": "text", "text": "q"})]));
                assert_eq!(cached, CacheUsage::default(), "{system}");
            }
        }
    }

    #[test]
    fn chat_completions_cache_every_prefix_in_steps() {
        let mut cache = PrefixCache::default();
        let system = json!({"role": "system", "content": long("s")});
        let body_with = |more: &[Value]| {
            let messages = [vec![system.clone()], more.to_vec()].concat();
            json!({ "messages": messages })
        };
        assert_eq!(cache.take_completions(&body_with(&[])).read, 0);
        let second = cache.take_completions(&body_with(&[json!({"role": "user", "content": "q"})]));
        assert!(second.read > 1_400 && second.read.is_multiple_of(128), "{second:?}");
        assert_eq!(cache.take_completions(&json!({"messages": [{"role": "user", "content": "q"}]})).read, 0);
    }
}
