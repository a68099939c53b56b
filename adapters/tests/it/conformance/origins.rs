//! Origins of texts: groups of texts that repeat one another, limited to what a reader may know.

use super::prelude::*;
use domain::{Precision, PublicationDate, PublishedBasis, document::Credits};
use engine::{
    graph::resolve::Cascade,
    library::{
        Capture, CreditedDocument, Documents,
        origins::{self, OriginsConfig},
    },
};

const REPORT: &str = "PORT VELL, March 14 - The harbour master ordered the gates of the port shut on Friday, after two barges had run \
    aground in the fog, he told reporters. No ship will leave before Monday, according to a notice that was posted at noon and that \
    names neither the cause nor the cost of the accident. The mayor said that the town had stores for a month and that nobody needed \
    to fear for bread, although prices rose at once. Twelve ships wait outside, three of them with grain for the mills.";
const OTHER: &str = "The railway between the capital and the coast will be closed for a year, the ministry of works announced, because \
    its bridges are older than anybody thought. Buses will run instead, and freight goes by sea while the port is open again.";

/// Three texts of one length, of which the second has seven tenths of the first, and the third of the second: neighbours are near, the
/// ends are not.
fn chain() -> [String; 3] {
    let words: Vec<String> = REPORT.split_whitespace().map(str::to_owned).collect();
    let tenth = words.len() / 10;
    let whole: Vec<String> = words.into_iter().chain((0..6 * tenth).map(|n| format!("further{n}"))).collect();
    [0, 3, 6].map(|from| whole[from * tenth..(from + 10) * tenth].join(" "))
}

async fn origins_of(backend: &TestBackend, scope: &Scope, captures: &[Capture]) -> BTreeMap<String, String> {
    let texts: BTreeSet<String> = captures.iter().map(|capture| capture.document.text_sha256.clone()).collect();
    origins::find(&backend.store, scope, &OriginsConfig::default(), &texts).await.unwrap()
}

fn count(origins: &BTreeMap<String, String>) -> usize {
    origins.values().collect::<BTreeSet<_>>().len()
}

pub async fn a_report_with_small_edits_has_one_origin(backend: &TestBackend) {
    let (_, collection) = backend.person("ada").await;
    let scope = Scope::new([collection].into());
    let captures = [
        capture(collection, "wire.txt", REPORT),
        capture(collection, "post.txt", &REPORT.replace("Friday", "Friday evening")),
        capture(collection, "echo.txt", &format!("Gates shut\n\n{REPORT}\n\nReporting by A. Ruiz")),
        capture(collection, "other.txt", OTHER),
        capture(collection, "short.txt", "Too short to tell."),
    ];
    // Any order and any number of batches give the same origins.
    for capture in captures.iter().rev() {
        backend.store.add_documents(std::slice::from_ref(capture)).await.unwrap();
    }
    let origins = origins_of(backend, &scope, &captures).await;
    let of = |n: usize| &origins[&captures[n].document.text_sha256];
    assert_eq!(count(&origins), 3);
    assert_eq!((of(0), of(0)), (of(1), of(2)));
    assert_eq!(of(0), captures[..3].iter().map(|capture| &capture.document.text_sha256).min().unwrap());
    assert_eq!(backend.store.sketch_texts(10).await.unwrap(), 0, "every text that is stored is sketched with it");
}

pub async fn a_private_text_links_two_texts_only_for_its_readers(backend: &TestBackend) {
    let ((_, ada), (_, bob)) = (backend.person("ada").await, backend.person("bob").await);
    let [first, middle, last] = chain();
    let open = [capture(bob, "first.txt", &first), capture(bob, "last.txt", &last)];
    let secret = [capture(ada, "middle.txt", &middle)];
    backend.store.add_documents(&open).await.unwrap();
    let bobs = Scope::new([bob].into());
    assert_eq!(count(&origins_of(backend, &bobs, &open).await), 2);
    backend.store.add_documents(&secret).await.unwrap();
    assert_eq!(count(&origins_of(backend, &bobs, &open).await), 2);
    let both = Scope::new([ada, bob].into());
    assert_eq!(count(&origins_of(backend, &both, &open).await), 1, "who sees the middle sees that it is one chain");
    backend.store.remove_collection(ada).await.unwrap();
    assert_eq!(count(&origins_of(backend, &both, &open).await), 2);
}

