//! The arguments of the command line. Each that the program reads, at a constant place, has one of the texts that the program
//! compares it with, a number that makes a difference to it, or any other text. Those others have a place that nobody can read:
//! contracts stand for what functions of the library say of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cfront::access::{usage, Use};
use cfront::arguments::names;
use cfront::consteval::eval;
use cfront::literal::plain_text;
use cfront::span::{ExprId, FunctionId};
use cfront::tree::{BinaryOp, ExprKind, Parent, Tree, UnaryOp};
use cfront::types::Class;
use cfront::Unit;

use super::Obstacle;
use crate::flows::{called, calls_of};
use crate::text;

/// The function that gives an argument, in the program that is compiled.
const GIVES: &str = "ba_x_argument";
/// The most texts of one argument.
const MOST: usize = 24;
/// The most bytes of one: traces show no more.
const BYTES: usize = 15;

/// The arguments that a program reads.
#[derive(Clone, Debug, Default)]
pub(super) struct Arguments(BTreeMap<u32, Argument>);

/// An argument.
#[derive(Clone, Debug, Default)]
struct Argument {
    /// Which one it is.
    place: u32,
    /// Functions that the program calls with it and without a text.
    taken_by: BTreeSet<FunctionId>,
    /// The texts that it may have. The last one stands for all others.
    texts: Vec<Vec<u8>>,
}

impl Arguments {
    /// The arguments of a program, with the texts that it compares them with.
    ///
    /// # Errors
    /// A use of the arguments that is not followed.
    pub fn of(unit: &Unit) -> Result<Arguments, Obstacle> {
        let tree = &unit.tree;
        let mut out = Arguments::default();
        for (call, expr) in tree.exprs.iter() {
            let ExprKind::Call { callee, args, .. } = &expr.kind else {
                continue;
            };
            let gives = called(tree, *callee).is_some_and(|f| tree.functions[f].name == GIVES);
            let site = args.first().and_then(|a| eval(tree, *a));
            let site = site.and_then(|s| u32::try_from(s).ok());
            if let (true, Some(site), Some(place)) = (gives, site, given_to(tree, call)) {
                let argument = Argument {
                    place,
                    ..Argument::default()
                };
                out.0.insert(site, argument);
            }
        }
        out.refuse(tree)?;
        out.read(unit);
        Ok(out)
    }

    /// Refuses uses of the arguments that are not followed.
    fn refuse(&self, tree: &Tree) -> Result<(), Obstacle> {
        let Some(main) = tree.function_named("main") else {
            return Ok(());
        };
        let params = tree.functions[main].body.iter().flat_map(|b| &b.params);
        for (number, &object) in params.enumerate() {
            let mut all = names(tree, object);
            let refused = match number {
                0 => {
                    let first = all.min_by_key(|name| tree.exprs[*name].span.start);
                    first.filter(|first| !is_chosen(tree, *first))
                }
                1 => all.find(|name| !self.follows(tree, *name)),
                _ => all.next(),
            };
            if let Some(name) = refused {
                return Err(Obstacle {
                    message: "the program reads the arguments of its command line".into(),
                    at: tree.exprs[name].span.start,
                });
            }
            let again = (names(tree, object).next().is_some())
                .then(|| calls_of(tree, main).next())
                .flatten();
            if let Some(call) = again {
                return Err(Obstacle {
                    message: "the program calls `main`, which has arguments".into(),
                    at: tree.exprs[call].span.start,
                });
            }
        }
        Ok(())
    }

    /// Whether a use of the array of arguments is followed: a read at a place that has its text.
    fn follows(&self, tree: &Tree, name: ExprId) -> bool {
        let Parent::Expr(around) = tree.exprs[name].parent else {
            return false;
        };
        match tree.exprs[around].kind {
            // The text in front of the program makes the array.
            ExprKind::Assign { lhs, .. } => lhs == name,
            ExprKind::Index { base, index } if base == name => {
                let place = eval(tree, index).and_then(|i| u32::try_from(i).ok());
                let known = self.0.values().any(|a| Some(a.place) == place);
                known && (usage(tree, around) == Use::Read || is_given(tree, around))
            }
            ExprKind::Binary(op, ..) => matches!(op, BinaryOp::Eq | BinaryOp::Ne),
            ExprKind::Unary(op, _) => op == UnaryOp::Not,
            ExprKind::Call {
                callee, ref args, ..
            } => {
                let at = args.iter().position(|a| *a == name);
                at.is_some_and(|at| is_ignored(tree, callee, at))
            }
            _ => tree.types.class(tree.exprs[around].ty) == Class::Void,
        }
    }

