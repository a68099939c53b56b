//! Schema of the feature. It has no tables: its key is among the encrypted secrets of the kernel.

use feature::Schema;
use sqlx::migrate::Migrator;

static NO_MIGRATIONS: Migrator = Migrator::DEFAULT;

/// Schema without tables.
pub static SCHEMA: Schema = Schema { name: "bundle", sqlite: &NO_MIGRATIONS, postgres: &NO_MIGRATIONS, tables: &[] };
