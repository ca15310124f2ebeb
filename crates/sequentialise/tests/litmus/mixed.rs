//! Tests whose accesses all have orders of their own, drawn at random.

use crate::shapes::{Kind, Op, Test};

/// Numbers that are the same in each run (Steele, Lea and Flood, OOPSLA 2014).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    fn of(&mut self, orders: &[i32]) -> i32 {
        orders[self.below(orders.len())]
    }
}

/// The most writes of an object, and reads of a test: their executions are enumerated.
const WRITES: usize = 3;
const READS: usize = 4;

/// A test of three threads with up to three operations each.
pub fn test(number: u64) -> Test {
    drawn(number, false)
}

/// The same with comparisons.
pub fn comparing(number: u64) -> Test {
    drawn(number, true)
}

fn drawn(number: u64, compares: bool) -> Test {
    let mut numbers = Numbers(number);
    let places = 2 + numbers.below(2);
    let (mut writes, mut reads) = ([0; 3], 0);
    let mut name = format!("mixed {number}:");
    let kinds = if compares { 12 } else { 9 };
    let mut threads = Vec::new();
    for thread in 0..3 {
        let mut ops = Vec::new();
        for _ in 0..1 + numbers.below(3) {
            let place = numbers.below(places);
            let kind = match numbers.below(kinds) {
                0..=3 => Kind::Write,
                4..=6 => Kind::Read,
                7 => Kind::Exchange,
                8 => Kind::Fence,
                _ => Kind::Compare {
                    expected: numbers.below(3) as u64,
                    failing: numbers.of(&[0, 2, 5]),
                },
            };
            let (is_write, is_read) = (
                matches!(kind, Kind::Write | Kind::Exchange | Kind::Compare { .. }),
                matches!(kind, Kind::Read | Kind::Exchange | Kind::Compare { .. }),
            );
            if is_write && writes[place] == WRITES || is_read && reads == READS {
                continue;
            }
            let order = match kind {
                Kind::Write => numbers.of(&[0, 3, 5, 5]),
                Kind::Read => numbers.of(&[0, 2, 5, 5]),
                Kind::Fence => numbers.of(&[2, 3, 4, 5, 5]),
                _ => numbers.of(&[0, 2, 3, 4, 5]),
            };
            writes[place] += usize::from(is_write);
            name.push_str(&format!(" {kind:?} {place} {order},"));
            ops.push(Op {
                kind,
                place,
                value: writes[place] as u64,
                order,
                into: reads,
            });
            reads += usize::from(is_read);
        }
        name.push_str(if thread < 2 { " |" } else { "" });
        threads.push(ops);
    }
    Test { name, threads }
}

/// Tests in which RC11 has more outcomes than an order of sequentially consistent accesses that follows happens-before: Z6.U of
/// Lahav and others, its like with a load that acquires, and with fences.
pub fn published() -> Vec<Test> {
    let texts = [
        "Wx1.5 Wy1.3 | Xy2.5 Ry.0 | Wy3.5 Rx.5",
        "Wx1.5 | Rx.2 Ry.5 | Wy1.5 Rx.5",
        "Wx1.5 Wy1.3 | Ry.2 Xy2.5 Ry.0 | Wy3.5 Rx.5",
        "Wx1.5 | Rx.0 F.5 Ry.5 | Wy1.5 Rx.5",
        "Wx1.0 F.5 Wz1.0 | Rz.0 F.5 Ry.0 | Wy1.0 F.5 Rx.0",
        "F.5 Wx1.0 | Rx.5 Ry.5 | Wy1.5 F.5 Rx.0",
    ];
    texts.into_iter().map(parsed).collect()
}

/// Store buffering and its like, in which a comparison that fails reads an older store than a sequentially consistent one does.
pub fn compared() -> Vec<Test> {
    let texts = [
        "Wx1.5 Ry.5 | Wy1.5 Cx250.5",
        "Wx1.5 Ry.5 | Wy1.5 Cx252.5",
        "Wx1.5 Ry.5 | Wy1.5 Cx255.5",
        "Wx1.5 Cy250.5 | Wy1.5 Cx250.5",
        "Wx1.5 Wy1.3 | Cy250.5 Cx250.5",
        "Xx1.5 Ry.5 | Wy1.5 Cx200.5 | Cx100.5",
    ];
    texts.into_iter().map(parsed).collect()
}

/// Each operation says its order behind a dot; a comparison what it stores, what it expects and the order in which it fails.
fn parsed(text: &str) -> Test {
    let mut reads = 0;
    let mut op = |word: &str| {
        let (what, order) = word.split_once('.').unwrap();
        let what = what.as_bytes();
        let kind = match what[0] {
            b'W' => Kind::Write,
            b'X' => Kind::Exchange,
            b'C' => Kind::Compare {
                expected: u64::from(what[3] - b'0'),
                failing: i32::from(what[4] - b'0'),
            },
            b'F' => Kind::Fence,
            _ => Kind::Read,
        };
        let into = reads;
        reads += usize::from(matches!(
            kind,
            Kind::Read | Kind::Exchange | Kind::Compare { .. }
        ));
        Op {
            kind,
            place: what.get(1).map_or(0, |p| usize::from(p - b'x')),
            value: what.get(2).map_or(0, |v| u64::from(v - b'0')),
            order: order.parse().unwrap(),
            into,
        }
    };
    let threads = text.split('|');
    Test {
        name: text.to_owned(),
        threads: threads
            .map(|t| t.split_whitespace().map(&mut op).collect())
            .collect(),
    }
}
