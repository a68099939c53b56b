//! Places of each person: how many pieces of work of one kind one person has at once in this process.

use super::prelude::*;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

/// Places of every person. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct PersonSlots {
    max: usize,
    people: Arc<Mutex<HashMap<UserId, Arc<Semaphore>>>>,
}

/// Place of one piece of work; dropping it frees the place.
#[derive(Debug)]
pub(super) struct PersonSlot {
    slots: PersonSlots,
    user: UserId,
    permit: Option<OwnedSemaphorePermit>,
}

impl PersonSlots {
    pub(super) fn new(max: usize) -> Self {
        Self { max, people: Arc::default() }
    }

    /// Takes a place, waiting for it at most `wait`; `None` if this person has too much at work until then.
    pub(super) async fn take(&self, user: UserId, wait: Duration) -> Option<PersonSlot> {
        let mut slot = PersonSlot { slots: self.clone(), user, permit: None };
        let places = {
            let mut people = self.people.lock().unwrap_or_else(PoisonError::into_inner);
            people.entry(user).or_insert_with(|| Arc::new(Semaphore::new(self.max))).clone()
        };
        slot.permit = Some(timeout(wait, places.acquire_owned()).await.ok()?.ok()?);
        Some(slot)
    }
}

impl Drop for PersonSlot {
    fn drop(&mut self) {
        self.permit = None;
        let mut people = self.slots.people.lock().unwrap_or_else(PoisonError::into_inner);
        // Permits and waiting calls hold it, too.
        if people.get(&self.user).is_some_and(|places| Arc::strong_count(places) == 1) {
            people.remove(&self.user);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[tokio::test(start_paused = true)]
    async fn a_person_has_a_limited_number_of_slots_and_frees_them() {
        let (slots, wait) = (PersonSlots::new(2), Duration::from_secs(1));
        let [ada, bea] = [1, 2].map(|n| UserId(Uuid::from_u128(n)));
        let held = [slots.take(ada, wait).await.unwrap(), slots.take(ada, wait).await.unwrap()];
        assert!(slots.take(ada, wait).await.is_none());
        assert!(slots.take(bea, wait).await.is_some(), "others have their own");
        drop(held);
        assert!(slots.take(ada, wait).await.is_some());
        assert!(slots.people.lock().unwrap().is_empty());
    }
}
