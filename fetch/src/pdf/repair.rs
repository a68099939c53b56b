//! Cross-reference table rebuilt for a damaged or truncated PDF, by scanning for objects.

/// Objects indexed at most.
const MAX_OBJECTS: usize = 1_000_000;
/// Bytes after an object's start in which its type must appear.
const LOOK_BYTES: usize = 400;

/// The file with a new cross-reference table and trailer; `None` without a root, or if it is encrypted.
pub(super) fn with_new_index(bytes: &[u8]) -> Option<Vec<u8>> {
    if find(bytes, b"/Encrypt").is_some() {
        return None;
    }
    let start = find(bytes, b"%PDF-")?;
    let bytes = &bytes[start..];
    let objects = objects(bytes);
    let says = |at: usize, word: &[u8]| find(&bytes[at..bytes.len().min(at + LOOK_BYTES)], word).is_some();
    let root = reference(bytes, b"/Root")
        .or_else(|| objects.iter().rev().find(|object| says(object.at, b"/Catalog")).map(|object| object.number))?;
    let info = reference(bytes, b"/Info").map(|number| format!(" /Info {number} 0 R")).unwrap_or_default();
    let size = objects.iter().map(|object| object.number).max()? + 1;
    let mut index = "\nxref\n0 1\n0000000000 65535 f \n".to_owned();
    for object in &objects {
        index.push_str(&format!("{} 1\n{:010} {:05} n \n", object.number, object.at, object.generation));
    }
    let at = bytes.len() + 1;
    index.push_str(&format!("trailer\n<< /Size {size} /Root {root} 0 R{info} >>\nstartxref\n{at}\n%%EOF\n"));
    Some([bytes, index.as_bytes()].concat())
}

struct Object {
    number: u32,
    generation: u32,
    at: usize,
}

/// Every "12 0 obj", the last one of each number, sorted by number.
fn objects(bytes: &[u8]) -> Vec<Object> {
    let mut objects = Vec::new();
    let mut from = 0;
    while let Some(found) = find(&bytes[from..], b" obj") {
        let at = from + found;
        from = at + 4;
        let Some((generation, before)) = number_before(bytes, at) else { continue };
        let Some(space) = before.checked_sub(1).filter(|space| bytes[*space] == b' ') else { continue };
        let Some((number, start)) = number_before(bytes, space) else { continue };
        objects.push(Object { number, generation: generation.min(65_535), at: start });
        if objects.len() > MAX_OBJECTS {
            break;
        }
    }
    objects.sort_by_key(|object| (object.number, std::cmp::Reverse(object.at)));
    objects.dedup_by_key(|object| object.number);
    objects
}

/// Number that ends at `end`, with its start.
fn number_before(bytes: &[u8], end: usize) -> Option<(u32, usize)> {
    let figures = bytes[..end].iter().rev().take(9).take_while(|byte| byte.is_ascii_digit()).count();
    let start = end - figures;
    let number = std::str::from_utf8(&bytes[start..end]).ok()?.parse().ok()?;
    Some((number, start))
}

/// Object named by the last "/Root 12 0 R".
fn reference(bytes: &[u8], key: &[u8]) -> Option<u32> {
    let at = bytes.windows(key.len()).rposition(|window| window == key)? + key.len();
    let rest = bytes[at..bytes.len().min(at + 24)].trim_ascii_start();
    let figures = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_reference = rest[figures..].trim_ascii_start().starts_with(b"0 R");
    std::str::from_utf8(&rest[..figures]).ok().filter(|_| is_reference)?.parse().ok()
}

fn find(bytes: &[u8], word: &[u8]) -> Option<usize> {
    bytes.windows(word.len()).position(|window| window == word)
}
