//! Functions about the cancellation of threads.

use super::plain_name;

/// Whether a thread that another one cancels may end in a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Point {
    /// It ends there if a request is pending.
    Sure,
    /// It may end there or go on (POSIX leaves this to the library).
    Perhaps,
}

/// Whether a function is a cancellation point (POSIX, System Interfaces, 2.9.5.2) other than the waits for other threads.
pub fn cancellation_point(name: &str) -> Option<Point> {
    const SURE: &[&str] = &[
        "accept",
        "clock_nanosleep",
        "close",
        "connect",
        "creat",
        "fsync",
        "mq_receive",
        "mq_send",
        "msgrcv",
        "msgsnd",
        "msync",
        "nanosleep",
        "open",
        "openat",
        "pause",
        "poll",
        "pread",
        "pselect",
        "pthread_testcancel",
        "pwrite",
        "read",
        "readv",
        "recv",
        "recvfrom",
        "recvmsg",
        "select",
        "sem_clockwait",
        "sem_timedwait",
        "send",
        "sendmsg",
        "sendto",
        "sigsuspend",
        "sigtimedwait",
        "sigwait",
        "sigwaitinfo",
        "sleep",
        "tcdrain",
        "usleep",
        "wait",
        "waitid",
        "waitpid",
        "write",
        "writev",
    ];
    const PERHAPS: &[&str] = &[
        "access", "closedir", "dprintf", "fclose", "fflush", "fgetc", "fgets", "fopen", "fprintf",
        "fputc", "fputs", "fread", "freopen", "fscanf", "fseek", "ftell", "fwrite", "getc",
        "getchar", "getdelim", "getline", "ioctl", "lseek", "opendir", "perror", "popen", "printf",
        "pclose", "putc", "putchar", "puts", "readdir", "remove", "rename", "rewind", "scanf",
        "stat", "syslog", "system", "unlink", "vfprintf", "vprintf",
    ];
    match plain_name(name) {
        name if SURE.contains(&name) => Some(Point::Sure),
        name if PERHAPS.contains(&name) => Some(Point::Perhaps),
        _ => None,
    }
}

/// Whether a function has an effect only in programs that cancel threads.
pub fn about_cancellation(name: &str) -> bool {
    matches!(
        name,
        "pthread_testcancel" | "pthread_setcancelstate" | "pthread_setcanceltype"
    )
}

/// Whether a function cancels a thread, or says what is done when a thread ends so.
pub fn cancels(name: &str) -> bool {
    let of_library = [
        "__pthread_register_cancel",
        "__pthread_unregister_cancel",
        "__pthread_unwind_next",
    ];
    name == "pthread_cancel" || of_library.contains(&name)
}
