//! The woven program as the stepper runs it: the definitions of its macros, and the text that records its
//! state.

use std::fmt::Write as _;

pub(crate) use cfront::host::RECORDED;
use cfront::library::is_pure;
use cfront::span::ExprId;
use cfront::tree::{Entity, ExprKind, Parent, Tree};
use weave::heads::{Head, Heads, Scalar, StatePart, StaticLocal};

/// The dialect of the woven text, in front of it: the stepper makes the runs, learns of inputs, and guesses nothing.
const DIALECT: &str = r##"/* a search of all states */
void ba_x_begin(void);
void ba_x_end(void);
void ba_x_at(unsigned ba_site);
void ba_x_assert(const char *ba_text);
void ba_x_assume(int ba_holds);
void ba_x_show(const char *ba_name, long ba_value);
void ba_x_given(long long ba_value);
void ba_x_value(unsigned ba_value);
void ba_x_put(const void *ba_p, unsigned long ba_n);
int ba_x_arrives(unsigned ba_at, const void *ba_frame);
void ba_x_head(void);
void ba_x_leave(unsigned ba_number, void *ba_place, unsigned long ba_bytes);
void ba_x_statics(unsigned ba_head);
void ba_x_letter(void);
void ba_x_more(void);
#define BA_ASSERT(c, text) ((c) ? (void)0 : ba_x_assert(text))
#define BA_ASSUME(c) ba_x_assume(!!(c))
#define BA_BEGIN() ba_x_begin()
#define BA_END() ba_x_end()
#define BA_AT(site) ba_x_at(site)
#define BA_SHOW(name) (sizeof #name == sizeof "ba_site" ? ba_x_show(#name, (long)(name)) : (void)0)
#define BA_THREAD_LOCAL
#define BA_GIVEN(value) ba_x_given((long long)(value))
#define BA_GUESS() 0u
#define BA_ARGUMENT(site) ba_x_argument(site)
#define BA_STRING(place) ba_x_string(place)
#define BA_DIFFERS(place, text) ba_x_differs(place, text)
#define BA_EXECUTED(name) ba_x_##name
#define BA_FORGETS(place, bytes) ba_x_forget((void *)(place), bytes)
#define BA_FORGETS_TEXT(place, bytes) ba_x_forget_text((void *)(place), bytes)
#define BA_CUTS(place, bytes) ba_x_cut((void *)(place), bytes)
#define BA_UNREAD(place, bytes) ba_x_is_unread(place, bytes)
int ba_x_is_unread(const void *ba_place, unsigned long ba_bytes);
void ba_x_forget(void *ba_place, unsigned long ba_bytes), ba_x_forget_text(void *ba_place, unsigned long ba_bytes);
void ba_x_cut(void *ba_place, unsigned long ba_bytes);
void *ba_x_argument(unsigned ba_site);
int ba_x_string(const void *ba_place);
int ba_x_differs(const void *ba_place, const void *ba_text);
int ba_x_atoi(const char *), ba_x_strcmp(const char *, const char *), ba_x_strncmp(const char *, const char *, unsigned long);
int ba_x_strcasecmp(const char *, const char *), ba_x_strncasecmp(const char *, const char *, unsigned long);
long ba_x_atol(const char *), ba_x_strtol(const char *, char **, int);
long long ba_x_atoll(const char *), ba_x_strtoll(const char *, char **, int);
unsigned long ba_x_strtoul(const char *, char **, int), ba_x_strlen(const char *);
_Bool nondet_ba_bool(void);
unsigned nondet_ba_unsigned(void);
"##;

/// Refuses programs that the search does not follow.
///
/// # Errors
/// The reason, in words.
pub fn followed(heads: &Heads) -> Result<(), String> {
    if let Some(obstacle) = heads.obstacles.first() {
        return Err(obstacle.clone());
    }
    let obstacle = heads.heads.iter().find_map(|h| Some((h, obstacle(h)?)));
    match obstacle {
        Some((head, why)) => Err(format!(
            "the state of a loop of `{}` cannot be described: {why}",
            head.function
        )),
        None => Ok(()),
    }
}

/// Why the search cannot stop at a head. A loop that surely ends is passed instead.
fn obstacle(head: &Head) -> Option<&String> {
    head.obstacle.as_ref().filter(|_| !head.ends)
}

/// The function of the emitted program that records objects of static storage at a head.
pub(crate) const STATICS: &str = "ba_x_statics";
/// The function that emitted macros call at heads; it tells whether the step ends there.
pub(crate) const ARRIVES: &str = "ba_x_arrives";
/// The function that records a part of the state.
pub(crate) const PUT: &str = "ba_x_put";
/// The function at which a step ends, and the next one begins.
pub(crate) const HEAD: &str = "ba_x_head";

