//! Coarse vectors: one bit per dimension, 512 vectors per table row, so that a few reads scan a large graph.

use super::Slot;
use crate::sql::{
    fault::{Fault, defect},
    types::count,
};
use futures::TryStreamExt;
use sqlx::{Row, SqliteConnection};
use std::collections::{BTreeMap, HashSet};

/// Rows of a text's table per chunk; equal to the number in the migration.
const CHUNK: i64 = 512;
const NOBODY: u32 = 0;
/// Marker for a text that several collections share; the caller has checked its visibility.
const SEVERAL: u32 = u32::MAX;
const WORD: usize = size_of::<u32>();

/// A row of the text's table, its collection (`None` for several), and its bits.
pub(in crate::graph::sqlite) struct Coarse {
    pub n: i64,
    pub collection: Option<i64>,
    pub bits: Vec<u8>,
}

/// Returns one bit per dimension: set where the number is above zero.
pub(in crate::graph::sqlite) fn bits(vector: &[f32]) -> Vec<u8> {
    vector
        .chunks(8)
        .map(|eight| eight.iter().enumerate().fold(0, |byte, (i, number)| byte | (u8::from(*number > 0.0) << i)))
        .collect()
}

/// Rows of one chunk in memory.
struct Chunk {
    bits: Vec<u8>,
    collections: Vec<u8>,
}

impl Chunk {
    fn empty(row_bytes: usize) -> Self {
        Self { bits: vec![0; CHUNK as usize * row_bytes], collections: vec![0; CHUNK as usize * WORD] }
    }

    fn set(&mut self, row: &Coarse) -> Result<(), Fault> {
        let (place, width) = ((row.n % CHUNK) as usize, row.bits.len());
        let collection = match row.collection {
            None => SEVERAL,
            Some(n) => u32::try_from(n).map_err(|_| defect("number of a collection", &n.to_string()))?,
        };
        self.bits[place * width..(place + 1) * width].copy_from_slice(&row.bits);
        self.collections[place * WORD..(place + 1) * WORD].copy_from_slice(&collection.to_le_bytes());
        Ok(())
    }

    fn clear(&mut self, n: i64) {
        let place = (n % CHUNK) as usize;
        self.collections[place * WORD..(place + 1) * WORD].fill(0);
    }
}

/// Returns the collection of each text in a chunk, row by row.
fn owners(collections: &[u8]) -> impl Iterator<Item = u32> + '_ {
    collections.chunks_exact(WORD).map(|word| word.try_into().map_or(NOBODY, u32::from_le_bytes))
}

async fn read(conn: &mut SqliteConnection, slot: Slot, chunk: i64) -> Result<Option<Chunk>, Fault> {
    let sql = "select bits, collections from coarse_vectors where slot = $1 and chunk = $2";
    let row: Option<(Vec<u8>, Vec<u8>)> = sqlx::query_as(sql).bind(slot.number).bind(chunk).fetch_optional(conn).await?;
    Ok(row.map(|(bits, collections)| Chunk { bits, collections }))
}

async fn write(conn: &mut SqliteConnection, slot: Slot, number: i64, chunk: Chunk) -> Result<(), Fault> {
    let present = owners(&chunk.collections).filter(|owner| *owner != NOBODY).count();
    let sql = "insert into coarse_vectors (slot, chunk, present, bits, collections) values ($1, $2, $3, $4, $5)
        on conflict (slot, chunk) do update
        set present = excluded.present, bits = excluded.bits, collections = excluded.collections";
    sqlx::query(sql)
        .bind(slot.number)
        .bind(number)
        .bind(present as i64)
        .bind(chunk.bits)
        .bind(chunk.collections)
        .execute(conn)
        .await?;
    Ok(())
}

/// Adds or replaces rows.
pub(super) async fn put(conn: &mut SqliteConnection, slot: Slot, rows: Vec<Coarse>) -> Result<(), Fault> {
    let row_bytes = (slot.dimensions as usize).div_ceil(8);
    let mut by_chunk: BTreeMap<i64, Vec<Coarse>> = BTreeMap::new();
    for row in rows {
        by_chunk.entry(row.n / CHUNK).or_default().push(row);
    }
    for (number, rows) in by_chunk {
        let mut chunk = read(conn, slot, number).await?.unwrap_or_else(|| Chunk::empty(row_bytes));
        rows.iter().try_for_each(|row| chunk.set(row))?;
        write(conn, slot, number, chunk).await?;
    }
    Ok(())
}

/// Removes rows.
pub(super) async fn forget(conn: &mut SqliteConnection, slot: Slot, rows: &[i64]) -> Result<(), Fault> {
    let mut by_chunk: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for n in rows {
        by_chunk.entry(n / CHUNK).or_default().push(*n);
    }
    for (number, rows) in by_chunk {
        let Some(mut chunk) = read(conn, slot, number).await? else { continue };
        rows.into_iter().for_each(|n| chunk.clear(n));
        write(conn, slot, number, chunk).await?;
    }
    Ok(())
}

