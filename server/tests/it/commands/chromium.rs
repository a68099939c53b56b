//! Tests that the browser ends with the program, however that ends.

use super::{
    module::{Service, can_render, remote, service},
    signal,
};
use crate::{prelude::*, routes::sources::site};
use domain::fetch::BrowseRequest;
use engine::browse::Browse;

/// Returns processes whose command line names a folder, except `except`.
fn users_of(folder: &Path, except: u32) -> Vec<u32> {
    let name = folder.to_string_lossy().into_owned();
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok()).filter(|id| *id != except);
    ids.filter(|id| fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|line| String::from_utf8_lossy(&line).contains(&name)))
        .collect()
}

/// Returns a service that has rendered a page; `None` without a browser.
async fn service_with_browser() -> Option<Service> {
    if !can_render() {
        return None;
    }
    let site = site().await;
    let service = service(site, None).await;
    remote(&service, None).render(&BrowseRequest::page(format!("http://127.0.0.1:{site}/fire"))).await.unwrap();
    Some(service)
}

async fn ends_with_its_program(name: &str) {
    let Some(mut service) = service_with_browser().await else { return };
    let (folder, program) = (service.folder.path().to_owned(), service.child.id());
    assert!(!users_of(&folder, program).is_empty(), "no browser runs: there is nothing to see");
    signal(&service.child, name);
    service.child.wait().unwrap();
    let gone = eventually(async || users_of(&folder, program).is_empty()).await;
    assert!(gone, "these outlive the program after {name}: {:?}", users_of(&folder, program));
}

#[tokio::test]
async fn the_browser_ends_with_a_stopped_program() {
    ends_with_its_program("-TERM").await;
}

#[tokio::test]
async fn the_browser_ends_with_a_program_that_is_killed() {
    ends_with_its_program("-KILL").await;
}
