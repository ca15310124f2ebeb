//! Calls of the C library and of POSIX threads: which of them the emitted program models, which
//! have no effect on the model, and which are refused.

use crate::facts::{Call, Lifetime};
use crate::weaver::Weaver;

/// Functions without meaning for the model: in a model checker's run they do nothing and give any
/// result. With the C type of the result.
pub const SILENT: [(&str, &str); 28] = [
    ("printf", "int"),
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
    ("sleep", "unsigned"),
    ("usleep", "int"),
    ("nanosleep", "int"),
    ("sched_yield", "int"),
    ("pthread_yield", "int"),
    ("thrd_yield", "void"),
    ("pthread_setname_np", "int"),
    ("pthread_attr_init", "int"),
    ("pthread_attr_destroy", "int"),
    ("pthread_attr_setdetachstate", "int"),
    ("pthread_attr_setstacksize", "int"),
];

/// Functions that wait for the object that their first argument names.
const WAITS: [&str; 2] = ["pthread_mutex_lock", "sem_wait"];

/// Synchronisation that is modelled.
const MODELLED: [&str; 18] = [
    "pthread_create",
    "pthread_join",
    "pthread_detach",
    "pthread_self",
    "pthread_equal",
    "pthread_exit",
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_mutex_unlock",
    "sem_init",
    "sem_destroy",
    "sem_wait",
    "sem_trywait",
    "sem_post",
    "sem_getvalue",
    "pthread_yield",
];

impl Weaver<'_> {
    /// Refuses calls whose effect on the run is neither modelled nor absent.
    pub fn plan_library(&mut self) {
        let facts = self.facts;
        for call in &facts.calls {
            let Some(name) = call.callee.as_deref().filter(|_| call.target.is_none()) else {
                continue;
            };
            if WAITS.contains(&name) {
                self.check_waited(call);
            } else if self.is_unmodelled(name) {
                self.refuse(
                    call.range,
                    format!("`{name}` is not modelled yet"),
                    "its effect on the run would be missed",
                    None,
                );
            }
        }
    }

    fn is_unmodelled(&self, name: &str) -> bool {
        let synchronises = ["pthread_", "sem_", "mtx_", "cnd_", "thrd_"]
            .iter()
            .any(|p| name.starts_with(p));
        let jumps = matches!(
            name,
            "longjmp" | "siglongjmp" | "_longjmp" | "__longjmp_chk"
        );
        let known = MODELLED.contains(&name) || SILENT.iter().any(|(silent, _)| *silent == name);
        jumps || matches!(name, "fork" | "vfork" | "call_once") || (synchronises && !known)
    }

    /// Whether a guess to wait for good can be checked at the end: only for named static objects.
    fn check_waited(&mut self, call: &Call) {
        let object = call.argument_objects.first().copied().flatten();
        let named = object.is_some_and(|o| {
            let object = &self.facts.objects[o];
            object.lifetime == Lifetime::Static
                && (object.type_name == "pthread_mutex_t" || object.type_name == "sem_t")
        });
        if !named && self.threaded {
            self.refuse(
                call.range,
                "what this call waits for is not a global object that it names".into(),
                "not supported yet",
                Some("use a global `pthread_mutex_t` or `sem_t`, or a global array of them"),
            );
        }
    }

    /// The conditions under which each thread that guessed to wait for good was right.
    pub fn waits(&self) -> Vec<String> {
        let mut conditions = Vec::new();
        let objects = self.facts.objects.iter().enumerate();
        for (number, object) in objects.filter(|(_, o)| o.lifetime == Lifetime::Static) {
            let condition = |place: &str| match object.type_name.as_str() {
                "pthread_mutex_t" => Some(format!("!{place}.ba.ba_stuck || {place}.ba.ba_held")),
                "sem_t" => Some(format!("!{place}.ba_stuck || {place}.ba_value == 0")),
                _ => None,
            };
            let name = crate::names::object(&object.name, number);
            match object.elements {
                None => conditions.extend(condition(&name)),
                Some(n) => {
                    conditions.extend((0..n).filter_map(|i| condition(&format!("{name}[{i}]"))))
                }
            }
        }
        conditions
    }

    /// Whether the program calls a function that has no body in it.
    pub fn calls(&self, name: &str) -> bool {
        self.facts
            .calls
            .iter()
            .any(|c| c.target.is_none() && c.callee.as_deref() == Some(name))
    }
}
