#[path = "../tests/common/mod.rs"]
mod common;
use cfront::*;
fn main() {
    let mut a = std::env::args().skip(1);
    let f = a.next().unwrap();
    let u = common::read(std::path::Path::new(&f));
    let mode = a.next().unwrap_or_default();
    let edits = if mode.contains('e') {
        common::harmless(&u)
    } else {
        Edits::new()
    };
    let o = OutputOptions {
        headers: if mode.contains('x') {
            Headers::Expand
        } else {
            Headers::Include
        },
        ..Default::default()
    };
    print!("{}", String::from_utf8_lossy(&u.emit(&edits, &o).unwrap()));
}
