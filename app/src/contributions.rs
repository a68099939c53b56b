//! Additions of features to the pages of the kernel: entries of the navigation, notices, filters, and pieces inside pages.

use crate::{AddedNodes, AddedSource, NoticeAction};
use domain::{
    AssessmentId, ClaimId, DocumentId, EntityId, ObjectId, UserId,
    user::{Action, User},
};
use leptos::prelude::*;
use std::{collections::BTreeSet, future::Future, pin::Pin, sync::Arc};

/// Area of the bar. Tensions and the Monitor are shown where a feature has pages in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Area {
    Assessments,
    Tensions,
    Monitor,
    Explore,
    Library,
}

/// Entry of the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NavEntry {
    pub href: &'static str,
    pub text: &'static str,
    /// Permission without which the entry is not shown.
    pub needs: Option<Action>,
    /// Area in whose second row it stands; none: the account menu.
    pub area: Option<Area>,
    /// Table without whose rows the entry is not shown to people who may not ask questions; none: always shown. The others see it all
    /// the same, because the empty page says how to begin.
    pub rows: Option<&'static str>,
}

impl NavEntry {
    /// An entry in the second row of an area, for everybody.
    pub const fn of_area(area: Area, href: &'static str, text: &'static str) -> Self {
        Self { href, text, needs: None, area: Some(area), rows: None }
    }

    /// An entry of the account menu, for everybody.
    pub const fn of_account(href: &'static str, text: &'static str) -> Self {
        Self { href, text, needs: None, area: None, rows: None }
    }

    /// Shows it only with a permission.
    pub const fn with_right(self, action: Action) -> Self {
        Self { needs: Some(action), ..self }
    }

    /// Shows it to people who may not ask questions only where they read a row of this table.
    pub const fn with_rows(self, table: &'static str) -> Self {
        Self { rows: Some(table), ..self }
    }
}

/// Names of tables of which a person reads a row.
pub type TablesWithRows = BTreeSet<String>;

/// Tables with rows, on their way.
pub type TablesWithRowsFuture = Pin<Box<dyn Future<Output = TablesWithRows> + Send>>;

/// Finds which of the tables that entries name have a row that a person reads. On an error it returns all of them.
#[derive(Clone)]
pub struct NavTables(pub Arc<dyn Fn(UserId, Vec<&'static str>) -> TablesWithRowsFuture + Send + Sync>);

/// Message of a refused form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoticeText {
    /// Value of `error` in the address.
    pub code: &'static str,
    pub message: &'static str,
    pub action: NoticeAction,
}

/// Slot inside a page of the kernel, which features may fill. Slots may be added: a piece returns nothing where it does not belong.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Slot {
    /// The bar of every page. `address` is that of the page.
    Bar { viewer: UserId, address: &'static str },
    /// Below the filters of a page whose state is in its address.
    Filters {
        /// Path of the page without the slash.
        page: &'static str,
        viewer: User,
        /// Query of the address.
        query: String,
        /// Whether the page shows something by its own state.
        is_chosen: bool,
    },
    /// The home page, beside the lists.
    Home { viewer: User },
    /// The bar of actions of a report, on each of its tabs.
    Assessment { viewer: User, assessment: AssessmentId },
    /// The comparison of two versions of a report.
    Comparison { later: AssessmentId },
    /// The exports of a report.
    Exports { assessment: AssessmentId },
    /// An indicator of a report.
    Indicator { viewer: UserId, assessment: AssessmentId, item: String },
    /// The page of an entity, beside its properties.
    Entity { viewer: User, entity: EntityId },
    /// The page of a document, beside its text.
    Document { viewer: User, document: DocumentId },
    /// The page of a claim, beside its quote.
    Claim { viewer: User, claim: ClaimId },
    /// The page of an object that people watch, below its head, or its row. `kind` is the key of the kind; buttons name the title.
    Object { viewer: UserId, kind: &'static str, object: ObjectId, title: String },
    /// The page about a vague question, below its form. `fields` are the other fields of the question form.
    Clarify { question: String, fields: Vec<(&'static str, String)> },
    /// The page of a person's interests, below their list.
    Interests { viewer: User },
    /// The page of a person's account, below its forms.
    Account { viewer: User },
    /// An object that people share by a link, beside its other actions. `kind` is the key of the kind.
    Share { viewer: User, kind: &'static str, object: String },
}

impl Slot {
    /// Kind of assessments, among the objects that people share.
    pub const ASSESSMENT: &'static str = "assessment";
    /// Kind of the comparisons of two assessments.
    pub const COMPARISON: &'static str = "comparison";
    /// Kind of saved graph views.
    pub const GRAPH_VIEW: &'static str = "graph_view";
}

/// Piece of a feature: draws itself in the slots that it fills.
pub type Piece = fn(&Slot) -> Option<AnyView>;

/// Ids of the assessments that a filter selects for a person.
pub type SelectedAssessments = Pin<Box<dyn Future<Output = engine::StoreResult<Vec<AssessmentId>>> + Send>>;

/// Filter that a feature adds to the list of assessments. `select` runs in the context of the page.
#[derive(Debug, Clone, Copy)]
pub struct AddedFilter {
    /// Field of the address; its value is `me`.
    pub field: &'static str,
    pub label: &'static str,
    pub choice: &'static str,
    pub select: fn(UserId) -> SelectedAssessments,
}

/// Additions of all features. A cheap clone, in the context of every page.
#[derive(Clone, Default)]
pub struct Contributions {
    pub nav: Arc<[NavEntry]>,
    pub notices: Arc<[NoticeText]>,
    pub filters: Arc<[AddedFilter]>,
    pub pieces: Arc<[Piece]>,
    pub sources: Arc<[AddedSource]>,
    pub nodes: Arc<[AddedNodes]>,
    /// None where entries are shown without a look at the data.
    pub nav_tables: Option<NavTables>,
}

impl Contributions {
    /// Returns what is added to the page that is rendered.
    pub fn of_page() -> Self {
        use_context().unwrap_or_default()
    }
}

/// Pieces of features in a slot.
#[component]
pub fn Pieces(at: Slot) -> impl IntoView {
    Contributions::of_page().pieces.iter().filter_map(|draw| draw(&at)).collect_view()
}
