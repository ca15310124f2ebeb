use cfront::*;
fn main() {
    let mut a = std::env::args().skip(1);
    let f = a.next().unwrap();
    let expand = a.next().is_some();
    let p = preprocess::preprocess(std::path::Path::new(&f), &Default::default()).unwrap();
    let u = Unit::parse(p.source).unwrap_or_else(|l| panic!("{}", l[0]));
    let o = OutputOptions {
        headers: if expand {
            Headers::Expand
        } else {
            Headers::Include
        },
        ..Default::default()
    };
    print!(
        "{}",
        String::from_utf8_lossy(&u.emit(&Edits::new(), &o).unwrap())
    );
}
