//! Names that most pages and their parts use.

pub(crate) use crate::{
    AppError, Contributions, Notice, Pieces, Slot,
    atoms::{Badge, Cites, Columns, ConfidenceMark, Day, KnownMarkers, MarkedText, SampleBadge, Scale, Tone, WrittenDay},
    format,
    parts::{
        Breadcrumbs, Confirm, EmptyState, FilterSelect, Frame, NavItem, NoticeBanner, PageLinks, PeriodFields, QuestionLine,
        TidyKind, VisibilityAnswer,
        assessment::{EvidencePanels, EvidenceView, FoldedList, ReportContext, Section, Tab, Tabs},
    },
    session::KeptForm,
};
pub(crate) use domain::{
    AssessmentId, CollectionId, DocumentId, EntityId, InvestigationId, PartialDate, Timestamp, UserId,
    assessment::{Assessment, Citation, Marker},
    user::{Action, Role, User},
};
pub(crate) use leptos::prelude::*;
pub(crate) use leptos_meta::Title;
pub(crate) use views::AssessmentView;
