//! Names in programs in step form: what writes that form and what reads it agree on them here.
//!
//! A program in step form is one of the user's own to all that follows, so what it tells about threads and positions, it
//! tells by names.

/// How all names begin that only the step form has. The user's program has none that begins so.
pub const OWN: &str = "sequential_";
/// How the name of the function begins that takes the steps of a thread; the thread's number follows.
pub const THREAD: &str = "sequential_thread_";
/// The array of the threads' positions.
pub const POSITIONS: &str = "sequential_pc";
/// How the label of a position begins; its number follows.
pub const POSITION: &str = "sequential_p";
/// The function that takes off the counters what they have in common.
pub const SHIFT: &str = "sequential_shift";
/// How the name of the function begins that does so for a class of counters; the number of the class follows.
pub const SHIFTS: &str = "sequential_shift_";
/// The constant that integers get that nothing reads any more.
pub const SPENT: &str = "sequential_spent";
/// The variable whose value is the content of memory that was allocated.
pub const CONTENTS: &str = "sequential_any";
/// How the names of the functions begin that tell where nothing reads an array; the array's name without [`OWN`] follows.
pub const UNREAD: &str = "sequential_unread_";
