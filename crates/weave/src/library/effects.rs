//! Functions without an effect on the model, and those that discard runs.

use crate::facts::Call;

/// Functions without meaning for the model: in a model checker's run they do nothing and give any
/// result. With the C type of the result.
pub const SILENT: [(&str, &str); 18] = [
    ("printf", "int"),
    ("__VERIFIER_error", "void"),
    ("fprintf", "int"),
    ("vprintf", "int"),
    ("vfprintf", "int"),
    ("dprintf", "int"),
    ("puts", "int"),
    ("fputs", "int"),
    ("putchar", "int"),
    ("putc", "int"),
    ("fputc", "int"),
    ("fflush", "int"),
    ("fclose", "int"),
    ("setvbuf", "int"),
    ("setbuf", "void"),
    ("perror", "void"),
    ("srand", "void"),
    ("srandom", "void"),
];

/// The names of calls of these functions begin so where their declarations stand in the text behind the
/// macros that take them away: expanded headers.
pub const RENAMED: &str = "ba_call_";

/// The functions by which a program assumes that a condition holds, each with the type to which its
/// argument is converted.
const ASSUMPTIONS: [(&str, &str); 3] = [
    ("__VERIFIER_assume", "int"),
    ("__CPROVER_assume", "_Bool"),
    ("__ESBMC_assume", "_Bool"),
];

/// The function that a call assumes its argument with, and the type of that. A function that the program
/// defines does what its body says.
pub fn assumed(call: &Call) -> Option<(&'static str, &'static str)> {
    let name = call.callee.as_deref().filter(|_| call.target.is_none())?;
    ASSUMPTIONS.into_iter().find(|(known, _)| *known == name)
}

/// Functions that pass time, yield the processor or set an attribute, all of which has no effect on
/// the order of events in the model. They succeed: their result is 0.
pub const IDLE: [&str; 46] = [
    "sleep",
    "usleep",
    "nanosleep",
    "clock_nanosleep",
    "sched_yield",
    "pthread_yield",
    "thrd_yield",
    "thrd_sleep",
    "pthread_setname_np",
    "pthread_getname_np",
    "pthread_setaffinity_np",
    "pthread_setconcurrency",
    "pthread_setschedparam",
    "pthread_setschedprio",
    "pthread_setcancelstate",
    "pthread_setcanceltype",
    "pthread_testcancel",
    "pthread_attr_init",
    "pthread_attr_destroy",
    "pthread_attr_setdetachstate",
    "pthread_attr_setstacksize",
    "pthread_attr_setstack",
    "pthread_attr_setguardsize",
    "pthread_attr_setscope",
    "pthread_attr_setinheritsched",
    "pthread_attr_setschedpolicy",
    "pthread_attr_setschedparam",
    "pthread_attr_setaffinity_np",
    "pthread_mutexattr_setpshared",
    "pthread_mutexattr_setprotocol",
    "pthread_mutexattr_setprioceiling",
    "pthread_condattr_init",
    "pthread_condattr_destroy",
    "pthread_condattr_setpshared",
    "pthread_condattr_setclock",
    "pthread_rwlockattr_init",
    "pthread_rwlockattr_destroy",
    "pthread_rwlockattr_setpshared",
    "pthread_rwlockattr_setkind_np",
    "pthread_barrierattr_init",
    "pthread_barrierattr_destroy",
    "pthread_barrierattr_setpshared",
    "pthread_getschedparam",
    "pthread_getcpuclockid",
    "__sched_yield",
    "__builtin_ia32_pause",
];