    /// Notes what the program does with each argument: the texts beside it in calls, and the functions that take it without one.
    /// Where an argument goes elsewhere, it may have any of the texts in calls.
    fn read(&mut self, unit: &Unit) {
        let tree = &unit.tree;
        let Some(array) = cfront::arguments::parameter(tree) else {
            return;
        };
        let anywhere = words(unit, &|_| true);
        for name in names(tree, array) {
            let Parent::Expr(whole) = tree.exprs[name].parent else {
                continue;
            };
            let ExprKind::Index { base, index } = tree.exprs[whole].kind else {
                continue;
            };
            let place = eval(tree, index).and_then(|i| u32::try_from(i).ok());
            let argument = self.0.values_mut().find(|a| Some(a.place) == place);
            let Some(argument) = argument.filter(|_| base == name && !is_given(tree, whole)) else {
                continue;
            };
            let Some((call, f)) = taking(tree, whole) else {
                argument.texts.extend(anywhere.clone());
                continue;
            };
            let beside = words(unit, &|of| of == call);
            if beside.is_empty() {
                argument.taken_by.insert(f);
            }
            argument.texts.extend(beside);
        }
    }

    /// Whether a site gives the bytes of an argument.
    pub fn gives(&self, site: u32) -> bool {
        self.0.contains_key(&site)
    }

    /// Completes the texts by numbers: those that matter of the results of functions that take an argument.
    pub fn number(&mut self, of: &dyn Fn(FunctionId) -> Vec<i128>) {
        for argument in self.0.values_mut() {
            let numbers = argument.taken_by.iter().flat_map(|f| of(*f));
            let numbers = numbers.map(|n| n.to_string().into_bytes());
            let mut texts: Vec<Vec<u8>> = Vec::new();
            for text in argument.texts.drain(..).chain(numbers) {
                if texts.len() < MOST && text.len() <= BYTES && !texts.contains(&text) {
                    texts.push(text);
                }
            }
            let other = (1..=BYTES).map(|n| vec![b'?'; n]);
            texts.extend(other.into_iter().find(|text| !texts.contains(text)));
            argument.texts = texts;
        }
    }

    /// C definitions of what gives arguments. Where only some runs are visited, the last text of each is no more than itself.
    pub fn tables(&self, some: bool) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let mut all = String::new();
        let mut places = 0;
        let (mut given, mut differ, mut bytes) = (String::new(), String::new(), String::new());
        for (site, argument) in &self.0 {
            let mut starts = Vec::new();
            for text in &argument.texts {
                starts.push(places.to_string());
                places += text.len() + 1;
                for byte in text {
                    let _ = write!(all, "\\{byte:03o}");
                }
                all.push_str("\\000");
            }
            let count = starts.len();
            let numbers: Vec<String> = (0..count).map(|n| n.to_string()).collect();
            let _ = write!(
                bytes,
                "static const char *ba_x_begins_{site}, *ba_x_at_{site};\n\
                 static const unsigned short ba_x_starts_{site}[] = {{ {} }};\n\
                 static long long ba_x_byte_{site}(void) {{\n  static const long long of[] = {{ {} }};\n\
                 \x20 if (!ba_x_begins_{site}) ba_x_begins_{site} = ba_x_at_{site} = ba_x_texts + ba_x_starts_{site}[ba_x_choice(of, {count})];\n\
                 \x20 return *ba_x_at_{site} ? (unsigned char)*ba_x_at_{site}++ : 0;\n}}\n",
                starts.join(", "),
                numbers.join(", "),
            );
            let elsewhere = match some {
                true => "0".to_owned(),
                false => format!(
                    "ba_x_begins_{site} == ba_x_texts + ba_x_starts_{site}[{}]",
                    count - 1
                ),
            };
            // The first such place is that of what `getopt` and `strerror` give.
            let place = 16 * (u64::from(argument.place) + 2);
            let _ = writeln!(
                given,
                "    case {site}: return {elsewhere} ? (void *){place} : (void *)ba_x_begins_{site};"
            );
            let _ = writeln!(
                differ,
                "  for (int n = 0; (unsigned long)place == {place} && n < {}; n++) if (!strcmp(ba_x_texts + ba_x_starts_{site}[n], text)) return 1;",
                count - 1
            );
        }
        format!(
            "{HEADERS}static const char ba_x_texts[] = \"{all}\";\n{bytes}\
             void *ba_x_argument(unsigned site) {{\n  switch (site) {{\n{given}    default: ba_x_gone(); return 0;\n  }}\n}}\n\
             int ba_x_string(const void *place) {{ return (const char *)place >= ba_x_texts && (const char *)place < ba_x_texts + sizeof ba_x_texts; }}\n\
             int ba_x_differs(const void *place, const char *text) {{\n{differ}  return 0;\n}}\n{EXECUTED}"
        )
    }

    /// Cases of a `switch` over sites.
    pub fn cases(&self) -> String {
        let sites = self.0.keys();
        sites
            .map(|site| format!("    case {site}: return ba_x_byte_{site}();\n"))
            .collect()
    }
}