/// Counts the rows with a vector.
pub(super) async fn present(conn: &mut SqliteConnection, slot: Slot) -> Result<u64, Fault> {
    let sql = "select coalesce(sum(present), 0) from coarse_vectors where slot = $1";
    count(sqlx::query_scalar(sql).bind(slot.number).fetch_one(conn).await?)
}

/// Returns the row numbers up to `last` without a vector, in order; some may be unused. Full chunks are skipped.
pub(super) async fn absent(
    conn: &mut SqliteConnection,
    slot: Slot,
    last: i64,
) -> Result<impl Iterator<Item = i64> + use<>, Fault> {
    let sql = "select chunk, case when present < $2 then collections end from coarse_vectors where slot = $1";
    let known: Vec<(i64, Option<Vec<u8>>)> = sqlx::query_as(sql).bind(slot.number).bind(CHUNK).fetch_all(conn).await?;
    let known: BTreeMap<i64, Option<Vec<u8>>> = known.into_iter().collect();
    let in_chunk = move |number: i64| {
        let is_absent: Vec<bool> = match known.get(&number) {
            None => vec![true; CHUNK as usize],
            Some(None) => Vec::new(),
            Some(Some(collections)) => owners(collections).map(|owner| owner == NOBODY).collect(),
        };
        (number * CHUNK..).zip(is_absent).filter(|(_, is_absent)| *is_absent).map(|(n, _)| n)
    };
    Ok((0..=last / CHUNK).flat_map(in_chunk).filter(move |n| (1..=last).contains(n)))
}

/// Returns the rows nearest to `wanted`: at least `limit` where there are so many, including ties with the last. `collections` and `only`
/// restrict the rows.
pub(in crate::graph::sqlite) async fn nearest(
    conn: &mut SqliteConnection,
    slot: Slot,
    wanted: &[u8],
    collections: Option<&[i64]>,
    only: Option<&[i64]>,
    limit: usize,
) -> Result<Vec<i64>, Fault> {
    let collections: Option<Vec<u32>> = collections.map(|all| all.iter().filter_map(|n| u32::try_from(*n).ok()).collect());
    let only: Option<HashSet<i64>> = only.map(|rows| rows.iter().copied().collect());
    let mut far: Vec<(u32, i64)> = Vec::new();
    let mut at_distance = vec![0; wanted.len() * 8 + 1];
    let sql = "select chunk, bits, collections from coarse_vectors where slot = $1 order by chunk";
    let mut rows = sqlx::query(sql).bind(slot.number).fetch(conn);
    while let Some(row) = rows.try_next().await? {
        let (chunk, bits, owned): (i64, &[u8], &[u8]) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        for ((n, bits), owner) in (chunk * CHUNK..).zip(bits.chunks_exact(wanted.len())).zip(owners(owned)) {
            let is_seen = owner != NOBODY && collections.as_ref().is_none_or(|seen| seen.contains(&owner));
            if is_seen && only.as_ref().is_none_or(|only| only.contains(&n)) {
                let distance = differing(bits, wanted);
                at_distance[distance as usize] += 1;
                far.push((distance, n));
            }
        }
    }
    let mut within = 0;
    let enough = at_distance.iter().position(|rows| {
        within += rows;
        within >= limit
    });
    let most = enough.map_or(u32::MAX, |distance| distance as u32);
    Ok(far.into_iter().filter(|(distance, _)| *distance <= most).map(|(_, n)| n).collect())
}

/// Counts the differing bits.
fn differing(a: &[u8], b: &[u8]) -> u32 {
    const STEP: usize = size_of::<u64>();
    let word = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_le_bytes);
    let (a_steps, b_steps) = (a.chunks_exact(STEP), b.chunks_exact(STEP));
    let rest = a_steps.remainder().iter().zip(b_steps.remainder()).map(|(a, b)| (a ^ b).count_ones());
    let rest: u32 = rest.sum();
    a_steps.zip(b_steps).map(|(a, b)| (word(a) ^ word(b)).count_ones()).sum::<u32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_say_which_numbers_are_above_zero() {
        assert_eq!(bits(&[0.5, -0.5, 0.0, 1.0, -1.0, 1.0, 1.0, -0.1, 0.2]), [0b0110_1001, 1]);
    }

    #[test]
    fn every_bit_counts_at_any_length() {
        for length in [1, 7, 8, 9, 48, 49] {
            let (zeros, mut ones) = (vec![0; length], vec![0xff; length]);
            assert_eq!(differing(&zeros, &ones), length as u32 * 8);
            ones[length - 1] = 0xfe;
            assert_eq!(differing(&ones, &vec![0xff; length]), 1);
        }
    }
}
