//! Teams and the visibility of investigations.

use super::{
    Store,
    accounts::{log_audit, name_key},
    fault::{Fault, defect},
    types::{Moment, id_list},
};
use async_trait::async_trait;
use domain::{
    CollectionId, InvestigationId, TeamId, UserId,
    team::{Team, TeamInvitation, TeamMember},
    visibility::{InvestigationAccess, Visibility},
};
use engine::{
    StoreResult,
    accounts::AuditEntry,
    teams::{TeamChange, Teams},
};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Condition for investigations `i` whose visibility includes the person of the parameter; for none without a person.
#[macro_export]
macro_rules! includes {
    ($person:literal) => {
        concat!(
            "(",
            $person,
            " is not null and exists (select 1 from investigation_visibility v
                where v.investigation_id = coalesce(i.parent_id, i.id)
                and (v.team_id is null
                     or exists (select 1 from team_members m where m.team_id = v.team_id and m.user_id = ",
            $person,
            "))))"
        )
    };
}
pub use crate::includes;

/// Condition for assessments `a` that the person of the parameter reads: by all their collections, or by the visibility of the report.
#[macro_export]
macro_rules! read_assessment {
    ($person:literal) => {
        concat!(
            "((exists (select 1 from investigations i join collections c on c.id = i.collection_id
                        where i.id = a.investigation_id and ",
            $crate::read_by!($person),
            ") and not exists (select 1 from assessment_collections k left join collections c on c.id = k.collection_id
                                where k.assessment_id = a.id and (c.id is null or not ",
            $crate::read_by!($person),
            "))) or exists (select 1 from investigations i where i.id = a.investigation_id and ",
            $crate::includes!($person),
            "))"
        )
    };
}

/// Tables and condition for the finished reports that others opened to a team of the person or to everybody: the investigation `i`, its
/// owner `o` and its visibility `v`. Reports that were opened before the time was recorded are left out.
#[macro_export]
macro_rules! shared_reports {
    ($person:literal) => {
        concat!(
            "from investigation_visibility v
             join investigations i on i.id = v.investigation_id
             join users o on o.id = i.owner
             where i.owner <> ",
            $person,
            " and i.status = 'completed' and v.shared_at is not null
               and (v.team_id is null
                    or exists (select 1 from team_members m where m.team_id = v.team_id and m.user_id = ",
            $person,
            "))"
        )
    };
}

/// Tables and condition for the changes `c` of members, of teams `t` of the person or of teams that a collection of theirs is open to.
#[macro_export]
macro_rules! team_changes {
    ($person:literal) => {
        concat!(
            "from team_changes c join teams t on t.id = c.team_id join users p on p.id = c.user_id where c.user_id <> ",
            $person,
            " and (exists (select 1 from team_members m where m.team_id = c.team_id and m.user_id = ",
            $person,
            ") or exists (select 1 from collection_teams x join collections y on y.id = x.collection_id
                           where x.team_id = c.team_id and y.owner = ",
            $person,
            "))"
        )
    };
}

/// Kind of the visibility of an investigation with the collection `c` and the visibility `v`, if it has one. Without it the team counts
/// that the collection is opened to.
macro_rules! visibility_kind {
    () => {
        "case when c.kind <> 'private' then 'workspace' when v.investigation_id is not null and v.team_id is null then 'workspace'
              when v.team_id is not null or exists (select 1 from collection_teams o where o.collection_id = c.id) then 'team'
              else 'private' end"
    };
}
pub(super) use visibility_kind;

const ACCESS: &str = concat!(
    "select i.id, i.owner, u.name as owner_name, t.id as team_id, t.name as team_name, ",
    visibility_kind!(),
    " as kind, v.investigation_id is null and o.team_id is not null as is_by_collection, c.kind <> 'private' as is_fixed,
     exists (select 1 from archived_investigations z where z.investigation_id = i.id) as is_archived, ",
    includes!("$2"),
    " as includes_reader
     from investigations i join users u on u.id = i.owner join collections c on c.id = i.collection_id
     left join investigation_visibility v on v.investigation_id = coalesce(i.parent_id, i.id)
     left join collection_teams o on o.collection_id = i.collection_id and v.investigation_id is null
     left join teams t on t.id = coalesce(v.team_id, o.team_id)
     where i.id in (select unhex(value) from json_each($1))"
);

/// Selects teams with their members, one row for each, and one for a team without any.
const TEAMS: &str = "select t.id, t.name, t.created_by, t.created_at, u.id as member, u.name as member_name, u.disabled
     from teams t left join team_members m on m.team_id = t.id left join users u on u.id = m.user_id
     where $1 is null or t.created_by = $1
        or exists (select 1 from team_members o where o.team_id = t.id and o.user_id = $1)
     order by t.name_key, u.name_key";

const INVITATIONS: &str = "select i.team_id, t.name as team_name, i.user_id, u.name as person_name, b.name as by_name, i.invited_at
     from team_invitations i join teams t on t.id = i.team_id join users u on u.id = i.user_id join users b on b.id = i.invited_by
     where $1 is null or i.user_id = $1 or t.created_by = $1
     order by t.name_key, u.name_key";

#[derive(sqlx::FromRow)]
struct InvitationRow {
    team_id: Uuid,
    team_name: String,
    user_id: Uuid,
    person_name: String,
    by_name: String,
    invited_at: Moment,
}

impl InvitationRow {
    fn invitation(self) -> TeamInvitation {
        TeamInvitation {
            team: TeamId(self.team_id),
            team_name: self.team_name,
            person: UserId(self.user_id),
            person_name: self.person_name,
            by_name: self.by_name,
            at: self.invited_at.0,
        }
    }
}

#[derive(sqlx::FromRow)]
struct TeamRow {
    id: Uuid,
    name: String,
    created_by: Uuid,
    created_at: Moment,
}

impl TeamRow {
    fn team(self) -> Team {
        let (id, created_by) = (TeamId(self.id), UserId(self.created_by));
        Team { id, name: self.name, created_by, created_at: self.created_at.0 }
    }
}

#[derive(sqlx::FromRow)]
struct MemberRow {
    #[sqlx(flatten)]
    team: TeamRow,
    member: Option<Uuid>,
    member_name: Option<String>,
    disabled: Option<bool>,
}

#[derive(sqlx::FromRow)]
struct AccessRow {
    id: Uuid,
    owner: Uuid,
    owner_name: String,
    team_id: Option<Uuid>,
    team_name: Option<String>,
    kind: String,
    is_by_collection: bool,
    is_fixed: bool,
    is_archived: bool,
    includes_reader: bool,
}

impl AccessRow {
    fn access(self) -> Result<(InvestigationId, InvestigationAccess), Fault> {
        let visibility = match (self.kind.as_str(), self.team_id) {
            ("private", _) => Visibility::Private,
            ("workspace", _) => Visibility::Workspace,
            ("team", Some(id)) => Visibility::Team(TeamId(id)),
            (other, _) => return Err(defect("visibility", other)),
        };
        let access = InvestigationAccess {
            owner: UserId(self.owner),
            owner_name: self.owner_name,
            visibility,
            team: self.team_name,
            is_by_collection: self.is_by_collection,
            includes_reader: self.includes_reader,
            is_fixed: self.is_fixed,
            is_archived: self.is_archived,
        };
        Ok((InvestigationId(self.id), access))
    }
}

/// Groups the rows of a team, which follow one another.
fn grouped(rows: Vec<MemberRow>) -> Vec<(Team, Vec<TeamMember>)> {
    let mut teams: Vec<(Team, Vec<TeamMember>)> = vec![];
    for MemberRow { team, member, member_name, disabled } in rows {
        let member = member.zip(member_name);
        let member = member.map(|(id, name)| TeamMember { id: UserId(id), name, is_disabled: disabled.unwrap_or_default() });
        match teams.last_mut().filter(|(last, _)| last.id.0 == team.id) {
            Some((_, members)) => members.extend(member),
            None => teams.push((team.team(), member.into_iter().collect())),
        }
    }
    teams
}

#[async_trait]
impl Teams for Store {
    async fn add_team(&self, team: &Team, entry: &AuditEntry) -> StoreResult<bool> {
        write!(self, conn => {
            let added = execute!(conn,
                "insert into teams (id, name, name_key, created_by, created_at) values ($1, $2, $3, $4, $5)
                 on conflict (name_key) do nothing";
                team.id.0, &team.name, name_key(&team.name), team.created_by.0, Moment(team.created_at));
            let is_added = added.rows_affected() == 1;
            if is_added {
                execute!(conn, "insert into team_members (team_id, user_id) values ($1, $2)"; team.id.0, team.created_by.0);
                log_audit!(conn, entry);
            }
            is_added
        })
    }

    async fn change_team(&self, id: TeamId, change: &TeamChange, entry: &AuditEntry) -> StoreResult<bool> {
        let moved = match change {
            TeamChange::Add(user) | TeamChange::Accept(user) => Some((user.0, "joined")),
            TeamChange::Remove(user) => Some((user.0, "left")),
            TeamChange::Rename(_) | TeamChange::Invite { .. } | TeamChange::Decline(_) | TeamChange::Delete => None,
        };
        write!(self, conn => {
            let changed = match change {
                TeamChange::Rename(name) => execute!(conn, "update teams set name = $2, name_key = $3 where id = $1
                     and not exists (select 1 from teams o where o.name_key = $3 and o.id <> $1)"; id.0, name, name_key(name)),
                TeamChange::Add(user) => execute!(conn,
                    "insert into team_members (team_id, user_id) select t.id, u.id from teams t join users u on u.id = $2
                     where t.id = $1 on conflict (team_id, user_id) do nothing"; id.0, user.0),
                TeamChange::Invite { person, by } => execute!(conn,
                    "insert into team_invitations (team_id, user_id, invited_by, invited_at)
                     select t.id, u.id, $3, $4 from teams t join users u on u.id = $2 where t.id = $1
                     and not exists (select 1 from team_members m where m.team_id = t.id and m.user_id = u.id)
                     on conflict (team_id, user_id) do nothing"; id.0, person.0, by.0, Moment(entry.at)),
                TeamChange::Accept(user) => execute!(conn, "insert into team_members (team_id, user_id)
                     select i.team_id, i.user_id from team_invitations i where i.team_id = $1 and i.user_id = $2
                     on conflict (team_id, user_id) do nothing"; id.0, user.0),
                TeamChange::Decline(user) => {
                    execute!(conn, "delete from team_invitations where team_id = $1 and user_id = $2"; id.0, user.0)
                }
                TeamChange::Remove(user) => {
                    execute!(conn, "delete from team_members where team_id = $1 and user_id = $2"; id.0, user.0)
                }
                TeamChange::Delete => execute!(conn, "delete from teams where id = $1"; id.0),
            };
            let is_changed = changed.rows_affected() > 0;
            if is_changed {
                log_audit!(conn, entry);
            }
            if let Some((user, change)) = moved.filter(|_| is_changed) {
                execute!(conn, "delete from team_invitations where team_id = $1 and user_id = $2"; id.0, user);
                execute!(conn, "insert into team_changes (team_id, user_id, change, changed_at) values ($1, $2, $3, $4)
                     on conflict (team_id, user_id, changed_at) do nothing"; id.0, user, change, Moment(entry.at));
            }
            is_changed
        })
    }

    async fn invitations(&self, of: Option<UserId>) -> StoreResult<Vec<TeamInvitation>> {
        read!(self, conn => {
            let rows: Vec<InvitationRow> = rows!(conn.fetch_all, INVITATIONS; of.map(|of| of.0));
            rows.into_iter().map(InvitationRow::invitation).collect()
        })
    }

    async fn team(&self, id: TeamId) -> StoreResult<Option<Team>> {
        read!(self, conn => {
            let row: Option<TeamRow> = rows!(conn.fetch_optional,
                "select id, name, created_by, created_at from teams where id = $1"; id.0);
            row.map(TeamRow::team)
        })
    }

    async fn teams(&self, of: Option<UserId>) -> StoreResult<Vec<(Team, Vec<TeamMember>)>> {
        read!(self, conn => {
            let rows: Vec<MemberRow> = rows!(conn.fetch_all, TEAMS; of.map(|of| of.0));
            grouped(rows)
        })
    }

    async fn open_collection(&self, id: CollectionId, team: Option<TeamId>, entry: &AuditEntry) -> StoreResult<()> {
        write!(self, conn => {
            match team {
                None => execute!(conn, "delete from collection_teams where collection_id = $1"; id.0),
                Some(team) => execute!(conn, "insert into collection_teams (collection_id, team_id) values ($1, $2)
                     on conflict (collection_id) do update set team_id = excluded.team_id"; id.0, team.0),
            };
            log_audit!(conn, entry);
        })
    }

    async fn opened_collections(&self) -> StoreResult<BTreeMap<CollectionId, TeamId>> {
        read!(self, conn => {
            let rows: Vec<(Uuid, Uuid)> = rows!(conn.fetch_all, "select collection_id, team_id from collection_teams");
            rows.into_iter().map(|(collection, team)| (CollectionId(collection), TeamId(team))).collect()
        })
    }

    async fn set_visibility(&self, id: InvestigationId, visibility: Visibility, entry: &AuditEntry) -> StoreResult<()> {
        write!(self, conn => {
            match visibility {
                Visibility::Private => execute!(conn, "delete from investigation_visibility where investigation_id = $1"; id.0),
                Visibility::Workspace | Visibility::Team(_) => {
                    let team = if let Visibility::Team(team) = visibility { Some(team.0) } else { None };
                    execute!(conn,
                        "insert into investigation_visibility (investigation_id, team_id, shared_at) values ($1, $2, $3)
                         on conflict (investigation_id) do update
                         set team_id = excluded.team_id, shared_at = excluded.shared_at"; id.0, team, Moment(entry.at))
                }
            };
            log_audit!(conn, entry);
        })
    }

    async fn access(
        &self,
        ids: &[InvestigationId],
        reader: UserId,
    ) -> StoreResult<BTreeMap<InvestigationId, InvestigationAccess>> {
        read!(self, conn => {
            let rows: Vec<AccessRow> = rows!(conn.fetch_all, ACCESS; id_list(ids.iter().map(|id| id.0)), reader.0);
            rows.into_iter().map(AccessRow::access).collect::<Result<_, Fault>>()?
        })
    }
}
