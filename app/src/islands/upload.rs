//! File inputs of the question form, with a list of the chosen files. They work without JavaScript.

use super::browser::{self, ChosenFile};
use crate::format;
use leptos::{attr::custom::custom_attribute, html::Input, prelude::*};

/// How many of the chosen files are named.
const NAMED_FILES: usize = 6;

/// Two inputs, for files and for a folder, that name what was put into them.
#[island]
pub fn FileChoice() -> impl IntoView {
    let files = RwSignal::new(vec![]);
    let folder = RwSignal::new(vec![]);
    let (files_input, folder_input) = (NodeRef::<Input>::new(), NodeRef::<Input>::new());
    // Files chosen before hydration, or kept by the browser after navigating back.
    Effect::new(move || {
        for (input, chosen) in [(files_input, files), (folder_input, folder)] {
            if let Some(input) = input.get() {
                chosen.set(browser::files_in(&input));
            }
        }
    });
    view! {
        <div class="drops">
            <div class="drop">
                <label for="files">
                    <strong>"Files"</strong>
                    <span>"Drop files here, or choose"</span>
                </label>
                <input node_ref=files_input id="files" name="files" type="file" multiple on:change=move |event| files.set(browser::chosen_files(&event)) />
                <ChosenFiles files />
            </div>
            <div class="drop">
                <label for="folder">
                    <strong>"Folder"</strong>
                    <span>"Including subfolders"</span>
                </label>
                <input
                    node_ref=folder_input
                    id="folder"
                    name="folder"
                    type="file"
                    multiple
                    {..custom_attribute("webkitdirectory", "")}
                    on:change=move |event| folder.set(browser::chosen_files(&event))
                />
                <ChosenFiles files=folder />
            </div>
        </div>
    }
    .into_any()
}

#[component]
fn ChosenFiles(files: RwSignal<Vec<ChosenFile>>) -> impl IntoView {
    let summary = move || {
        let files = files.get();
        let size = files.iter().map(|file| file.size_bytes).sum();
        // How many there are, the input says itself.
        (!files.is_empty()).then(|| format!("{} in all", format::bytes(size)))
    };
    let names = move || {
        let files = files.get();
        let mut names: Vec<_> = files.iter().take(NAMED_FILES).map(|file| file.name.clone()).collect();
        if files.len() > NAMED_FILES {
            names.push(format!("… and {} more", files.len() - NAMED_FILES));
        }
        names.into_iter().map(|name| view! { <li>{name}</li> }).collect_view()
    };
    view! {
        <div class="chosen" aria-live="polite">
            <p>{summary}</p>
            <ul>{names}</ul>
        </div>
    }
    .into_any()
}
