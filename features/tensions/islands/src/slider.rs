//! The time slider: links to the days before and after; in the browser a range and a play button, too.

use crate::picture::BoardSignals;
use leptos::{ev::MouseEvent, prelude::*};
use std::time::Duration;

/// Time that a day stays while the board plays.
const PLAY_STEP: Duration = Duration::from_millis(400);

/// The slider over the days of the board; nothing for a single day.
pub fn slider(signals: BoardSignals, is_playing: RwSignal<bool>) -> Option<AnyView> {
    let days = signals.board.with_value(|board| board.days.len());
    let last = days.checked_sub(1).filter(|last| *last > 0)?;
    let before = move || signals.day.get().checked_sub(1);
    let after = move || Some(signals.day.get() + 1).filter(|day| *day <= last);
    let show = move |event: MouseEvent, day: Option<usize>| {
        if event.ctrl_key() || event.meta_key() || event.shift_key() {
            return;
        }
        event.prevent_default();
        if let Some(day) = day {
            signals.show_day(day);
        }
    };
    Effect::new(move || {
        let day = signals.day.get();
        if !is_playing.get() {
            return;
        }
        if day == last {
            is_playing.set(false);
            return;
        }
        let show_next = move || {
            // Of two timers of one day, after a pause, the second finds the day gone.
            if is_playing.get_untracked() && signals.day.get_untracked() == day {
                signals.show_day(day + 1);
            }
        };
        set_timeout(show_next, PLAY_STEP);
    });
    let play = move |_| {
        if !is_playing.get_untracked() && signals.day.get_untracked() == last {
            signals.show_day(0);
        }
        is_playing.update(|is_playing| *is_playing = !*is_playing);
    };
    let slide = move |event| {
        if let Ok(day) = event_target_value(&event).parse() {
            signals.show_day(day);
        }
    };
    let start = signals.day.get_untracked().to_string();
    Some(
        view! {
            <div class="heat-slider" role="group" aria-label="Day">
                <button type="button" class="outline needs-script heat-play" on:click=play>
                    {move || if is_playing.get() { "Pause" } else { "Play" }}
                </button>
                <a rel="prev" href=move || signals.href_of_day(before()) on:click=move |event| show(event, before())>
                    <span aria-hidden="true">"◀"</span>
                    <span class="hidden">"Previous day"</span>
                </a>
                <input
                    type="range"
                    class="needs-script"
                    min="0"
                    max=last.to_string()
                    value=start
                    aria-label="Day"
                    aria-valuetext=move || signals.day_words()
                    prop:value=move || signals.day.get().to_string()
                    on:input=slide
                />
                <a rel="next" href=move || signals.href_of_day(after()) on:click=move |event| show(event, after())>
                    <span aria-hidden="true">"▶"</span>
                    <span class="hidden">"Next day"</span>
                </a>
                <span class="heat-day">{move || signals.day_words()}</span>
            </div>
        }
        .into_any(),
    )
}
