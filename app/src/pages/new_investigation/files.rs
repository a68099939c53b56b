//! File inputs of the question form.

use crate::prelude::*;
use leptos::attr::custom::custom_attribute;

/// Two inputs, for files and for a folder. A script (`public/files.js`) names beside each what was put into it.
#[component]
pub(super) fn FileChoice() -> impl IntoView {
    let chosen = |input: &'static str| view! { <div class="chosen" data-files-of=input aria-live="polite"></div> };
    view! {
        <div class="drops">
            <div class="drop">
                <label for="files">
                    <strong>"Files"</strong>
                    <span>"Drop files here, or choose"</span>
                </label>
                <input id="files" name="files" type="file" multiple />
                {chosen("files")}
            </div>
            <div class="drop">
                <label for="folder">
                    <strong>"Folder"</strong>
                    <span>"Including subfolders"</span>
                </label>
                <input id="folder" name="folder" type="file" multiple {..custom_attribute("webkitdirectory", "")} />
                {chosen("folder")}
            </div>
        </div>
        <script type="module" src="/files.js"></script>
    }
}
