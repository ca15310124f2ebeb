//! Notes on standard error.

use std::fmt::Display;
use std::io::{self, Write};

/// Says something on standard error, in a line of its own. Nobody could be told if that fails, and
/// the exit status stays what it is.
pub fn tell(message: impl Display) {
    #[cfg(test)]
    let Some(message) = TOLD.with_borrow_mut(|told| match told {
        Some(told) => {
            told.push_str(&format!("{message}\n"));
            None
        }
        None => Some(message),
    }) else {
        return;
    };
    let _ = writeln!(io::stderr(), "{message}");
}

#[cfg(test)]
thread_local! {
    /// What was told on this thread, where a test reads it.
    static TOLD: std::cell::RefCell<Option<String>> = const { std::cell::RefCell::new(None) };
}

/// Does something, and gives with its result what was told meanwhile on this thread.
#[cfg(test)]
pub fn captured<T>(work: impl FnOnce() -> T) -> (T, String) {
    TOLD.set(Some(String::new()));
    let result = work();
    (result, TOLD.take().unwrap_or_default())
}
