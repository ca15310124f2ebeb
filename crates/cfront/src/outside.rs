//! Functions of POSIX that tell through pointers what happens outside: which files are ready, how a process ended, where a
//! connection comes from.
//!
//! Model checkers do not know what they store. Each gets a definition in C (`templates/outside.c`) over inputs with plain values:
//! `poll` gives each file any of the events that were asked for, by the results of a function `poll_revents` that nobody defines.
//! What they give is what POSIX allows. A program that is executed calls the library's function. The changes stay within their
//! lines.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::allocations::{library_name, starts_threads};
use crate::consteval::{is_null, size_of};
use crate::parse::Unit;
use crate::rewriting::{Names, Native, Substituted, Text};
use crate::span::ExprId;
use crate::tree::{ExprKind, Tree};
use crate::types::{ArrayLen, QualType, Type};

const DEFINITIONS: &str = include_str!("../../../templates/outside.c");

/// What is behind the name of a function in the name of the one that stands for it.
const OUTSIDE: &str = "_outside";

/// The file that the lines of the definitions are from.
const FILE: &str = "outside";

/// How a definition goes through the elements of an array.
const EACH: &str = "for (unsigned long i = 0; i < count; i++) ";

/// The greatest number of elements for which such a loop is written out.
const FEW: u64 = 16;

/// How a block begins a line with the name of another function that does the same.
const SAME: &str = "/* the same: ";

/// How what declares a function ends that is defined in programs with one thread: threads wait with times, on which nothing else
/// depends, and another one would access what it remembers.
const ALONE: &str = " /* alone */";

/// The definition of a function, in the words of the template.
struct Definition {
    name: String,
    text: String,
}

/// All definitions.
static KNOWN: LazyLock<Vec<Definition>> =
    LazyLock::new(|| DEFINITIONS.split("\n\n").skip(1).flat_map(block).collect());

/// The definitions of a block.
fn block(text: &str) -> Vec<Definition> {
    let mark = format!("{OUTSIDE})(");
    let before = text.split_once(&mark).map(|(before, _)| before);
    let Some((_, name)) = before.and_then(|before| before.rsplit_once('(')) else {
        return Vec::new();
    };
    let (own, same): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| !line.starts_with(SAME));
    let own = own.join("\n") + "\n";
    let of = |line: &str| Some(line.strip_prefix(SAME)?.strip_suffix(" */")?.to_owned());
    let same = same.into_iter().filter_map(of);
    let names = std::iter::once(name.to_owned()).chain(same);
    names
        .map(|other| Definition {
            text: own.replace(name, &other),
            name: other,
        })
        .collect()
}

impl Definition {
    /// What declares the function: the line in front of its body.
    fn declared(&self) -> &str {
        let mark = format!("({}{OUTSIDE})(", self.name);
        let mut lines = self.text.lines();
        lines.find(|line| line.contains(&mark)).unwrap_or_default()
    }

    /// Whether only programs with one thread have it.
    fn is_alone(&self) -> bool {
        self.declared().ends_with(ALONE)
    }

    /// The types of its parameters, each with a name.
    fn parameters(&self) -> Vec<&str> {
        let declared = self.declared();
        let declared = declared.strip_suffix(ALONE).unwrap_or(declared);
        let list = declared.rsplit_once(")(").map(|(_, list)| list);
        let list = list.and_then(|list| list.strip_suffix(')'));
        list.unwrap_or_default().split(", ").collect()
    }

    /// The names that it defines or expects.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.heads("extern ").chain(self.heads("static "))
    }

    /// The names that lines declare which begin so.
    fn heads(&self, begin: &'static str) -> impl Iterator<Item = &str> {
        let lines = self.text.lines().filter(move |l| l.starts_with(begin));
        lines.filter_map(|line| Some(line.split_once('(')?.1.split_once(')')?.0))
    }

    /// Whether the arguments of a call are what its parameters take.
    fn takes(&self, tree: &Tree, args: &[ExprId]) -> bool {
        let parameters = self.parameters();
        let mut pairs = parameters.iter().zip(args);
        parameters.len() == args.len() && pairs.all(|(p, arg)| fits(tree, p, *arg))
    }

    /// The number of elements of the array that a call gives, if the function goes through all of them and they are few.
    fn elements(&self, tree: &Tree, args: &[ExprId]) -> Option<u64> {
        let first = tree.exprs[*args.first()?].ty;
        match tree.types.get(first) {
            Type::Array(_, ArrayLen::Known(n)) if self.text.contains(EACH) && *n <= FEW => Some(*n),
            _ => None,
        }
    }

    /// A run that is executed calls the function of the library.
    fn native(&self, named: &BTreeSet<Named>) -> Native {
        let name = &self.name;
        let mut before = vec!["#if !BA_CHOOSES".to_owned()];
        let calls = named.iter().map(|of| of.name(name));
        before.extend(calls.map(|call| format!("#define {call}(...) {name}(__VA_ARGS__)")));
        let inputs = self.heads("extern ");
        before.extend(inputs.map(|input| format!("#define {input}() 0")));
        before.push("#endif".to_owned());
        Native {
            before,
            behind: Vec::new(),
        }
    }

    /// The definitions of what calls in a file are calls of.
    fn defined(&self, named: &BTreeSet<Named>, part: usize) -> String {
        let at = self.text.find(self.declared()).unwrap_or_default();
        let (before, own) = self.text.split_at(at);
        let here = named.iter().filter(|of| of.part == part);
        let texts: Vec<String> = here.map(|of| of.written(&self.name, own)).collect();
        if texts.is_empty() {
            return String::new();
        }
        let text = format!("{before}{}\n", texts.join("\n"));
        text.replace(ALONE, "")
    }
}

