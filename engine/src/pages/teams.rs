//! View models of teams, and of owner and visibility on other pages.

use crate::{
    Engine, StoreResult,
    teams::{self, may_change},
};
use domain::{
    Collection, CollectionId, CollectionKind, DocumentId, InvestigationId, Scope,
    assessment::Assessment,
    team::{Team, TeamMember},
    user::{Action, User},
    visibility::{InvestigationAccess, Visibility},
};
use std::collections::{BTreeMap, BTreeSet};
use views::{
    CollectionReaders,
    teams::{Access, TeamLine, TeamsView, VisibilityForm},
};

impl Engine {
    /// Returns the teams that `viewer` is a member of or created; for an administrator all.
    pub async fn teams_view(&self, viewer: &User) -> StoreResult<TeamsView> {
        let of = (!viewer.role.may(Action::ManageUsers)).then_some(viewer.id);
        let found = self.teams.teams(of).await?.into_iter();
        let opened = self.teams.opened_collections().await?;
        let mut read = self.accounts.collections_of(viewer.id).await?;
        read.sort_by(|a, b| (&a.name, a.id).cmp(&(&b.name, b.id)));
        let invitations = self.teams.invitations(of).await?;
        let invited = |team: &Team| invitations.iter().filter(|one| one.team == team.id).cloned().collect();
        let collections = |team: &Team| {
            let of_team = read.iter().filter(|collection| opened.get(&collection.id) == Some(&team.id));
            of_team.map(|collection| (collection.id, collection.name.clone())).collect()
        };
        let line = |(team, members): (Team, Vec<TeamMember>)| TeamLine {
            may_manage: team.is_managed_by(viewer),
            collections: collections(&team),
            invited: if team.is_managed_by(viewer) { invited(&team) } else { vec![] },
            team,
            members,
        };
        let teams = found.map(line).collect();
        let invitations = invitations.into_iter().filter(|one| one.person == viewer.id).collect();
        Ok(TeamsView { teams, invitations, may_create: viewer.role.may(Action::Investigate) })
    }

    /// Returns owner and visibility of investigations.
    pub(super) async fn access_of(
        &self,
        viewer: &User,
        ids: &[InvestigationId],
    ) -> StoreResult<BTreeMap<InvestigationId, InvestigationAccess>> {
        if ids.is_empty() { Ok(BTreeMap::new()) } else { self.teams.access(ids, viewer.id).await }
    }

    /// Returns the form that changes the visibility of an investigation, where `viewer` may.
    pub(super) async fn visibility_form(
        &self,
        viewer: &User,
        id: InvestigationId,
        access: Option<&InvestigationAccess>,
    ) -> StoreResult<Option<VisibilityForm>> {
        let Some(access) = access.filter(|access| may_change(viewer, access)) else { return Ok(None) };
        let is_mine = access.owner == viewer.id;
        let by_collection = access.team.clone().filter(|_| access.is_by_collection);
        let chosen = if access.is_by_collection { Visibility::Private } else { access.visibility };
        Ok(Some(VisibilityForm { id, chosen, by_collection, is_mine, teams: teams::choices(self, viewer).await? }))
    }

    /// Returns the form that opens a collection to a team, where `viewer` may.
    pub(super) async fn collection_readers(&self, viewer: &User, id: CollectionId) -> StoreResult<Option<CollectionReaders>> {
        let found = self.accounts.collection(id).await?;
        let is_own = |found: &Collection| found.kind == CollectionKind::Private && found.is_edited_by(viewer);
        let Some(collection) = found.filter(is_own) else { return Ok(None) };
        let team = self.teams.opened_collections().await?.remove(&id);
        let mut teams = teams::choices(self, viewer).await?;
        // A team that the owner has left still reads.
        if let Some(team) = team.filter(|team| teams.iter().all(|choice| choice.id != *team)) {
            teams.extend(self.teams.team(team).await?);
        }
        Ok(Some(CollectionReaders { id, name: collection.name, team, teams }))
    }

    /// Returns the cited documents outside the scope.
    pub(super) async fn closed_documents(&self, scope: &Scope, assessment: &Assessment) -> StoreResult<BTreeSet<DocumentId>> {
        let cited: BTreeSet<DocumentId> = assessment.cited().into_iter().collect();
        let open = self.documents.documents(scope, &Vec::from_iter(cited.iter().copied())).await?;
        let open: BTreeSet<DocumentId> = open.into_iter().map(|document| document.id).collect();
        Ok(&cited - &open)
    }
}

/// Returns owner and visibility for a page of `viewer`.
pub(super) fn access(viewer: &User, found: InvestigationAccess) -> Access {
    let InvestigationAccess { owner, owner_name, visibility, team, .. } = found;
    Access { is_mine: owner == viewer.id, owner, owner_name, visibility, team }
}
