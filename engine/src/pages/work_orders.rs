//! View model of work orders that failed for good, for administrators.

use crate::{Engine, StoreResult, investigations::FailedOrder};
use domain::user::{Action, User};
use views::{FailedOrderLine, FailedOrdersView, OrderWords};

impl Engine {
    /// Returns a page of failed work orders, newest first; none for other viewers than administrators. What another person keeps
    /// private has no words.
    pub async fn failed_orders_view(&self, viewer: &User, page: u64) -> StoreResult<Option<FailedOrdersView>> {
        if !viewer.role.may(Action::Configure) {
            return Ok(None);
        }
        let (page, limit) = (page.max(1), self.config.pages.failed_orders_per_page);
        let offset = (page - 1).saturating_mul(u64::from(limit));
        let (orders, total) = self.work_orders.failed_orders(offset, limit).await?;
        let scope = self.accounts.scope_of(viewer.id).await?;
        let is_visible = |failed: &FailedOrder| failed.owner == viewer.id || scope.sees(failed.collection_id);
        let lines = orders.into_iter().map(|failed| (is_visible(&failed), failed)).map(|(seen, failed)| line(failed, seen));
        Ok(Some(FailedOrdersView { lines: lines.collect(), total, page, per_page: u64::from(limit) }))
    }

    /// Returns the newest failed work orders with their words, for the operator.
    pub async fn failed_order_lines(&self, limit: u32) -> StoreResult<Vec<FailedOrderLine>> {
        let (orders, _) = self.work_orders.failed_orders(0, limit).await?;
        Ok(orders.into_iter().map(|failed| line(failed, true)).collect())
    }
}

fn line(failed: FailedOrder, has_words: bool) -> FailedOrderLine {
    let FailedOrder { order, question, is_open, .. } = failed;
    FailedOrderLine {
        id: order.id,
        investigation_id: order.investigation_id,
        attempts: order.tries(),
        // It may quote the model's answer on private documents.
        reason: order.failure.filter(|_| has_words).unwrap_or_default(),
        words: has_words.then_some(OrderWords { question, objective: order.objective }),
        failed_at: order.completed_at,
        is_open,
    }
}
