//! The question form: question, documents, scope, depth, next steps.

mod depth;
mod files;
mod scope;

use super::{Visit, number, query, render_page};
use crate::{
    format::{self, as_text},
    parts::{Rejected, RunPreviewNote, VisibilityFields},
    prelude::*,
    session::{KEPT, QuestionDraft},
};
use depth::{DepthChoice, ModelChoice};
use domain::{
    investigation::{Depth, FollowKind, Reading, Terms, WebAccess},
    visibility::{Visibility, VisibilityKind},
};
use files::FileChoice;
use scope::{Addresses, Documents, PublicationPeriod, SourcesOn, SwitchForms};
use views::{EarlierQuestion, NewInvestigationView, RunPreview, settings::BUILT_IN_MODEL};

async fn load_new_investigation(
    unread: Option<String>,
    rejected: u64,
    follows: Option<String>,
) -> Result<Visit<(NewInvestigationView, RunPreview)>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let unread = unread.and_then(|id| id.parse().ok());
    let follows = follows.and_then(|id| id.parse().ok());
    let preview = crate::session::settings()?.preview(&viewer).await?;
    let page =
        (engine.new_investigation_view(&viewer, crate::session::server_folders(), (unread, rejected), follows).await?, preview);
    Ok(Visit { viewer, page })
}

#[component]
pub fn NewInvestigationPage() -> impl IntoView {
    let is_kept = query(KEPT).is_some();
    let values = FormValues {
        is_kept,
        draft: query("draft").unwrap_or_default(),
        addresses: query("addresses").unwrap_or_default(),
        web: query("web").as_deref().and_then(WebAccess::parse),
        error: query("error"),
        unread: query("unread"),
        follows: query("follows"),
        kind: query("kind"),
        visibility: query("visibility").as_deref().and_then(Visibility::parse),
        reading: query("reading"),
        collections: query("collections"),
        from: query("from"),
        until: query("until"),
        depth: query("depth"),
        model: query("model"),
    };
    let (unread, rejected, follows) = (values.unread.clone(), number("rejected"), values.follows.clone());
    let load = async move {
        let visit = load_new_investigation(unread, rejected, follows).await?;
        let kept = if is_kept { crate::session::question_draft().await } else { None };
        if visit.viewer.role.may(Action::Investigate) {
            return Ok(Visit { viewer: visit.viewer, page: (visit.page, kept) });
        }
        let message = "Readers cannot start investigations. Ask an administrator for the role analyst.";
        Err(AppError::not_allowed(message))
    };
    render_page(load, move |Visit { viewer, page: ((page, preview), kept) }| {
        let values = values.with_kept(kept);
        view! { <PageBody viewer page preview values /> }.into_any()
    })
}

/// Values of a refused question form.
#[derive(Default)]
pub(super) struct FormValues {
    /// The long values are in the session.
    pub is_kept: bool,
    pub draft: String,
    pub addresses: String,
    /// None: off where private files are used.
    pub web: Option<WebAccess>,
    pub error: Option<String>,
    /// Where the files that could not be read are listed.
    pub unread: Option<String>,
    /// Id of the investigation that it continues, and how.
    pub follows: Option<String>,
    pub kind: Option<String>,
    /// None: as configured.
    pub visibility: Option<Visibility>,
    pub reading: Option<String>,
    /// Ids of the chosen collections with commas between them.
    pub collections: Option<String>,
    pub from: Option<String>,
    pub until: Option<String>,
    pub depth: Option<String>,
    pub model: Option<String>,
}

impl FormValues {
    /// Fills in the long values of the session.
    fn with_kept(self, kept: Option<QuestionDraft>) -> Self {
        match kept {
            Some(QuestionDraft { question, addresses, collections }) => {
                Self { draft: question, addresses, collections: Some(collections).filter(|ids| !ids.is_empty()), ..self }
            }
            None => self,
        }
    }

    /// The address of it again, for the pages of that list.
    fn fields(&self) -> Vec<(&'static str, String)> {
        let fields = [
            (KEPT, self.is_kept.then(|| "1".to_owned())),
            ("draft", Some(self.draft.clone()).filter(|_| !self.is_kept)),
            ("addresses", Some(self.addresses.clone()).filter(|_| !self.is_kept)),
            ("web", self.web.map(|web| web.as_str().to_owned())),
            ("error", self.error.clone()),
            ("unread", self.unread.clone()),
            ("follows", self.follows.clone()),
            ("kind", self.kind.clone()),
            ("visibility", self.visibility.map(|visibility| visibility.to_string())),
            ("reading", self.reading.clone()),
            ("collections", self.collections.clone().filter(|_| !self.is_kept)),
            ("from", self.from.clone()),
            ("until", self.until.clone()),
            ("depth", self.depth.clone()),
            ("model", self.model.clone()),
        ];
        fields.into_iter().filter_map(|(name, value)| Some((name, value.filter(|value| !value.is_empty())?))).collect()
    }

