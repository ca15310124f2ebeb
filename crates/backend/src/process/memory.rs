//! The memory of running programs: what each has had, and what all of them together may have.

use super::live::Group;

/// The memory that stays free on the machine: where less is left, the system ends some process, not always the largest.
const RESERVE_KIB: u64 = 256 * 1024;

/// A program that has less is never ended for the others: it is not what fills the machine.
const SMALL_KIB: u64 = 256 * 1024;

/// The resident memory of a process and its descendants (a SAT solver may be one), in KiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Resident {
    /// The greatest that one of them has had so far.
    pub peak: Option<u64>,
    /// That of all of them now.
    pub now: u64,
}

impl Resident {
    /// That of a running process, on systems with `/proc`. A wrapper script replaces itself by the program, so a small depth
    /// suffices.
    pub fn of(pid: i32) -> Resident {
        Resident::down_to(pid, 4)
    }

    fn down_to(pid: i32, depth: u32) -> Resident {
        let Ok(status) = std::fs::read_to_string(format!("/proc/{pid}/status")) else {
            return Resident::default();
        };
        let own = Resident {
            peak: kib(&status, "VmHWM:"),
            now: kib(&status, "VmRSS:").unwrap_or_default(),
        };
        if depth == 0 {
            return own;
        }
        let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
        let children = children.unwrap_or_default();
        let pids = children.split_whitespace().filter_map(|c| c.parse().ok());
        pids.map(|child| Resident::down_to(child, depth - 1))
            .fold(own, |all, one| Resident {
                peak: all.peak.max(one.peak),
                now: all.now + one.now,
            })
    }
}

/// The number behind a word of a file of `/proc`.
fn kib(text: &str, word: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(word))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

/// Whether a program must end, since all running ones together have more than the limit, or than the machine: the largest
/// one does. Gives the limit, if that is the reason.
pub(super) fn is_over(group: &Group, now_kib: u64, limit_mib: Option<u64>) -> Option<Option<u64>> {
    group.must_end(now_kib, |sum| {
        if let Some(mib) = limit_mib.filter(|mib| sum > mib.saturating_mul(1024)) {
            return Some(Some(mib));
        }
        let fills = now_kib >= SMALL_KIB && available_kib().is_some_and(|left| left < RESERVE_KIB);
        fills.then_some(None)
    })
}

/// The memory that programs can get on this machine, on systems that tell.
fn available_kib() -> Option<u64> {
    kib(
        &std::fs::read_to_string("/proc/meminfo").ok()?,
        "MemAvailable:",
    )
}

#[cfg(test)]
mod tests {
    use super::kib;

    #[test]
    fn numbers_are_read() {
        let text = "MemTotal:       24576 kB\nMemAvailable:     1024 kB\n";
        assert_eq!(kib(text, "MemAvailable:"), Some(1024));
        assert_eq!(kib(text, "VmRSS:"), None);
    }
}