/// Which of its definitions a function has at a call: for a number of elements, or for any.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Named {
    elements: Option<u64>,
    /// The file with the call.
    part: usize,
}

impl Named {
    fn name(self, function: &str) -> String {
        match self.elements {
            Some(n) => format!("{function}{OUTSIDE}_{n}"),
            None => format!("{function}{OUTSIDE}"),
        }
    }

    /// A definition under this name. A loop through all elements is written out where their number is known: a proof has nothing
    /// to say of it then.
    fn written(self, function: &str, text: &str) -> String {
        let line = |line: &str| match (line.split_once(EACH), self.elements) {
            (Some((indent, each)), Some(n)) => {
                let one = |i: u64| {
                    let each = each.replace("[i]", &format!("[{i}]"));
                    format!("{indent}if (count > {i}) {each}\n")
                };
                // Further elements are outside of the array, as they are for the function.
                (0..=n).map(one).collect()
            }
            _ => format!("{line}\n"),
        };
        let text: String = text.lines().map(line).collect();
        let own = format!("({function}{OUTSIDE})(");
        text.replace(&own, &format!("({})(", self.name(function)))
    }
}

/// Whether a pointer leads to what a parameter says; other arguments are converted.
fn fits(tree: &Tree, parameter: &str, arg: ExprId) -> bool {
    let Some(wanted) = pointee(parameter) else {
        return true;
    };
    let target = match tree.types.get(tree.exprs[arg].ty) {
        Type::Array(element, _) => Some(*element),
        _ => tree.types.pointee(tree.exprs[arg].ty),
    };
    is_null(tree, arg) || target.is_some_and(|ty| leads_to(tree, ty, wanted))
}

/// What a parameter that is a pointer leads to.
fn pointee(parameter: &str) -> Option<&str> {
    let (ty, _) = parameter.split_once('*')?;
    Some(ty.trim_start_matches("const ").trim())
}

fn leads_to(tree: &Tree, ty: QualType, wanted: &str) -> bool {
    let of_record = |is: &dyn Fn(&str, &[String]) -> bool| match tree.types.get(ty) {
        Type::Record(id) => {
            let record = &tree.types.records[*id];
            let members = record.members.iter().flatten();
            let members: Vec<String> = members.filter_map(|m| m.name.clone()).collect();
            is(record.tag.as_deref().unwrap_or_default(), &members)
        }
        _ => false,
    };
    match wanted.strip_prefix("struct ") {
        Some(tag) => of_record(&|own, members| own == tag && !members.is_empty()),
        None if wanted == "fd_set" => of_record(&|_, members| {
            let mut all = members.iter();
            all.any(|m| m.trim_start_matches('_') == "fds_bits")
        }),
        None if wanted == "void" => true,
        None => {
            let bits = match wanted {
                "long" => tree.types.model.long,
                _ => tree.types.model.int,
            };
            size_of(tree, ty) == Some(u64::from(bits) / 8)
                && matches!(tree.types.get(ty), Type::Int(_))
        }
    }
}

