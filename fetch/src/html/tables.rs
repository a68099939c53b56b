//! Data tables as rows of cells; layout tables are skipped.

use crate::config::ParseConfig;
use dom_query::NodeRef;
use domain::fetch::Table;

/// Content of a `table` element; `None` with fewer than two rows of two cells, or with a nested table.
pub(super) fn read(table: &NodeRef<'_>, limits: &ParseConfig) -> Option<Table> {
    let mut found = Table::default();
    let mut cells = 0;
    gather(table, &mut found, &mut cells, limits.max_table_cells)?;
    let is_data = found.rows.iter().filter(|row| row.len() >= 2).count() >= 2;
    is_data.then_some(found)
}

/// Collects rows. `None` means a nested table, so the outer one is layout.
fn gather(node: &NodeRef<'_>, found: &mut Table, cells: &mut usize, max_cells: usize) -> Option<()> {
    for child in node.children_it(false) {
        let Some(name) = child.node_name() else { continue };
        match &*name {
            "table" => return None,
            "caption" => found.caption = Some(words(&child)).filter(|caption| !caption.is_empty()),
            "tr" => {
                let row = row(&child)?;
                *cells += row.len();
                if row.iter().any(|cell| !cell.is_empty()) && *cells <= max_cells {
                    found.rows.push(row);
                }
            }
            _ => gather(&child, found, cells, max_cells)?,
        }
    }
    Some(())
}

fn row(tr: &NodeRef<'_>) -> Option<Vec<String>> {
    let mut row = Vec::new();
    for cell in tr.children_it(false) {
        if cell.node_name().is_some_and(|name| matches!(&*name, "td" | "th")) {
            if holds_table(&cell) {
                return None;
            }
            row.push(words(&cell));
        }
    }
    Some(row)
}

fn holds_table(node: &NodeRef<'_>) -> bool {
    node.descendants_it().any(|inner| inner.node_name().is_some_and(|name| &*name == "table"))
}

fn words(node: &NodeRef<'_>) -> String {
    node.text().split_whitespace().collect::<Vec<_>>().join(" ")
}
