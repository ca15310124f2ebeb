//! The shapes of the field (Alglave, Maranget and Tautschnig, TOPLAS 2014; Maranget, Sarkar and Sewell 2012), with all orders.

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Write,
    Read,
    Exchange,
    /// A comparison that stores its value if it reads what is expected, and is a load of another order otherwise.
    Compare {
        expected: u64,
        failing: i32,
    },
    Fence,
    /// An atomic read that ends its thread if it reads 0.
    Guard,
    /// Accesses that are not atomic.
    PlainWrite,
    PlainRead,
}

/// An operation of a thread.
#[derive(Clone, Copy, Debug)]
pub struct Op {
    pub kind: Kind,
    pub place: usize,
    pub value: u64,
    pub order: i32,
    pub into: usize,
}

/// A test: what each thread does.
#[derive(Clone, Debug)]
pub struct Test {
    pub name: String,
    pub threads: Vec<Vec<Op>>,
}

/// A shape as text: threads are separated by `|`, operations by blanks: `Wx1`, `Rx`, `Xx1` (an exchange).
const SHAPES: [(&str, &str); 27] = [
    ("SB", "Wx1 Ry | Wy1 Rx"),
    ("MP", "Wx1 Wy1 | Ry Rx"),
    ("LB", "Rx Wy1 | Ry Wx1"),
    ("S", "Wx2 Wy1 | Ry Wx1"),
    ("R", "Wx1 Wy1 | Wy2 Rx"),
    ("2+2W", "Wx1 Wy2 | Wy1 Wx2"),
    ("WRC", "Wx1 | Rx Wy1 | Ry Rx"),
    ("IRIW", "Wx1 | Wy1 | Rx Ry | Ry Rx"),
    ("ISA2", "Wx1 Wy1 | Ry Wz1 | Rz Rx"),
    ("RWC", "Wx1 | Rx Ry | Wy1 Rx"),
    ("W+RWC", "Wx1 Wz1 | Rz Ry | Wy1 Rx"),
    ("WWC", "Wx2 | Rx Wy1 | Ry Wx1"),
    ("Z6.1", "Wx2 Wy1 | Wy2 Wz1 | Rz Wx1"),
    ("Z6.3", "Wx1 Wy1 | Wy2 Wz1 | Rz Rx"),
    ("3.SB", "Wx1 Ry | Wy1 Rz | Wz1 Rx"),
    ("CoRR", "Wx1 | Rx Rx"),
    ("CoWW", "Wx1 Wx2 | Rx Rx"),
    ("CoRW", "Rx Wx1 | Wx2 Rx"),
    ("CoWR", "Wx1 Rx | Wx2 Rx"),
    ("2+2X", "Xx1 Xy2 | Xy1 Xx2"),
    ("SB+X", "Xx1 Ry | Xy1 Rx"),
    ("MP+X", "Wx1 Wy1 | Xy2 | Ry Rx"),
    ("MP+W", "Wx1 Wy1 Wy2 | Ry Rx"),
    ("TAS", "Xx1 Ry | Wy1 Xx1"),
    ("TAS+W", "Xx1 Wx2 | Xx1 Rx | Xx1 Wy1"),
    ("TAS+SB", "Wy1 Xx1 | Xx1 Ry | Xx1 Xx1"),
    ("RMW", "Xx1 | Xx2 | Wx3 Rx"),
];

/// The orders of stores, of loads, and of the fences between operations (none is -2).
const STORES: [i32; 3] = [0, 3, 5];
const LOADS: [i32; 3] = [0, 2, 5];
const FENCES: [i32; 3] = [-2, 4, 5];

/// All tests: each shape with each order of its stores, loads and fences; and with orders that differ between threads.
pub fn all() -> Vec<Test> {
    let mut tests = Vec::new();
    for (name, text) in SHAPES {
        for store in STORES {
            for load in LOADS {
                for fence in FENCES {
                    let orders = |_: usize| (store, load, fence);
                    tests.push(test(name, text, &orders));
                }
            }
        }
        // Each thread for itself: plain, with a release or acquire, with a fence, or sequentially consistent.
        let kinds = [
            (0, 0, -2),
            (3, 2, -2),
            (0, 0, 5),
            (5, 5, -2),
            (5, 0, -2),
            (0, 5, 4),
        ];
        let count = text.split('|').count() as u32;
        for number in 0..(kinds.len() as u32).pow(count.min(3)) {
            let orders = |thread: usize| {
                let digit = number / (kinds.len() as u32).pow(thread.min(2) as u32);
                kinds[digit as usize % kinds.len()]
            };
            tests.push(test(name, text, &orders));
        }
    }
    tests
}

pub fn test(name: &str, text: &str, orders: &dyn Fn(usize) -> (i32, i32, i32)) -> Test {
    let mut into = 0;
    let mut named = name.to_owned();
    let threads = text.split('|').enumerate().map(|(number, thread)| {
        let (store, load, fence) = orders(number);
        named.push_str(&format!(" {store},{load},{fence}"));
        let mut ops: Vec<Op> = Vec::new();
        for word in thread.split_whitespace() {
            let mut chars = word.bytes();
            let kind = match chars.next() {
                Some(b'W') => Kind::Write,
                Some(b'X') => Kind::Exchange,
                Some(b'G') => Kind::Guard,
                Some(b'w') => Kind::PlainWrite,
                Some(b'r') => Kind::PlainRead,
                _ => Kind::Read,
            };
            let place = usize::from(chars.next().unwrap_or(b'x') - b'x');
            let value = u64::from(chars.next().unwrap_or(b'0') - b'0');
            let order = match kind {
                Kind::Read | Kind::Guard => load,
                Kind::PlainRead | Kind::PlainWrite => 0,
                Kind::Exchange if store == 0 && load == 2 => 2,
                Kind::Exchange if store == 3 && load == 2 => 4,
                Kind::Exchange => store.max(if load == 5 { 5 } else { 0 }),
                _ => store,
            };
            if fence >= 0 && !ops.is_empty() {
                ops.push(Op {
                    kind: Kind::Fence,
                    place: 0,
                    value: 0,
                    order: fence,
                    into: 0,
                });
            }
            ops.push(Op {
                kind,
                place,
                value,
                order,
                into,
            });
            into += usize::from(matches!(kind, Kind::Read | Kind::Exchange));
        }
        ops
    });
    let threads = threads.collect();
    Test {
        name: named,
        threads,
    }
}