/// The headers of the functions that are executed.
const HEADERS: &str = "#include <stdlib.h>\n#include <string.h>\n#include <strings.h>\n";

/// The functions of the library that are executed where the strings are known.
const EXECUTED: &str = "int ba_x_atoi(const char *a) { return atoi(a); }
long ba_x_atol(const char *a) { return atol(a); }
long long ba_x_atoll(const char *a) { return atoll(a); }
long ba_x_strtol(const char *a, char **end, int base) { return strtol(a, end, base); }
long long ba_x_strtoll(const char *a, char **end, int base) { return strtoll(a, end, base); }
unsigned long ba_x_strtoul(const char *a, char **end, int base) { return strtoul(a, end, base); }
unsigned long ba_x_strlen(const char *a) { return strlen(a); }
int ba_x_strcmp(const char *a, const char *b) { return strcmp(a, b); }
int ba_x_strncmp(const char *a, const char *b, unsigned long n) { return strncmp(a, b, n); }
int ba_x_strcasecmp(const char *a, const char *b) { return strcasecmp(a, b); }
int ba_x_strncasecmp(const char *a, const char *b, unsigned long n) { return strncasecmp(a, b, n); }
";

/// Whether a name of the number of arguments stands where the text in front of the program chooses it.
fn is_chosen(tree: &Tree, name: ExprId) -> bool {
    stored(tree, name).is_some_and(|f| f.starts_with("ba_choose_"))
}

/// Whether the text in front of the program stores an argument in this element.
fn is_given(tree: &Tree, element: ExprId) -> bool {
    stored(tree, element) == Some(GIVES)
}

/// Whether a function does nothing with an argument: one that stands for another by contract.
fn is_ignored(tree: &Tree, callee: ExprId, at: usize) -> bool {
    let f = called(tree, callee).map(|f| &tree.functions[f]);
    let param = f.and_then(|f| f.body.as_ref()?.params.get(at).copied());
    let is_void = |name: ExprId| match tree.exprs[name].parent {
        Parent::Expr(around) => tree.types.class(tree.exprs[around].ty) == Class::Void,
        _ => false,
    };
    param.is_some_and(|param| names(tree, param).all(is_void))
}

/// The function whose result an assignment stores in an lvalue.
fn stored(tree: &Tree, lvalue: ExprId) -> Option<&str> {
    let Parent::Expr(around) = tree.exprs[lvalue].parent else {
        return None;
    };
    let ExprKind::Assign { lhs, rhs, .. } = tree.exprs[around].kind else {
        return None;
    };
    let ExprKind::Call { callee, .. } = tree.exprs[tree.uncast(rhs)].kind else {
        return None;
    };
    let f = called(tree, callee).filter(|_| lhs == lvalue)?;
    Some(tree.functions[f].name.as_str())
}

/// The place of the argument that a call gives.
fn given_to(tree: &Tree, call: ExprId) -> Option<u32> {
    let mut at = call;
    loop {
        let Parent::Expr(around) = tree.exprs[at].parent else {
            return None;
        };
        match tree.exprs[around].kind {
            ExprKind::Assign { lhs, .. } => {
                let ExprKind::Index { index, .. } = tree.exprs[lhs].kind else {
                    return None;
                };
                return eval(tree, index).and_then(|i| u32::try_from(i).ok());
            }
            _ => at = around,
        }
    }
}

/// The call that an expression is an argument of, and the function; none if it is one for people only, or unknown.
fn taking(tree: &Tree, argument: ExprId) -> Option<(ExprId, FunctionId)> {
    let mut at = argument;
    loop {
        let Parent::Expr(around) = tree.exprs[at].parent else {
            return None;
        };
        match &tree.exprs[around].kind {
            ExprKind::Call { callee, args, .. } if args.contains(&at) => {
                return called(tree, *callee).map(|f| (around, f));
            }
            _ if tree.uncast(around) == argument => at = around,
            _ => return None,
        }
    }
}

/// The string literals among the arguments of some calls.
fn words(unit: &Unit, of: &dyn Fn(ExprId) -> bool) -> Vec<Vec<u8>> {
    let tree = &unit.tree;
    let mut out = Vec::new();
    for (call, expr) in tree.exprs.iter() {
        let ExprKind::Call { callee, args, .. } = &expr.kind else {
            continue;
        };
        let f = called(tree, *callee);
        let quiet = f.is_some_and(|f| text::is_quiet(&tree.functions[f].name));
        if quiet || !of(call) {
            continue;
        }
        for arg in args {
            let arg = &tree.exprs[tree.uncast(*arg)];
            if matches!(arg.kind, ExprKind::Str(_)) {
                let text = plain_text(arg.bare.of(unit.text())).map(String::into_bytes);
                out.extend(text.filter(|text| !text.contains(&0)));
            }
        }
    }
    out
}
