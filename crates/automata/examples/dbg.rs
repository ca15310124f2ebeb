fn main() {
    for f in std::env::args().skip(1) {
        let p = ltl::parse(&f).unwrap();
        println!("{f}: {}", automata::debug(&p.arena, p.root));
    }
}
