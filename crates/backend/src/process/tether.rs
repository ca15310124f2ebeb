//! Ends all processes of a run together with this process, even if this process is killed.
//!
//! This process holds the writing end of a pipe and never writes. The shell that starts the program
//! ([`FRONT`]) starts a watcher in the run's process group, which reads the other end: it sees the
//! end of the input when this process is gone, and kills the group. `PR_SET_PDEATHSIG` would need
//! unsafe code or another program, and would reach only one process.

use rustix::fd::{AsRawFd, OwnedFd};
use rustix::io::{fcntl_setfd, FdFlags};
use rustix::pipe::{pipe_with, PipeFlags};
use std::io;

/// The shell script that starts a program. `$1` limits the address space in KiB and `$2` the
/// processor time in seconds, with `-` for no limit; `$3` is the descriptor that the watcher reads;
/// `$4` is a directory that is removed with the run, or `-`.
///
/// The watcher is no child of the program, which may wait for its own children. Without `/dev/fd`
/// there is no watcher.
pub(super) const FRONT: &str = "ulimit -c 0 2>/dev/null
( { exec 9<\"/dev/fd/$3\" || exit; read -r _ <&9; [ \"$4\" = - ] || rm -rf \"$4\"; kill -9 0; } >/dev/null 2>&1 & )
if [ \"$1\" != - ]; then ulimit -v \"$1\" || echo 'baproduct: cannot limit memory here' >&2; fi
if [ \"$2\" != - ]; then ulimit -t \"$2\" 2>/dev/null; fi
shift 4
exec \"$@\"";

/// Both ends, before the program starts.
pub(super) struct Tether {
    theirs: OwnedFd,
    ours: OwnedFd,
}

impl Tether {
    /// A new pipe. Programs that start while this value lives inherit its reading end, also those
    /// of other runs; that is harmless, because only the writing end matters.
    ///
    /// # Errors
    /// If the system gives no pipe.
    pub(super) fn new() -> io::Result<Tether> {
        let (theirs, ours) = pipe_with(PipeFlags::CLOEXEC)?;
        fcntl_setfd(&theirs, FdFlags::empty())?;
        Ok(Tether { theirs, ours })
    }

    /// The number of the reading end.
    pub(super) fn number(&self) -> i32 {
        self.theirs.as_raw_fd()
    }

    /// The end that this process keeps for the duration of the run.
    pub(super) fn hold(self) -> OwnedFd {
        self.ours
    }
}
