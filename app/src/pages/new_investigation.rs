//! The question form: question, documents, next steps.

use super::{Visit, number, query, render_page};
use crate::{
    AppError,
    format::{self, as_text},
    islands::FileChoice,
    parts::{Frame, NavItem, NoticeBanner, Rejected, RunPreviewNote, VisibilityFields},
};
use domain::{
    InvestigationId,
    investigation::{FollowKind, WebAccess},
    user::{Action, User},
    visibility::{Visibility, VisibilityKind},
};
use leptos::prelude::*;
use leptos_meta::Title;
use views::{NewInvestigationView, RunPreview};

#[server]
async fn load_new_investigation(
    unread: Option<String>,
    rejected: u64,
) -> Result<Visit<(NewInvestigationView, RunPreview)>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let unread = unread.and_then(|id| id.parse().ok());
    let preview = crate::session::settings()?.preview(&viewer).await?;
    let page = (engine.new_investigation_view(&viewer, crate::session::server_folders(), unread, rejected).await?, preview);
    Ok(Visit { viewer, page })
}

#[component]
pub fn NewInvestigationPage() -> impl IntoView {
    let values = FormValues {
        draft: query("draft").unwrap_or_default(),
        addresses: query("addresses").unwrap_or_default(),
        web: query("web").as_deref().and_then(WebAccess::parse),
        error: query("error"),
        unread: query("unread"),
        follows: query("follows"),
        kind: query("kind"),
        visibility: query("visibility").as_deref().and_then(Visibility::parse),
    };
    let (unread, rejected) = (values.unread.clone(), number("rejected"));
    let load = async move {
        let visit = load_new_investigation(unread, rejected).await?;
        if visit.viewer.role.may(Action::Investigate) {
            return Ok(visit);
        }
        let message = "Readers cannot start investigations. Ask an administrator for the role analyst.";
        Err(AppError::not_allowed(message))
    };
    render_page(load, move |Visit { viewer, page: (page, preview) }| {
        view! { <PageBody viewer page preview values /> }.into_any()
    })
}

/// Values of a refused question form.
#[derive(Default)]
pub(super) struct FormValues {
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
}

impl FormValues {
    /// The address of it again, for the pages of that list.
    fn fields(&self) -> Vec<(&'static str, String)> {
        let fields = [
            ("draft", Some(self.draft.clone())),
            ("addresses", Some(self.addresses.clone())),
            ("web", self.web.map(|web| web.as_str().to_owned())),
            ("error", self.error.clone()),
            ("unread", self.unread.clone()),
            ("follows", self.follows.clone()),
            ("kind", self.kind.clone()),
            ("visibility", self.visibility.map(|visibility| visibility.to_string())),
        ];
        fields.into_iter().filter_map(|(name, value)| Some((name, value.filter(|value| !value.is_empty())?))).collect()
    }
}

#[component]
pub(super) fn PageBody(viewer: User, page: NewInvestigationView, preview: RunPreview, values: FormValues) -> impl IntoView {
    let NewInvestigationView {
        documents,
        folders,
        web: web_of_server,
        has_private_files,
        rejected,
        teams,
        visibility: configured,
    } = page;
    let fields = values.fields();
    let FormValues { draft, addresses, web, error, follows, kind, visibility, .. } = values;
    let first = if configured == VisibilityKind::Workspace { Visibility::Workspace } else { Visibility::Private };
    let beside = beside(documents);
    view! {
        <Title text="New investigation" />
        <Frame viewer nav=NavItem::NewInvestigation>
            <h1>"New investigation"</h1>
            <NoticeBanner code=error />
            <Rejected page=rejected address="/investigations/new".to_owned() fields />
            <div class="with-margin">
                <form method="post" action="/investigations" enctype="multipart/form-data" class="form form-wide">
                    <Followed follows kind />
                    <div class="field">
                        <label for="question">"Question"</label>
                        <textarea id="question" name="question" rows="3" required autofocus aria-describedby="question-hint">{as_text(&draft)}</textarea>
                        <p class="hint" id="question-hint">"One specific question. Name who, where and when: “Who was behind the Sivas bombing in December 2016?”"</p>
                    </div>
                    <fieldset class="field">
                        <legend>"Sources for this question"</legend>
                        <FileChoice />
                        <label for="addresses">"Web pages"</label>
                        <textarea id="addresses" name="addresses" rows="2" spellcheck="false" autocapitalize="off" placeholder="https://example.org/report" aria-describedby="addresses-hint">{as_text(&addresses)}</textarea>
                        <p class="hint" id="addresses-hint">"One address per line. Pages that block robots are skipped."</p>
                        <Folders folders />
                        <p class="hint">"Files: text, Markdown, HTML, PDF, e-mail (.eml, .mbox), and zip archives of these. " {beside}</p>
                    </fieldset>
                    <StayOffWeb of_server=web_of_server chosen=web has_private_files />
                    <VisibilityFields teams chosen=visibility.unwrap_or(first) />
                    <button type="submit">"Start the investigation"</button>
                </form>
                <aside aria-labelledby="next-title">
                    <h2 id="next-title">"What happens next"</h2>
                    <ol class="plain-steps">
                        <li><strong>"Files and pages"</strong>" are read and kept private. Unreadable ones are listed with the reason."</li>
                        <li><strong>"The analyst agent"</strong>" checks what is already known and plans the reading."</li>
                        <li><strong>"Reader agents"</strong>" extract claims with their quotes."</li>
                        <li><strong>"The assessment"</strong>" says what is likely, why, with what confidence, and what is missing. You can follow it live."</li>
                    </ol>
                    <RunPreviewNote preview />
                </aside>
            </div>
        </Frame>
    }
    .into_any()
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
            <label for="folder">"Folder on the server"</label>
            <select id="folder" name="folder">
                <option value="">"None"</option>
                {options}
            </select>
        }
    })
}

/// Switch that keeps the agents of a question off the web.
#[component]
fn StayOffWeb(of_server: WebAccess, chosen: Option<WebAccess>, has_private_files: bool) -> impl IntoView {
    if of_server == WebAccess::Off {
        return view! { <p class="hint">"The web is switched off on this server. Agents read only documents of the library."</p> }.into_any();
    }
    let choices = [(None, "When private files are used"), (Some(WebAccess::Off), "Yes"), (Some(WebAccess::On), "No")];
    let options = choices.map(|(web, words)| {
        view! { <option value=web.map_or("", WebAccess::as_str) selected={web == chosen}>{words}</option> }
    });
    let private = has_private_files.then_some(" You have private files in the library, so it stays off unless you choose No.");
    view! {
        <div class="field">
            <label for="web">"Stay off the web"</label>
            <select id="web" name="web" aria-describedby="web-hint">{options.collect_view()}</select>
            <p class="hint" id="web-hint">
                "Off the web, agents open no page and search no source. Web pages that you name above are still read once." {private}
            </p>
        </div>
    }
    .into_any()
}

/// Returns a hint on what is read without an upload.
fn beside(documents: u64) -> String {
    match documents {
        0 => "Your library is empty. Add a file or a web page, or turn on a source.".to_owned(),
        count => {
            let library = format::count(count, "document", "documents");
            format!("Without files, it uses the {library} in the library and the sources that are on.")
        }
    }
}