/// The text of each file of a program in which calls of such functions call definitions of them; `None` if it calls none. Those
/// that `is_input` names are left, and those with arguments that a definition does not take. Linear in the program.
pub fn told(unit: &Unit, is_input: &dyn Fn(&str) -> bool) -> Option<Substituted> {
    let tree = &unit.tree;
    let known: BTreeMap<&str, &Definition> = KNOWN.iter().map(|d| (d.name.as_str(), d)).collect();
    let threads = LazyCell::new(|| starts_threads(tree));
    let calls: Vec<(ExprId, &[ExprId], &Definition)> = tree
        .exprs
        .ids()
        .filter_map(|call| {
            let of = *known.get(library_name(tree, call)?)?;
            let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
                return None;
            };
            let wanted = !(is_input(&of.name) || of.is_alone() && *threads);
            (wanted && of.takes(tree, args)).then_some((call, args.as_slice(), of))
        })
        .collect();
    let names = Names::of(unit);
    let mut text = Text::of(unit);
    let mut used: BTreeMap<&str, (&Definition, BTreeSet<Named>)> = BTreeMap::new();
    for (call, args, of) in calls {
        if of.names().any(|name| names.free(name) != name) {
            continue;
        }
        let named = Named {
            elements: of.elements(tree, args),
            part: unit.part_of(tree.exprs[call].span.start),
        };
        let name = named.name(&of.name);
        let declared = named.written(&of.name, of.declared()).replace(ALONE, "");
        text.declare_before(call, &name, &format!("{}; ", declared.trim_end()));
        text.call_instead(call, &name);
        let (_, all) = used.entry(&of.name).or_insert((of, BTreeSet::new()));
        all.insert(named);
    }
    if used.is_empty() {
        return None;
    }
    let mut native = Native::default();
    for (of, named) in used.values() {
        native.and(of.native(named));
    }
    let sources = text.sources().into_iter().enumerate();
    let sources = sources.map(|(part, source)| {
        let texts = used.values().map(|(of, all)| of.defined(all, part));
        let defined: String = texts.collect();
        match defined.is_empty() {
            true => source,
            false => source.and_file(FILE, defined),
        }
    });
    Some(Substituted {
        sources: sources.collect(),
        native,
    })
}

/// A piece of the text as the user wrote it.
pub fn restored(text: &str) -> String {
    // Most have none of these names.
    if !text.contains(OUTSIDE) {
        return text.to_owned();
    }
    KNOWN.iter().fold(text.to_owned(), |text, of| {
        let own = format!("{}{OUTSIDE}", of.name);
        let mut parts = text.split(own.as_str());
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |out, part| {
            let number = part
                .trim_start_matches('_')
                .trim_start_matches(|c: char| c.is_ascii_digit());
            match number.starts_with('(') {
                true => out + &of.name + number,
                false => out + &of.name + OUTSIDE + part,
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewriting::behind;

    const BEGIN: &str = "# 1 \"p.c\"\nstruct pollfd { int fd; short events, revents; }; int poll(struct pollfd *, unsigned long, int); int wait(int *);\n";

    fn changed(text: &str) -> Option<String> {
        behind(BEGIN, text, |unit| told(unit, &|name| name == "wait"))
    }

    #[test]
    fn each_definition_has_a_name_parameters_and_inputs() {
        assert!(KNOWN.len() >= 23, "{}", KNOWN.len());
        for of in KNOWN.iter() {
            assert!(of.declared().starts_with("static "), "{}", of.name);
            assert!(of.parameters().iter().all(|p| !p.is_empty()));
            let inputs = of.names().filter(|name| name.starts_with(&of.name));
            assert!(inputs.count() >= 2, "{}", of.text);
        }
    }

    #[test]
    fn a_loop_through_an_array_of_known_length_is_written_out() {
        let text = changed("struct pollfd p[2]; int main(void) { return poll(p, 2, 10); }");
        let text = text.expect("it polls");
        for wanted in [
            "static int (poll_outside_2)(struct pollfd *files, unsigned long count, int limit); int main(void) { return poll_outside_2(p, 2, 10); }",
            "extern short (poll_revents)(void);",
            "if (count > 1) ready += poll_among(&files[1]);",
            // One element too many is an access outside of the array, as in the library.
            "if (count > 2) ready += poll_among(&files[2]);",
        ] {
            assert!(text.contains(wanted), "{wanted}: {text}");
        }
        assert!(!text.contains("for ("), "{text}");
        let any = changed("int f(struct pollfd *p, int n) { return poll(p, n, -1); }");
        assert!(any.is_some_and(|t| t.contains("poll_outside(p, n, -1)") && t.contains(EACH)));
        assert_eq!(
            restored("x = poll_outside_2(p, 2, 10)"),
            "x = poll(p, 2, 10)"
        );
        assert_eq!(restored("poll_outside(p)"), "poll(p)");
        assert_eq!(restored("poll_outside_x(p)"), "poll_outside_x(p)");
    }

    #[test]
    fn what_has_another_meaning_stays_as_it_is() {
        for text in [
            // The specification says what it gives.
            "int main(void) { int s; return wait(&s); }",
            "int poll_fails; struct pollfd p[2]; int main(void) { return poll(p, 2, 10); }",
            "struct other { int fd; } p[2]; int main(void) { return poll((void *)p, 2, 10) + poll(0, 2); }",
        ] {
            assert_eq!(changed(text), None, "{text}");
        }
        let own = BEGIN.replace("int wait(int *);", "int wait(int *s) { return *s; }");
        let own = behind(&own, "int s; int main(void) { return wait(&s); }", |u| {
            told(u, &|_| false)
        });
        assert_eq!(own, None);
    }
}
