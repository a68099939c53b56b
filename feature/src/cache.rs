//! Values that the pieces of one page, or the jobs of a process, share.

use leptos::prelude::use_context;
use std::{
    any::{Any, TypeId},
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::OnceCell;

/// Cell of a value of any type.
type AnyCell = Arc<dyn Any + Send + Sync>;

/// Cache of one rendering of a page, or of a process: a value for each type and key. A cheap clone.
#[derive(Clone, Default)]
pub struct PageCache {
    cells: Arc<Mutex<HashMap<(TypeId, String), AnyCell>>>,
}

impl PageCache {
    /// Returns the cache of the page that is rendered.
    pub fn of_page() -> Self {
        use_context().unwrap_or_default()
    }

    /// Returns the value of type `T` for a key, which the first caller loads while the others wait.
    pub async fn get_or_load<T: Clone + Send + Sync + 'static>(&self, key: &str, load: impl Future<Output = T>) -> T {
        let cell = {
            let mut cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
            let cell = cells.entry((TypeId::of::<T>(), key.to_owned())).or_insert_with(|| Arc::new(OnceCell::<T>::new()));
            cell.clone().downcast::<OnceCell<T>>()
        };
        match cell {
            Ok(cell) => cell.get_or_init(|| load).await.clone(),
            Err(_) => load.await,
        }
    }
}