    /// The address of the form with these values, without the notice of a refusal.
    fn address(&self) -> String {
        let is_kept = |(name, _): &(&'static str, String)| !["error", "unread"].contains(name);
        format!("/investigations/new?{}", format::query_string(self.fields().into_iter().filter(is_kept)))
    }
}

#[component]
pub(super) fn PageBody(viewer: User, page: NewInvestigationView, preview: RunPreview, values: FormValues) -> impl IntoView {
    let fields = values.fields();
    let again = values.address();
    let (may_switch, has_web) = (viewer.role.may(Action::Configure), page.web == WebAccess::On);
    let chosen = Chosen::new(&values, page.earlier);
    let NewInvestigationView {
        documents,
        folders,
        collections,
        web: web_of_server,
        sources,
        has_private_files,
        rejected,
        teams,
        visibility: configured,
        ..
    } = page;
    let FormValues { draft, addresses, error, follows, kind, .. } = values;
    let first = if configured == VisibilityKind::Workspace { Visibility::Workspace } else { Visibility::Private };
    let Chosen { terms, collections: ticked, from, until, web, model, visibility } = chosen;
    let (is_wrong, estimates) = (error.as_deref() == Some(Notice::BadPeriod.code()), preview.estimates.clone());
    let is_refused = error.is_some();
    let models = offered_models(&preview);
    let (beside, readers) = (beside(documents), visibility.unwrap_or(first));
    let off = (web_of_server == WebAccess::Off).then_some(WebAccess::Off);
    let line = choices_line(terms, readers, off.or(web));
    view! {
        <Title text="Ask" />
        <Frame viewer nav=NavItem::NewInvestigation>
            <h1>"Ask"</h1>
            <NoticeBanner code=error />
            <Rejected page=rejected address="/investigations/new".to_owned() fields />
            <div class="with-margin">
                <form method="post" action="/investigations" enctype="multipart/form-data" class="form form-wide">
                    <Followed follows kind />
                    <div class="field">
                        <label for="question">"Question"</label>
                        <textarea id="question" name="question" rows="2" required autofocus aria-describedby="question-hint">{as_text(&draft)}</textarea>
                        <p class="hint" id="question-hint">"Name who, where and when: “Who was behind the Sivas bombing in December 2016?”"</p>
                    </div>
                    <FileChoice />
                    <button type="submit">"Start the investigation"</button>
                    <details class="ask-choices" open=is_refused>
                        <summary><span>{line}</span> <span class="ask-change">"Change"</span></summary>
                        <div class="form form-wide">
                            <div class="field">
                                <Addresses typed=addresses />
                                <Folders folders />
                                <p class="hint">{FILE_TYPES} " " {beside}</p>
                            </div>
                            <Documents collections reading=terms.reading chosen=ticked />
                            <PublicationPeriod from until is_wrong />
                            <WebChoice of_server=web_of_server chosen=web has_private_files />
                            {has_web.then(|| view! { <SourcesOn sources may_switch /> })}
                            <DepthChoice chosen=terms.depth estimates />
                            <ModelChoice models chosen=model />
                            <VisibilityFields teams chosen=readers />
                        </div>
                    </details>
                </form>
                {(has_web && may_switch).then(|| view! { <SwitchForms next=again /> })}
                <aside aria-labelledby="next-title">
                    <h2 id="next-title">"What happens next"</h2>
                    <ol class="plain-steps">
                        <li>"Files and pages are read and kept private. Unreadable ones are listed with the reason."</li>
                        <li>"Agents plan the reading, and extract claims with their quotes. You can follow it live."</li>
                        <li>"The report opens by itself: what was found, on what evidence, and what is missing."</li>
                    </ol>
                    <RunPreviewNote preview />
                </aside>
            </div>
        </Frame>
    }
    .into_any()
}

/// Choices that the form begins with: those of the address, else those of the question that it continues.
struct Chosen {
    /// Reading and depth; the period is in `from` and `until`, as typed.
    terms: Terms,
    collections: Vec<CollectionId>,
    from: String,
    until: String,
    web: Option<WebAccess>,
    model: Option<String>,
    visibility: Option<Visibility>,
}

impl Chosen {
    fn new(values: &FormValues, earlier: Option<EarlierQuestion>) -> Self {
        // A refused form says what was chosen; the earlier question does not count then.
        let earlier = earlier.filter(|_| values.error.is_none());
        let is_rerun = values.kind.as_deref().and_then(FollowKind::parse) == Some(FollowKind::Rerun);
        let before = earlier.as_ref().map(|earlier| earlier.terms).unwrap_or_default();
        let day = |date: Option<PartialDate>, is_first: bool| {
            let moment = date.map(|date| if is_first { date.first_moment() } else { date.last_moment() });
            moment.map(|moment| moment.to_datetime().format("%Y-%m-%d").to_string()).unwrap_or_default()
        };
        let ids = values.collections.as_deref().unwrap_or_default().split(',').filter_map(|id| id.parse().ok()).collect();
        Self {
            terms: Terms {
                reading: values.reading.as_deref().and_then(Reading::parse).unwrap_or(before.reading),
                depth: values.depth.as_deref().and_then(Depth::parse).unwrap_or(before.depth),
                ..Terms::default()
            },
            collections: earlier.as_ref().map_or(ids, |earlier| earlier.collections.clone()),
            from: values.from.clone().unwrap_or_else(|| day(before.period.from, true)),
            until: values.until.clone().unwrap_or_else(|| day(before.period.until, false)),
            web: values.web.or(earlier.as_ref().map(|earlier| earlier.web)),
            visibility: values.visibility.or(earlier.as_ref().filter(|_| is_rerun).and_then(|earlier| earlier.visibility)),
            model: values.model.clone().or(earlier.and_then(|earlier| earlier.model)),
        }
    }
}

/// Returns the models that a question may name: those of the roles, and the built-in one.
fn offered_models(preview: &RunPreview) -> Vec<String> {
    let mut models: Vec<String> = preview.roles.iter().flat_map(|role| role.models.clone()).collect();
    models.push(BUILT_IN_MODEL.to_owned());
    models.sort_unstable();
    models.dedup();
    models
}

/// Note and fields of a question that continues another.
#[component]
fn Followed(follows: Option<String>, kind: Option<String>) -> impl IntoView {
    let found = follows.and_then(|id| id.parse::<InvestigationId>().ok()).zip(kind.as_deref().and_then(FollowKind::parse));
    found.map(|(id, kind)| {
        let text = match kind {
            FollowKind::FollowUp => "This continues ",
            FollowKind::Rerun => "This is the next version of ",
        };
        view! {
            <p class="hint">{text} <a href=format!("/investigations/{id}")>"an earlier question"</a> "."</p>
            <input type="hidden" name="follows" value=id.to_string() />
            <input type="hidden" name="kind" value=kind.as_str() />
        }
    })
}

/// Choice of a folder on the server, where there are any.
#[component]
fn Folders(folders: Vec<String>) -> impl IntoView {
    (!folders.is_empty()).then(|| {
        let options =
            folders.into_iter().map(|name| view! { <option value=name.clone()>{name.clone()}</option> }).collect_view();
        view! {
            <label for="server-folder">"Folder on the server"</label>
            <select id="server-folder" name="folder">
                <option value="">"None"</option>
                {options}
            </select>
        }
    })
}

/// Choice of whether the agents of a question use the web.
#[component]
fn WebChoice(of_server: WebAccess, chosen: Option<WebAccess>, has_private_files: bool) -> impl IntoView {
    if of_server == WebAccess::Off {
        return view! { <p class="hint">"The web is switched off on this server. Agents read only documents of the library."</p> }.into_any();
    }
    let choices = [(None, "Never with private files"), (Some(WebAccess::Off), "Never"), (Some(WebAccess::On), "Allowed")];
    let options = choices.map(|(web, words)| {
        view! { <option value=web.map_or("", WebAccess::as_str) selected={web == chosen}>{words}</option> }
    });
    let private =
        has_private_files.then_some(" You have private files in the library, so it stays off unless you choose Allowed.");
    view! {
        <div class="field">
            <label for="web">"Web"</label>
            <select id="web" name="web" aria-describedby="web-hint">{options.collect_view()}</select>
            <p class="hint" id="web-hint">
                "Off the web, agents open no page and search no source. Web pages that you name above are still read once." {private}
            </p>
        </div>
    }
    .into_any()
}

/// File types that can be read.
const FILE_TYPES: &str = "Files: text, Markdown, HTML, PDF, e-mail (.eml, .mbox), and zip archives of these.";

/// Returns the choices in one line: `Whole library · private · standard depth · web: allowed`.
fn choices_line(terms: Terms, readers: Visibility, web: Option<WebAccess>) -> String {
    let reading = match terms.reading {
        Reading::Library => "Whole library",
        Reading::Chosen => "Chosen collections",
        Reading::Added => "Only what you add",
    };
    let readers = match readers {
        Visibility::Private => "private",
        Visibility::Workspace => "for everyone",
        Visibility::Team(_) => "for a team",
    };
    let web = match web {
        None => "web: never with private files",
        Some(WebAccess::Off) => "off the web",
        Some(WebAccess::On) => "web: allowed",
    };
    format!("{reading} · {readers} · {} depth · {web}", terms.depth.as_str())
}

/// Returns a hint on what is read without an upload.
fn beside(documents: u64) -> String {
    match documents {
        0 => "Your library is empty. Add a file or a web page, or turn on a source.".to_owned(),
        count => {
            let library = format::count(count, "document", "documents");
            format!("Without files, it uses the {library} of your library and the sources that are on.")
        }
    }
}
