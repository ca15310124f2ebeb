//! Functions of POSIX about what is outside of the program: files, connections, processes.

use super::rows::{describes, f, opens, pure};
use super::Function;

/// Functions that open something.
pub(super) const FILES: &[Function] = &[
    pure("fopen").state("opens a file"),
    opens("fopen64"),
    opens("fdopen"),
    opens("freopen"),
    opens("freopen64"),
    opens("tmpfile"),
    opens("tmpfile64"),
    describes("open"),
    describes("open64"),
    describes("openat"),
    describes("creat"),
    describes("dup"),
    describes("dup2"),
    describes("socket"),
    describes("epoll_create"),
    describes("epoll_create1"),
    describes("eventfd"),
    describes("timerfd_create"),
    describes("inotify_init"),
    describes("inotify_init1"),
    describes("shm_open"),
    opens("accept"),
    opens("popen"),
    f("opendir").state("opens a directory"),
    opens("fmemopen"),
    opens("open_memstream"),
    opens("pipe"),
    opens("pipe2"),
    f("fork").state("starts a process"),
    f("vfork").state("starts a process"),
];

/// A function that does something outside, and tells whether it succeeded.
const fn answers(name: &'static str) -> Function {
    pure(name).reads().succeeds()
}

/// A function that writes as many bytes as its third argument says, or fewer, or fails.
const fn sends_bytes(name: &'static str) -> Function {
    pure(name).reads().up_to(-1, 2)
}

/// Functions that act outside, and change nothing in the program.
pub(super) const ANSWERS: &[Function] = &[
    answers("bind"),
    answers("listen"),
    answers("connect"),
    answers("shutdown"),
    answers("setsockopt"),
    answers("epoll_ctl"),
    answers("unlink"),
    answers("unlinkat"),
    answers("mkdir"),
    answers("rmdir"),
    answers("rename"),
    answers("remove"),
    answers("link"),
    answers("symlink"),
    answers("mkfifo"),
    answers("chmod"),
    answers("fchmod"),
    answers("chown"),
    answers("fchown"),
    answers("access"),
    answers("faccessat"),
    answers("flock"),
    answers("lockf"),
    answers("fsync"),
    answers("fdatasync"),
    answers("truncate"),
    answers("ftruncate"),
    answers("tcsetattr"),
    answers("tcflush"),
    answers("tcdrain"),
    answers("cfsetispeed"),
    answers("cfsetospeed"),
    answers("cfsetspeed"),
    answers("chdir"),
    answers("fchdir"),
    answers("setpgid"),
    answers("setuid"),
    answers("setgid"),
    answers("seteuid"),
    answers("setegid"),
    answers("mlock"),
    answers("munlock"),
    answers("madvise"),
    answers("msync"),
    answers("sched_setaffinity"),
    answers("setpriority"),
    answers("close"),
    answers("fseek"),
    answers("fseeko"),
    sends_bytes("write"),
    sends_bytes("pwrite"),
    sends_bytes("send"),
    sends_bytes("sendto"),
    pure("fwrite").reads().up_to(0, 2),
    pure("ftell").reads().from(-1),
    pure("ftello").reads().from(-1),
    pure("lseek").reads().from(-1),
    pure("fileno").reads().within(-1, 1023),
    pure("setsid").reads().from(-1),
];