/// The text that is compiled, before its inputs are analysed. `variables` are the C variables with the
/// propositions' values in a letter.
pub fn program(woven: &str, heads: &Heads, variables: &[String], sampled: bool) -> String {
    let forgets = |of: &Head| match of.function == "main" {
        true => heads.own.forgets.as_deref().unwrap_or_default(),
        false => "",
    };
    let macros = heads.heads.iter().map(|h| head(h, forgets(h)));
    let macros: String = macros.collect();
    // A recursion is limited by the stack only; beyond that the program crashes, and there is no answer.
    let depth = heads.recursive.iter();
    let depth: String = depth
        .map(|r| format!("#define {} 0x7fffffffu\n", r.bound))
        .collect();
    let statics: String = heads.static_locals.iter().map(declared).collect();
    let mut text = DIALECT.to_string() + &depth + &statics + &macros + woven;
    let _ = write!(
        text,
        "\n#line 1 \"<baproduct>\"\nvoid {STATICS}(unsigned ba_head) {{\n  (void)ba_head;\n"
    );
    let automata = |p: &&StatePart| {
        heads
            .monitor
            .automata
            .iter()
            .all(|(name, _)| *name != p.lvalue)
    };
    for part in heads
        .statics
        .iter()
        .chain(heads.monitor.parts.iter().filter(automata))
    {
        let _ = writeln!(text, "  {}", put(part));
    }
    for local in &heads.static_locals {
        for (n, leaf) in local.variables() {
            let _ = writeln!(
                text,
                "  {{ unsigned long long {RECORDED} = {0} ? (unsigned long long)*{0} : {1}ULL; ba_x_put(&{RECORDED}, sizeof {RECORDED}); }}",
                pointer(&n),
                leaf.initial as u64
            );
        }
    }
    text.push_str("  ba_x_more();\n}\nvoid ba_x_letter(void) {\n");
    for variable in variables {
        let _ = writeln!(text, "  ba_x_value({variable});");
    }
    let _ = write!(
        text,
        "}}\nconst int ba_x_sampled = {};\n",
        i32::from(sampled)
    );
    text
}

/// C text that tells the clock of the formulas, if the program has one.
pub fn now(heads: &Heads) -> &'static str {
    match heads.own.now {
        Some(_) => {
            "const int ba_x_has_now = 1;\nunsigned long long ba_x_now(void) { return ba_clock_now(); }\n"
        }
        None => {
            "const int ba_x_has_now = 0;\nunsigned long long ba_x_now(void) { return 0; }\n"
        }
    }
}

/// The body of a function with the parameters `number` and `object` that tells the search what threads report.
pub const HEARS: &str = "{ ba_x_tells(number, object); }";
/// What it calls.
pub const HEARD: &str = "void ba_x_tells(unsigned long, const volatile void *);\n";

/// C text that lets the search ask for the verdict of the run so far: `asks`, or that is never asked.
pub fn verdict(asks: bool) -> &'static str {
    match asks {
        true => "void ba_x_tells_violation(void) { ba_finish(); }\n",
        false => "void ba_x_tells_violation(void) {}\n",
    }
}

/// The names of the variables that [`program`] adds. What they stand for is recorded itself.
pub fn added(heads: &Heads) -> impl Iterator<Item = String> + '_ {
    let locals = heads.static_locals.iter().flat_map(StaticLocal::variables);
    locals.map(|(n, _)| pointer(&n))
}

fn pointer(number: &str) -> String {
    format!("ba_static_{number}")
}

/// The pointers to the scalars of a static local, set when control first passes the declaration.
fn declared(local: &StaticLocal) -> String {
    let (mut pointers, mut passed) = (String::new(), String::new());
    for (n, leaf) in local.variables() {
        let (ty, way) = (leaf.scalar.integer_type(), &leaf.way);
        let pointer = pointer(&n);
        let _ = writeln!(pointers, "static {ty} *{pointer};");
        let _ = write!(passed, "{pointer} = ({ty} *)&ba_name{way}; ");
    }
    format!(
        "{pointers}#define BA_STATIC_{}(ba_name) {{ {passed}}}\n",
        local.number
    )
}

