//! View models of watched indicators and notifications.

use crate::{Engine, StoreResult, watching::WatchEntry};
use domain::{ClaimId, DocumentId, WatchId, claim::Claim, document::Document, notification::NotificationKind, user::User};
use std::collections::{BTreeSet, HashMap};
use views::{MatchLine, NotificationsView, WatchLine, WatchingView};

impl Engine {
    /// Returns the indicators that `viewer` watches, with the claims that match.
    pub async fn watching_view(&self, viewer: &User) -> StoreResult<WatchingView> {
        let scope = self.visible(viewer).await?.scope;
        let entries = self.watchlist.watches(&scope, viewer.id).await?;
        let found = self.watchlist.matches(viewer.id, self.config.pages.watch_matches).await?;
        let ids: BTreeSet<ClaimId> = found.iter().map(|one| one.claim).collect();
        let claims = if ids.is_empty() { vec![] } else { self.graph.claims(&scope, &Vec::from_iter(ids)).await? };
        let ids: BTreeSet<DocumentId> = claims.iter().map(|claim| claim.document_id).collect();
        let documents = if ids.is_empty() { vec![] } else { self.documents.documents(&scope, &Vec::from_iter(ids)).await? };
        let claims: HashMap<ClaimId, Claim> = claims.into_iter().map(|claim| (claim.id, claim)).collect();
        let documents: HashMap<DocumentId, Document> = documents.into_iter().map(|one| (one.id, one)).collect();
        let mut matches: HashMap<WatchId, Vec<MatchLine>> = HashMap::new();
        for one in found {
            let Some(claim) = claims.get(&one.claim).cloned() else { continue };
            let Some(document) = documents.get(&claim.document_id) else { continue };
            let (source, document_title) = (document.source_name().to_owned(), document.title.clone());
            matches.entry(one.watch).or_default().push(MatchLine { claim, source, document_title, found_at: one.found_at });
        }
        let line = |WatchEntry { watch, question }| WatchLine {
            matches: matches.remove(&watch.id).unwrap_or_default(),
            question,
            watch,
        };
        Ok(WatchingView { lines: entries.into_iter().map(line).collect() })
    }

    /// Returns the newest notifications of `viewer`, and records that they were looked at.
    pub async fn notifications_view(&self, viewer: &User) -> StoreResult<NotificationsView> {
        let now = self.clock.now();
        let mut found = self.watchlist.notifications(viewer.id, self.config.pages.notifications).await?;
        // The words of an indicator are those of its report, which may have been closed to the viewer.
        if found.iter().any(|one| matches!(one.kind, NotificationKind::Matched { .. })) {
            let watches = self.watchlist.watches(&self.read_scope(viewer).await?, viewer.id).await?;
            let open: BTreeSet<WatchId> = watches.into_iter().map(|entry| entry.watch.id).collect();
            found.retain(|one| !matches!(one.kind, NotificationKind::Matched { watch, .. } if !open.contains(&watch)));
        }
        let last = match viewer.visits.unseen {
            0 => Some(now),
            _ => self.watchlist.look_at_notifications(viewer.id, now).await?,
        };
        let since = last.unwrap_or(viewer.created_at);
        let notifications = found.into_iter().map(|one| (one.at > since, one)).map(|(is_new, one)| (one, is_new));
        Ok(NotificationsView { notifications: notifications.collect(), now })
    }
}
