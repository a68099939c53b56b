//! Search services described in the configuration.

use super::{JsonSearch, Paging, adapter::prelude::*};
use serde_json::Value;
use url::{Url, form_urlencoded::byte_serialize};

#[derive(Debug)]
pub(crate) struct Search(pub JsonSearch);

const DEFAULT_PAGE_SIZE: u32 = 10;

impl Search {
    fn page_size(&self) -> u32 {
        if self.0.page_size == 0 { DEFAULT_PAGE_SIZE } else { self.0.page_size }
    }

    fn first_page(&self) -> u64 {
        u64::from(matches!(self.0.paging, Paging::Page | Paging::Start))
    }

    /// Some services omit an empty list and report a total of 0. Otherwise the configured path is wrong.
    fn check_list(&self, value: &Value, list: &[&str]) -> Result<(), SourceError> {
        let search = &self.0;
        let is_there = values::at(value, list).is_some();
        let is_none = || !search.total.is_empty() && values::number(value, &path(&search.total)) == Some(0);
        if is_there || is_none() { Ok(()) } else { Err(SourceError::NoList(search.hits.clone())) }
    }

    fn needs_key(&self) -> bool {
        let marked = |text: &String| text.contains("{key}");
        marked(&self.0.address) || self.0.headers.values().any(marked)
    }
}

impl Adapter for Search {
    fn info(&self) -> SourceInfo<'_> {
        let search = &self.0;
        let base = search.address.find("://").and_then(|at| search.address[at + 3..].find('/').map(|slash| at + 4 + slash));
        SourceInfo {
            id: &search.id,
            name: &search.name,
            description: &search.description,
            coverage: &search.coverage,
            documentation: (&search.documentation, &search.documentation_read),
            key: if self.needs_key() { KeyUse::Required } else { KeyUse::None },
            interval: Duration::from_millis(search.interval_ms),
            page_size: self.page_size(),
            base: &search.address[..base.unwrap_or(search.address.len())],
            ..SourceInfo::default()
        }
    }

    fn request(&self, query: &SourceQuery, access: &RequestContext<'_>) -> Result<ApiRequest, SourceError> {
        let (limit, page) = (access.limit.to_string(), page_number(query, self.first_page())?.to_string());
        let values = [
            ("{words}", query.words.as_str()),
            ("{limit}", &limit),
            ("{page}", &page),
            ("{since}", query.since.as_deref().unwrap_or_default()),
            ("{until}", query.until.as_deref().unwrap_or_default()),
            ("{language}", query.language.as_deref().unwrap_or_default()),
            ("{key}", access.key.unwrap_or_default()),
        ];
        let template = self.0.address.get(self.info().base.len()..).unwrap_or_default();
        // Values are encoded, so that none can extend the address.
        let path = replace(template, &values, |value| byte_serialize(value.as_bytes()).collect());
        let url: Url = access.base.join(&path).map_err(|_| SourceError::Address)?;
        let headers = self.0.headers.iter().map(|(name, value)| (name.clone(), replace(value, &values, str::to_owned)));
        Ok(ApiRequest { url, headers: headers.collect(), body: Body::None })
    }

    fn read(&self, answer: &ApiResponse, query: &SourceQuery, _: &RequestContext<'_>) -> Result<SourcePage, SourceError> {
        let search = &self.0;
        let value = answer.json();
        let list = path(&search.hits);
        self.check_list(value, &list)?;
        let text = |hit: &Value, name: &str| (!name.is_empty()).then(|| values::text(hit, &path(name))).flatten();
        let (hits, given) = values::hits(value, &list, |hit| {
            Some(SourceHit {
                address: text(hit, &search.hit_address)?,
                title: values::snippet(&text(hit, &search.hit_title)?)?,
                snippet: text(hit, &search.hit_snippet).and_then(|words| values::snippet(&words)),
                published: (!search.hit_published.is_empty())
                    .then(|| values::date(hit, &path(&search.hit_published)))
                    .flatten(),
                outlet: text(hit, &search.hit_outlet),
                byline: text(hit, &search.hit_byline),
                language: text(hit, &search.hit_language),
            })
        })?;
        let given = given as u64;
        let total = (!search.total.is_empty()).then(|| values::number(value, &path(&search.total))).flatten();
        let current = page_number(query, self.first_page())?;
        let step = if search.paging == Paging::Page { 1 } else { given };
        let reached = match search.paging {
            Paging::Page => current.saturating_mul(u64::from(self.page_size())),
            _ => current - self.first_page() + given,
        };
        let has_more = search.paging != Paging::None && given > 0 && total.is_none_or(|total| reached < total);
        Ok(SourcePage { hits, total, next: has_more.then(|| (current + step).to_string()) })
    }
}

/// Components of a path; an empty path is the value itself.
fn path(name: &str) -> Vec<&str> {
    name.split('.').filter(|part| !part.is_empty()).collect()
}

/// `template` with each placeholder replaced once; values are not expanded again.
fn replace(template: &str, values: &[(&str, &str)], encode: impl Fn(&str) -> String) -> String {
    let mut expanded = String::new();
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        expanded.push_str(&rest[..open]);
        rest = &rest[open..];
        match values.iter().find(|(mark, _)| rest.starts_with(mark)) {
            Some((mark, value)) => {
                expanded.push_str(&encode(value));
                rest = &rest[mark.len()..];
            }
            None => {
                expanded.push('{');
                rest = &rest[1..];
            }
        }
    }
    expanded + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_wrong_path_of_the_list_is_named() {
        let search = JsonSearch { hits: "data.items".into(), total: "found".into(), ..JsonSearch::default() };
        let check = |value: Value| Search(search.clone()).check_list(&value, &path(&search.hits));
        assert_eq!(check(json!({"data": {"items": []}})), Ok(()));
        assert_eq!(check(json!({"found": 0})), Ok(()), "nothing was found");
        for wrong in [json!({"data": {"results": []}}), json!({"found": 3}), json!([])] {
            assert_eq!(check(wrong), Err(SourceError::NoList("data.items".into())));
        }
    }
}
