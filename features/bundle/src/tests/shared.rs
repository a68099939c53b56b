//! The bundle that a reader of a public link gets.

use super::{fixture, in_every_format, key, moment};
use crate::{
    file,
    shared::{PORT, redact},
    verify::{Verified, verify},
};
use domain::{
    assessment::QuestionScope,
    investigation::{Reading, Terms},
};
use feature::{BundleRequest, Slot, shareable::PRIVATE_DOCUMENT};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shared_bundle_is_whole_and_has_ids_of_its_link_alone() {
    let fixture = fixture().await;
    let write = async |object: String, salt: &str| {
        let request = BundleRequest { person: fixture.owner.clone(), object, salt: salt.to_owned() };
        (PORT.write)(fixture.site.web.clone(), request).await.unwrap()
    };
    assert_eq!(PORT.kind, Slot::ASSESSMENT);
    let file = write(fixture.assessment.to_string(), "one").await.expect("a bundle");
    let Verified { assessment_id, quotations, without_passage, .. } = verify(file.as_bytes(), None, &[]).unwrap();
    assert_eq!((quotations, without_passage), (3, 0));
    assert_ne!(assessment_id, fixture.assessment);
    let again = write(fixture.assessment.to_string(), "one").await.expect("a bundle");
    assert_eq!(verify(again.as_bytes(), None, &[]).unwrap().assessment_id, assessment_id, "ids of one link stay");
    let other = write(fixture.assessment.to_string(), "two").await.expect("a bundle");
    assert_ne!(verify(other.as_bytes(), None, &[]).unwrap().assessment_id, assessment_id, "links cannot be compared");
    assert_eq!(write("no id".to_owned(), "one").await, None);
    fixture.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_format_of_a_shared_bundle_has_an_id_a_title_or_a_name_of_the_installation() {
    let fixture = fixture().await;
    let mut report = fixture.report().await;
    // A passage that names its file cannot be shown; the quotation stays.
    report.quotations[1].passage.as_mut().expect("a passage").text.push_str(" See gate.md.");
    let terms = Terms { reading: Reading::Chosen, ..Terms::default() };
    report.assessment.scope =
        Some(QuestionScope { terms, collections: vec!["Desk of Ada".into()], ..QuestionScope::off_web() });
    let title = report.quotations[0].title.clone();
    let mut hidden = vec![fixture.assessment.to_string(), fixture.investigation.to_string(), title];
    hidden.extend(["gate.md".to_owned(), "Desk of Ada".to_owned()]);
    for quotation in &report.quotations {
        hidden.extend([quotation.document_id.to_string(), quotation.claim_id.to_string()]);
    }
    redact(&mut report, "salt");
    for (format, text) in in_every_format(&report) {
        for word in &hidden {
            assert!(!text.contains(word), "{format} has {word}");
        }
    }
    assert!(report.quotations.iter().all(|one| one.title == PRIVATE_DOCUMENT));
    let verified = verify(file::write(&report, &key(), moment()).as_bytes(), None, &[]).unwrap();
    assert_eq!((verified.quotations, verified.without_passage), (3, 1));
    fixture.backend.close().await;
}
