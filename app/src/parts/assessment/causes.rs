//! Causes as chains: what brings about what, how, and how likely; what follows from an effect is nested beneath it.

use crate::{atoms::StrengthMark, prelude::*};
use domain::assessment::{Cause, CauseChain, markers_beside};

/// The chains, the first of them open; nothing where there are none.
#[component]
pub fn Causes(chains: Vec<CauseChain>, known: KnownMarkers) -> impl IntoView {
    (!chains.is_empty()).then(|| {
        let entries: Vec<AnyView> = chains.into_iter().map(|chain| row(chain, true, &known)).collect();
        let names = ("chain", "chains");
        view! { <Section id="causes"><FoldedList entries class="causes" names is_ordered=true /></Section> }.into_any()
    })
}

/// A cause with what follows. Only the first of a chain names where it begins: the effect above is the cause of the next.
fn row(chain: CauseChain, is_first: bool, known: &KnownMarkers) -> AnyView {
    let CauseChain { cause: Cause { from, to, mechanism, strength, likelihood, citations }, next } = chain;
    let citations = markers_beside(&mechanism, &citations);
    let from = is_first.then(|| view! { <span class="cause-end">{from}</span> });
    let likelihood = likelihood.map(|likelihood| {
        let words = likelihood.words();
        view! { <dt>"Likelihood"</dt><dd class="pictured"><Scale likelihood /><span>{words}</span></dd> }
    });
    let next: Vec<AnyView> = next.into_iter().map(|chain| row(chain, false, known)).collect();
    let next = (!next.is_empty()).then(|| view! { <ol class="causes">{next}</ol> });
    view! {
        <li class="cause">
            <p class="cause-chain">
                {from}
                <span class="cause-arrow"><span aria-hidden="true">"→"</span><span class="hidden">" leads to "</span></span>
                <span class="cause-end">{to}</span>
            </p>
            <dl class="facts">
                <dt>"How"</dt>
                <dd><MarkedText text=mechanism known=known.clone() /> " " <Cites markers=citations /></dd>
                {likelihood}
                <dt>"Strength"</dt>
                <dd><StrengthMark strength /></dd>
            </dl>
            {next}
        </li>
    }
    .into_any()
}
