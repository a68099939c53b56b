//! Number of open event streams per person, because each stream asks the store again and again.

use super::prelude::*;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Open streams of every person. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct StreamSlots {
    open: Arc<Mutex<HashMap<UserId, usize>>>,
}

/// Place of one open stream; dropping it frees the place.
#[derive(Debug)]
pub(super) struct StreamSlot {
    slots: StreamSlots,
    user: UserId,
}

impl StreamSlots {
    /// Takes a place; `None` if this person has `max` streams open.
    pub(super) fn take(&self, user: UserId, max: usize) -> Option<StreamSlot> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(user).or_default();
        if *count >= max {
            return None;
        }
        *count += 1;
        Some(StreamSlot { slots: self.clone(), user })
    }
}

impl Drop for StreamSlot {
    fn drop(&mut self) {
        let mut open = self.slots.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.user) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.user);
            }
        }
    }
}