/// The macro of a head: it forgets what is read no more, and records the relevant locals there.
fn head(head: &Head, forgets: &str) -> String {
    if head.obstacle.is_some() {
        return format!("#define BA_HEAD_{}(ba_count) ((void)ba_count)\n", head.site);
    }
    let mut text = format!(
        "#define BA_HEAD_{0}(ba_count) {{ (void)ba_count; {forgets} if (ba_x_arrives({0}, __builtin_frame_address(0))) {{ ",
        head.site
    );
    for part in &head.locals {
        text.push_str(&put(part));
        text.push(' ');
    }
    text.push_str("ba_x_head(); } }\n");
    text
}

/// Whether a value is only recorded as a part of the state, as [`program`] does it.
pub(crate) fn is_recorded(tree: &Tree, e: ExprId) -> bool {
    let mut at = tree.exprs[e].parent;
    while let Parent::Expr(outer) = at {
        match tree.exprs[outer].kind {
            ExprKind::Cast(_) => at = tree.exprs[outer].parent,
            _ => return false,
        }
    }
    let Parent::Init(init) = at else {
        return false;
    };
    let Parent::Declarator(decl, n) = tree.inits[init].parent else {
        return false;
    };
    let entity = tree.decls[decl].declared.get(n).map(|d| d.entity);
    matches!(entity, Some(Entity::Object(o)) if tree.objects[o].name == RECORDED)
}

/// A statement that records the value of a part of the state.
fn put(part: &StatePart) -> String {
    let lvalue = &part.lvalue;
    match part.scalar {
        Scalar::Real => {
            format!("{{ __typeof__({lvalue}) {RECORDED} = {lvalue}; ba_x_put(&{RECORDED}, sizeof {RECORDED}); }}")
        }
        Scalar::Integer(bits, _) if bits > 64 => {
            format!("{{ __int128 {RECORDED} = (__int128){lvalue}; ba_x_put(&{RECORDED}, sizeof {RECORDED}); }}")
        }
        scalar => {
            // The fewer bytes a state has, the more states fit.
            let ty = match scalar {
                Scalar::Truth | Scalar::Integer(8 | 16 | 32, _) => scalar.integer_type(),
                _ => "unsigned long long",
            };
            format!(
                "{{ {ty} {RECORDED} = ({ty}){lvalue}; ba_x_put(&{RECORDED}, sizeof {RECORDED}); }}"
            )
        }
    }
}

/// Functions of the library that only produce output.
pub const QUIET: [&str; 17] = [
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "puts",
    "fputs",
    "putchar",
    "fputc",
    "putc",
    "fflush",
    "perror",
    "clearerr",
    "fwrite",
    "sleep",
    "usleep",
    "nanosleep",
    "sched_yield",
];

/// Functions that give a text for people. Its place is nowhere that the program may read: what is in it is not known.
pub const TEXTS: [&str; 3] = ["strerror", "strsignal", "gai_strerror"];

/// The variables of the library that tell of options of the command line, with their definitions.
pub const OPTIONS: [(&str, &str); 4] = [
    ("optarg", "char *optarg;\n"),
    ("optind", "int optind = 1;\n"),
    ("opterr", "int opterr = 1;\n"),
    ("optopt", "int optopt = '?';\n"),
];

/// The functions by which the emitted program says that nothing is known any more of bytes.
pub const FORGETS: [&str; 3] = ["ba_x_forget", "ba_x_forget_text", "ba_x_cut"];

/// Functions that end the process; the woven program announces the end before their calls.
pub const ENDS: [&str; 8] = [
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "__assert_fail",
    "__VERIFIER_error",
    "__assert",
];

/// Whether a function's arguments have no effect on the program's computations.
pub fn is_quiet(name: &str) -> bool {
    let silent = QUIET.contains(&name) || TEXTS.contains(&name) || ENDS.contains(&name);
    silent || name.starts_with("ba_x_")
}

/// Whether an undefined name is neither the search's nor a known function's, so that its results would be unknown.
pub fn is_unknown(name: &str) -> bool {
    let known = name.starts_with("ba_x_")
        || name.starts_with("nondet_ba_")
        || name.starts_with("__ubsan")
        || assumes(name)
        || QUIET.contains(&name)
        || TEXTS.contains(&name)
        || ENDS.contains(&name)
        || is_pure(name)
        || matches!(
            name,
            "stdin" | "stdout" | "stderr" | "_GLOBAL_OFFSET_TABLE_" | "__stack_chk_fail"
        );
    !known
}

/// Whether a function discards the run if its argument is 0.
pub fn assumes(name: &str) -> bool {
    matches!(
        name,
        "ba_x_assume" | "__VERIFIER_assume" | "__CPROVER_assume" | "__ESBMC_assume"
    )
}
