//! The tie by which what a run has started ends with this process, even where this process is killed and
//! can do nothing any more.
//!
//! This process holds the writing end of a pipe into which nobody writes. The shell in front of the
//! program ([`FRONT`]) starts a watcher in the run's process group, which reads from the other end: it
//! comes to the end of the input when this process is gone, and kills the group. `PR_SET_PDEATHSIG`
//! would need unsafe code or another program, and would reach one process only.

use rustix::fd::{AsRawFd, OwnedFd};
use rustix::io::{fcntl_setfd, FdFlags};
use rustix::pipe::{pipe_with, PipeFlags};
use std::io;

/// What the shell in front of a program does. `$1` is the limit of the address space in KiB, `$2` of the
/// processor time in seconds, `-` is none; `$3` is the number of the descriptor that the watcher reads, `$4`
/// a directory that goes with the run, `-` is none.
///
/// The watcher is no child of the program, which may wait for its own children. Where `/dev/fd` does
/// not exist there is no watcher.
pub(super) const FRONT: &str = "ulimit -c 0 2>/dev/null
( { exec 9<\"/dev/fd/$3\" || exit; read -r _ <&9; [ \"$4\" = - ] || rm -rf \"$4\"; kill -9 0; } >/dev/null 2>&1 & )
if [ \"$1\" != - ]; then ulimit -v \"$1\" || echo 'baproduct: cannot limit memory here' >&2; fi
if [ \"$2\" != - ]; then ulimit -t \"$2\" 2>/dev/null; fi
shift 4
exec \"$@\"";

/// Both ends, until the program is started.
pub(super) struct Tether {
    theirs: OwnedFd,
    ours: OwnedFd,
}

impl Tether {
    /// A new pipe, whose reading end is inherited by what is started while this value lives: by other
    /// runs, too, which does no harm, because it is the writing end that counts.
    ///
    /// # Errors
    /// Where the system gives no pipe.
    pub(super) fn new() -> io::Result<Tether> {
        let (theirs, ours) = pipe_with(PipeFlags::CLOEXEC)?;
        fcntl_setfd(&theirs, FdFlags::empty())?;
        Ok(Tether { theirs, ours })
    }

    /// The number of the reading end.
    pub(super) fn number(&self) -> i32 {
        self.theirs.as_raw_fd()
    }

    /// What this process has to keep while the run lasts.
    pub(super) fn hold(self) -> OwnedFd {
        self.ours
    }
}