/// Two halves of a report with other words beside them: too little in common for two texts without a credit.
fn retold() -> [String; 2] {
    let words: Vec<&str> = REPORT.split_whitespace().collect();
    let own = |name: &str| (0..words.len() / 2).map(|n| format!("{name}{n}")).collect::<Vec<_>>().join(" ");
    ["north", "south"].map(|name| format!("{} {}", words[..words.len() / 2].join(" "), own(name)))
}

/// A capture that was published on a day of March.
fn published(collection: CollectionId, path: &str, text: &str, day: u32) -> Capture {
    let mut capture = capture(collection, path, text);
    let value = Timestamp::parse(&format!("2031-03-{day:02}T09:00:00Z")).unwrap();
    capture.document.published = Some(PublicationDate { value, precision: Precision::Minute, basis: PublishedBasis::Stated });
    capture
}

async fn credit(backend: &TestBackend, capture: &Capture, agency: &str) {
    let credits = Credits { agency: Some(agency.into()), byline: None };
    let credited = CreditedDocument::new(&capture.document, credits, &Cascade::default());
    backend.store.add_credits(&[credited]).await.unwrap();
}

pub async fn one_agency_makes_one_origin_of_reworded_reports(backend: &TestBackend) {
    let (_, collection) = backend.person("ada").await;
    let scope = Scope::from(collection);
    let [north, south] = retold();
    let mut captures = [
        published(collection, "north.txt", &north, 14),
        published(collection, "south.txt", &south, 15),
        published(collection, "railway.txt", OTHER, 14),
        published(collection, "flash.txt", "Gates shut.", 14),
        published(collection, "copy.txt", "Gates are shut.", 14),
    ];
    captures[3].document.title = "Port shut".into();
    captures[4].document.title = "PORT SHUT".into();
    backend.store.add_documents(&captures).await.unwrap();
    assert_eq!(count(&origins_of(backend, &scope, &captures).await), 5, "without credits they are five");
    for (capture, agency) in captures.iter().zip(["AP", "The Associated Press", "AP", "AP", "Associated Press (AP)"]) {
        credit(backend, capture, agency).await;
    }
    let origins = origins_of(backend, &scope, &captures).await;
    let of = |n: usize| &origins[&captures[n].document.text_sha256];
    assert_eq!((count(&origins), of(0), of(3)), (3, of(1), of(4)), "the railway is another story of the same agency");
    // Asked about one alone, the other is found.
    let alone = origins_of(backend, &scope, &captures[..1]).await;
    assert_eq!(alone.values().next().unwrap(), of(0));
}

pub async fn a_private_credit_joins_no_texts_of_others(backend: &TestBackend) {
    let ((_, ada), (_, bob)) = (backend.person("ada").await, backend.person("bob").await);
    let [north, south] = retold();
    let open = [published(bob, "north.txt", &north, 14), published(bob, "south.txt", &south, 14)];
    let secret = published(ada, "own.txt", &south, 14);
    backend.store.add_documents(&open).await.unwrap();
    backend.store.add_documents(std::slice::from_ref(&secret)).await.unwrap();
    credit(backend, &open[0], "AP").await;
    credit(backend, &secret, "AP").await;
    let bobs = Scope::from(bob);
    assert_eq!(count(&origins_of(backend, &bobs, &open).await), 2);
    assert_eq!(count(&origins_of(backend, &Scope::new(vec![ada, bob]), &open).await), 1);
}
