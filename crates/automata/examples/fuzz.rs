#[path = "../tests/common/mod.rs"]
mod common;
use common::*;
use ltl::lasso::Lasso;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: usize = a[1].parse().unwrap();
    let maxsize: usize = a[2].parse().unwrap();
    let atoms: usize = a[3].parse().unwrap();
    let mut random = Random(a[4].parse().unwrap());
    let mut slow = std::time::Duration::ZERO;
    let (mut ts, mut te) = (0, 0);
    let mut bad = 0;
    let begun_all = std::time::Instant::now();
    for _ in 0..n {
        let mut arena = arena(atoms);
        let size = 1 + random.below(maxsize);
        let root = random.formula(&mut arena, size, atoms);
        let text = ltl::print(&arena, root, ltl::Style::Ascii);
        let begun = std::time::Instant::now();
        let buchi = match automata::translate(&arena, root, &automata::Options::default()) {
            Ok(b) => b,
            Err(e) => {
                println!("TOO LARGE {e} {:?} {text}", begun.elapsed());
                continue;
            }
        };
        let t = begun.elapsed();
        if t > slow {
            slow = t;
            println!(
                "{t:?} {} {} {text}",
                buchi.states().len(),
                buchi.edge_count()
            );
        }
        ts += buchi.states().len();
        te += buchi.edge_count();
        for _ in 0..25 {
            let (p, c) = (random.below(4), 1 + random.below(4));
            let (prefix, cycle) = (random.word(p, atoms), random.word(c, atoms));
            let holds = Lasso::new(prefix.clone(), cycle.clone())
                .unwrap()
                .satisfies(&arena, root);
            if buchi.accepts(&prefix, &cycle) != holds {
                println!("WRONG {text} {prefix:?} {cycle:?} {holds}");
                bad += 1;
                break;
            }
        }
    }
    println!(
        "{n} formulas, states {ts} edges {te} wrong {bad} {:?}",
        begun_all.elapsed()
    );
}
