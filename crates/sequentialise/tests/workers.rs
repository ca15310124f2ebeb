//! Random programs with a loop that starts threads and one that joins them: what the static analysis says of their races, held
//! against the times at which the threads run.

use cfront::{Source, Unit};
use sequentialise::races::possible;

const LIBRARY: &str = r"
typedef unsigned long pthread_t;
typedef struct { int state; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void abort(void);
struct worker { pthread_t thread; int a, b; };
pthread_mutex_t lock;
int total;
";

/// The number of threads.
const THREADS: usize = 3;

/// Numbers that look random, the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// An access of a member of the element that an index leads to; none where it leads to no element.
#[derive(Clone, Copy)]
struct Access {
    index: &'static str,
    member: &'static str,
    writes: bool,
}

impl Access {
    fn of(random: &mut Random, indices: &[&'static str]) -> Access {
        Access {
            index: random.of(indices),
            member: random.of(&["a", "b"]),
            writes: random.below(2) == 0,
        }
    }

    /// The element, where `i` is this number.
    fn element(&self, i: usize) -> Option<usize> {
        let found = match self.index {
            "i" => Some(i),
            "i - 1" => i.checked_sub(1),
            "i + 1" => Some(i + 1),
            constant => constant.parse().ok(),
        };
        found.filter(|&n| n < THREADS)
    }

    fn text(&self) -> String {
        let (index, member) = (self.index, self.member);
        let access = match self.writes {
            true => format!("w[{index}].{member} = 1;"),
            false => format!("seen = w[{index}].{member};"),
        };
        match self.index {
            "i - 1" => format!("if (i > 0) {access}"),
            "i + 1" => format!("if (i < 2) {access}"),
            _ => access,
        }
    }
}

/// A program and whether it has a race.
fn program(random: &mut Random) -> (String, bool) {
    const NEAR: [&str; 5] = ["i", "i", "i", "i - 1", "i + 1"];
    let some = |random: &mut Random, indices: &[&'static str], one_of: usize| {
        let none = random.below(one_of) != 0;
        (!none).then(|| Access::of(random, indices))
    };
    let before = some(random, &NEAR, 1);
    let after = some(random, &NEAR, 6);
    let early = some(random, &NEAR, 6);
    let late = some(random, &NEAR, 1);
    let end = some(random, &["0", "1", "2"], 2);
    let own = [(); 2].map(|()| Access::of(random, &["i"]));
    let argument = random.of(&[
        "&w[i]",
        "&w[i]",
        "&w[i]",
        "one",
        "one",
        "&w[0]",
        "&w[2 - i]",
    ]);
    let skips = random.below(6) == 0;
    let (first, allocated) = (usize::from(random.below(6) == 0), random.below(3) == 0);
    let (locks, main_locks) = (random.below(4) != 0, random.below(2) == 0);
    let join = random.of(&[
        "pthread_join(w[i].thread, 0);",
        "if (pthread_join(w[i].thread, 0) != 0) abort();",
        "do { int r = pthread_join(w[i].thread, 0); if (r) abort(); } while (0);",
    ]);

    let text = |access: Option<Access>| access.map(|a| a.text()).unwrap_or_default();
    let member = |a: &Access| match a.writes {
        true => format!("p->{} = 2;", a.member),
        false => format!("int seen_{0} = p->{0};", a.member),
    };
    let in_lock = |locks: bool, text: &str| match locks {
        true => format!("pthread_mutex_lock(&lock); {text} pthread_mutex_unlock(&lock);"),
        false => text.to_owned(),
    };
    let program = format!(
        "{LIBRARY}void *malloc(unsigned long);\nvoid *go(void *v) {{ struct worker *p = v; {} {{ {} }} {} return 0; }}\n\
        int main(void) {{ int seen = 0; {}\n\
          for (int i = 0; i < 3; i++) {{ struct worker *one = &w[i]; {} {} pthread_create(&w[i].thread, 0, go, {argument}); {} }}\n\
          for (int i = {first}; i < 3; i++) {{ {} {} {join} {} }}\n  {} {} return seen; }}\n",
        member(&own[0]),
        member(&own[1]),
        in_lock(locks, "total++;"),
        match allocated {
            true => "struct worker *w = malloc(3 * sizeof(struct worker));",
            false => "struct worker w[3];",
        },
        text(before),
        if skips { "if (i == 1)" } else { "" },
        text(after),
        text(early),
        // A thread that was not started is not joined.
        if skips { "if (i != 1) continue;" } else { "" },
        text(late),
        text(end),
        in_lock(main_locks, "seen = total;"),
    );

    // The times: each round of a loop has three.
    let runs = |i: usize| !skips || i == 1;
    let started = |i: usize| 3 * i + 1;
    let joined = |i: usize| match i >= first {
        true => 9 + 3 * i + 1,
        false => usize::MAX,
    };
    let target = |i: usize| match argument {
        "&w[0]" => 0,
        "&w[2 - i]" => 2 - i,
        _ => i,
    };
    let mut accesses: Vec<(usize, usize, &str, bool)> = Vec::new();
    let mut note = |time: usize, access: Option<Access>, i: usize| {
        let element = access.and_then(|a| Some((a, a.element(i)?)));
        accesses.extend(element.map(|(a, n)| (time, n, a.member, a.writes)));
    };
    for i in 0..THREADS {
        note(3 * i, before, i);
        note(3 * i + 2, after, i);
    }
    for i in first..THREADS {
        note(9 + 3 * i, early, i);
        if runs(i) {
            note(9 + 3 * i + 2, late, i);
        }
    }
    note(18, end, 0);
    let all: Vec<usize> = (0..THREADS).filter(|&i| runs(i)).collect();
    let beside_main = all.iter().any(|&i| {
        accesses.iter().any(|&(time, n, member, writes)| {
            let meets = own
                .iter()
                .any(|a| a.member == member && (a.writes || writes));
            time > started(i) && time < joined(i) && n == target(i) && meets
        })
    });
    let writes = own.iter().any(|a| a.writes);
    let of_threads = all.iter().any(|&i| {
        let others = all.iter().filter(|&&j| j != i);
        let one = others.clone().any(|&j| target(i) == target(j) && writes);
        one || (others.count() > 0 && !locks)
    });
    // The last thread may not be joined.
    let of_total = all
        .iter()
        .any(|&i| joined(i) == usize::MAX && !(locks && main_locks));
    (program, beside_main || of_threads || of_total)
}

#[test]
fn no_race_is_missed_between_threads_of_loops() {
    let mut random = Random(7);
    let (mut free, mut decided) = (0, 0);
    for _ in 0..300 {
        let (text, races) = program(&mut random);
        let unit = Unit::parse(Source::from_bytes(text.clone().into_bytes()));
        let unit = unit.unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        let none = possible(&unit).is_empty();
        assert!(!(none && races), "a race is missed in\n{text}");
        free += usize::from(!races);
        decided += usize::from(none);
    }
    assert!(free > 60 && decided * 3 > free, "{decided} of {free}");
}
