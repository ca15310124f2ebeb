//! The library's headers that a program needs, and its functions without effect on the model.

use std::collections::BTreeSet;

use cfront::library::NoEffect;

use crate::facts::options::Options;
use crate::layout::weaver::Weaver;
use crate::library;
use crate::library::effects::without_effect;

/// A function without effect on the model.
pub(super) struct Silent {
    pub(super) name: String,
    /// The type of its result.
    pub(super) result: &'static str,
    /// Whether no system header declares it, so that the program's own declaration counts.
    pub(super) own: bool,
}

/// The functions without effect on the model that the program calls.
pub(super) fn silent(weaver: &Weaver) -> Vec<Silent> {
    let called = without_effect(weaver.facts).into_iter();
    let called = called.filter(|(name, _)| !weaver.ends_threads(name));
    let silent = called.filter_map(|(name, effect)| match effect {
        NoEffect::Silent(result) => Some((name, result)),
        NoEffect::Passes => None,
    });
    silent
        .map(|(name, result)| Silent {
            name: name.into(),
            result,
            own: !weaver.facts.declared.contains(name) && !name.starts_with("__builtin_"),
        })
        .collect()
}

/// The functions that pass time or set an attribute and that the program calls.
pub(super) fn idle(weaver: &Weaver) -> Vec<String> {
    let called = without_effect(weaver.facts).into_iter();
    let called = called.filter(|(name, _)| !weaver.ends_threads(name));
    let idle = called.filter(|(_, effect)| *effect == NoEffect::Passes);
    idle.map(|(name, _)| name.into()).collect()
}

/// The headers of the library that the monitor itself uses.
pub(super) fn includes(weaver: &Weaver, options: &Options) -> Vec<&'static str> {
    let declared = |name: &str| weaver.facts.declared.contains(name);
    let headers = [
        (
            "pthread.h",
            weaver.analysis.threaded || declared("pthread_create"),
        ),
        ("semaphore.h", declared("sem_wait")),
        ("threads.h", declared("thrd_create")),
    ];
    needed(&headers, options)
}

/// The headers of functions that model checkers see under another name. They have to be included first, so that
/// the renaming macros do not reach their declarations. Compilers need no renaming: a project may have a
/// `unistd.h` of its own that has to follow other headers. A function that only the program itself declares needs
/// no header, and the header's types may be other types there.
pub(super) fn renamed(weaver: &Weaver, options: &Options) -> Vec<&'static str> {
    let called = without_effect(weaver.facts).into_iter();
    let declared: BTreeSet<&str> = called
        .filter_map(|(name, _)| {
            library::function(name)
                .filter(|row| row.name == name && weaver.facts.declared.contains(name))?
                .header
        })
        .collect();
    let headers = ["stdio.h", "stdlib.h", "unistd.h", "time.h", "sched.h"];
    needed(
        &headers.map(|header| (header, declared.contains(header))),
        options,
    )
}

fn needed(headers: &[(&'static str, bool)], options: &Options) -> Vec<&'static str> {
    let needed = headers.iter().filter(|(_, needed)| *needed);
    let names = needed.map(|(header, _)| *header);
    names.filter(|_| options.include_headers).collect()
}
