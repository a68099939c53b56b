//! The JavaScript bindings of the site: `bindgen FILE.wasm FOLDER NAME` writes FOLDER/NAME.js and FOLDER/NAME_bg.wasm.
//!
//! This is what the command `wasm-bindgen` does with `--target web --no-typescript`. That command also compiles a test runner with a
//! web server and a TLS client, which takes twice as long as everything here.

use anyhow::Context;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, folder, name] = arguments.as_slice() else { anyhow::bail!("usage: bindgen FILE.wasm FOLDER NAME") };
    Bindgen::new()
        .input_path(input)
        .web(true)?
        .typescript(false)
        .out_name(name)
        .generate(folder)
        .with_context(|| format!("cannot bind {input}"))
}
