//! The text of a `main` that calls entries.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::arguments::{Argument, Arguments};
use super::{Entries, CHOICE, FILE};
use crate::diag::Diagnostic;
use crate::parse::Unit;
use crate::source::Source;
use crate::span::Span;
use crate::tree::{Function, Tree};
use crate::types::{QualType, Type};

/// A program with a `main` that calls its entries.
pub struct Driver {
    /// The text, in which every line of the program has its number.
    pub source: Source,
    /// What answers rest on, a sentence each.
    pub assumptions: Vec<String>,
    /// The arguments of each function, in the order of [`super::Calls::functions`].
    pub arguments: Vec<Vec<Argument>>,
}

/// The names of the functions that other files can call, in the order of the text: those that can be entries.
pub fn external(tree: &Tree) -> impl Iterator<Item = &str> {
    let defined = tree.defined_functions().map(|(_, function, _)| function);
    let visible = defined.filter(|f| !f.is_static && !f.is_inline && !f.in_system_header);
    visible.map(|f| f.name.as_str())
}

impl Driver {
    /// A program of one file, and behind it a `main` that calls its entries. Linear in the program and in the size of the
    /// arguments, times the number of calls that may follow a call.
    ///
    /// # Errors
    /// A program that has a `main`; an entry that the program does not define, or whose arguments have no values here.
    pub fn new(unit: &Unit, entries: &Entries) -> Result<Driver, Diagnostic> {
        let body = text(unit, entries, &|_| false)?;
        let text = format!("{}{}", body.objects, body.main);
        Ok(Driver {
            source: unit.source.clone().and_file(FILE, text),
            assumptions: body.assumptions,
            arguments: body.arguments,
        })
    }
}

/// The parts of the text.
struct Text {
    /// Declarations and definitions at file scope.
    objects: String,
    main: String,
    assumptions: Vec<String>,
    arguments: Vec<Vec<Argument>>,
}

/// A `main` for a program as a file of its own, which is compiled with the program's files.
///
/// Types come from the program's headers. Where it has some in its C files alone, the file includes that C file and
/// stands for the whole program.
///
/// # Errors
/// As [`Driver::new`]; and an entry that other files cannot call.
pub fn written(unit: &Unit, entries: &Entries) -> Result<String, Diagnostic> {
    let tree = &unit.tree;
    let is_main_file = |file: &str| {
        unit.parts
            .iter()
            .any(|p| unit.source.lines.line(p.start).0 == file)
    };
    let files = used_files(unit, entries);
    let mut includes: Vec<&String> = files.iter().filter(|f| !is_main_file(f)).collect();
    let own: Vec<&String> = files.iter().filter(|f| is_main_file(f)).collect();
    let hidden = |function: &Function| function.is_static && own.is_empty();
    let body = text(unit, entries, &hidden)?;
    if !own.is_empty() {
        includes = own;
    }
    let alone = includes.iter().any(|f| is_main_file(f));
    let mut out = String::from(
        "/* Calls functions in any order, with any arguments. Change it as the program is used.\n",
    );
    out += match alone {
        true => "   It includes the program, whose types it needs: verify this file alone.\n",
        false => "   Verify it together with the program.\n",
    };
    out += "   cc -DBY_CHANCE makes a program of it that runs with values by chance. */\n";
    for file in includes {
        let _ = writeln!(out, "#include \"{file}\"");
    }
    if !alone {
        for name in &entries.calls.functions {
            let function = tree.function_named(name).map(|f| &tree.functions[f]);
            let declared = function.and_then(|f| tree.types.declare(f.ty, name, tree.file_scope()));
            if let Some(declared) = declared {
                let _ = writeln!(out, "extern {declared};");
            }
        }
    }
    out += &body.objects;
    out += &body.main;
    out += &by_chance(&body.objects);
    Ok(out)
}

/// Definitions of the functions that choose, for a native run: values by chance.
fn by_chance(objects: &str) -> String {
    let mut out = String::from("\n#ifdef BY_CHANCE\n#include <stdlib.h>\n");
    for line in objects.lines() {
        if let Some(choice) = line
            .strip_prefix("extern ")
            .and_then(|l| l.strip_suffix("(void);"))
        {
            let _ = writeln!(out, "{choice}(void) {{ return rand(); }}");
        }
    }
    out + "#endif\n"
}

/// The user's files that define the types of the entries' parameters and results.
fn used_files(unit: &Unit, entries: &Entries) -> BTreeSet<String> {
    let tree = &unit.tree;
    let mut out = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open: Vec<QualType> = Vec::new();
    for name in &entries.calls.functions {
        if let Some(function) = tree.function_named(name) {
            open.push(tree.functions[function].ty);
        }
    }
    while let Some(ty) = open.pop() {
        if !seen.insert(ty.ty) {
            continue;
        }
        let span = match tree.types.get(ty) {
            Type::Pointer(to) | Type::Array(to, _) => {
                open.push(*to);
                continue;
            }
            Type::Function(f) => {
                open.push(f.ret);
                open.extend(&f.params);
                continue;
            }
            Type::Record(id) => {
                let record = &tree.types.records[*id];
                open.extend(record.members.iter().flatten().map(|m| m.ty));
                record.span
            }
            Type::Enum(id) => tree.types.enums[*id].span,
            _ => continue,
        };
        if unit.source.lines.kind(span.start) == crate::linemap::RegionKind::User {
            out.insert(unit.source.lines.line(span.start).0.to_string());
        }
    }
    out
}

/// The functions that are called, by the order of their first mention.
fn chosen<'a>(
    tree: &'a Tree,
    entries: &Entries,
    hidden: &dyn Fn(&Function) -> bool,
) -> Result<Vec<&'a Function>, Diagnostic> {
    let main = tree.function_named("main");
    if let Some(main) = main.filter(|f| tree.functions[*f].body.is_some()) {
        let at = tree.functions[main].names.first().copied();
        let message = "the program has a `main`, which calls its functions: entries are for programs without one";
        return Err(Diagnostic::error(at.unwrap_or(Span::empty(0)), message));
    }
    let of = |name: &String| {
        let named = tree
            .defined_functions()
            .map(|(_, f, _)| f)
            .find(|f| f.name == *name);
        if let Some(function) = named.filter(|f| !hidden(f)) {
            return Ok(function);
        }
        let message = match named {
            Some(_) => format!("`{name}` is static: no other file can call it"),
            None => format!("the program defines no function `{name}`, which is named as an entry"),
        };
        let others: Vec<&str> = external(tree).collect();
        let help = format!("it has: {}", others.join(", "));
        let error = Diagnostic::error(
            named
                .and_then(|f| f.names.first().copied())
                .unwrap_or(Span::empty(0)),
            message,
        );
        Err(if others.is_empty() {
            error
        } else {
            error.help(help)
        })
    };
    entries.calls.functions.iter().map(of).collect()
}

/// The text of `main` and of what it needs.
fn text(
    unit: &Unit,
    entries: &Entries,
    hidden: &dyn Fn(&Function) -> bool,
) -> Result<Text, Diagnostic> {
    let tree = &unit.tree;
    let functions = chosen(tree, entries, hidden)?;
    let mut arguments = Arguments::new(unit, entries, hidden);
    arguments.keep(&functions);
    let (mut calls, mut told) = (Vec::new(), Vec::new());
    for function in &functions {
        let call = arguments.call(function)?;
        calls.push(call.lines);
        told.push(call.arguments);
    }
    let begin = arguments.begin()?;
    let choice = choice_type(functions.len());
    let mut objects = format!("extern {choice} {CHOICE}(void);\n");
    objects += &arguments.declarations();
    let mut main = format!("int main({})\n{{\n", parameters_of_main(tree));
    for line in begin {
        let _ = writeln!(main, "  {line}");
    }
    main += &loop_of(entries, &calls);
    main += "}\n";
    let mut assumptions = vec![order_in_words(entries)];
    assumptions.extend(arguments.assumptions());
    Ok(Text {
        objects,
        main,
        assumptions,
        arguments: told,
    })
}

/// The parameters of `main`, which a header may declare.
fn parameters_of_main(tree: &Tree) -> &'static str {
    let declared = tree.function_named("main").map(|f| tree.functions[f].ty);
    match declared.map(|ty| tree.types.get(ty)) {
        Some(Type::Function(of)) if of.prototype => match of.params.len() {
            0 => "void",
            1 => "int entry_argc",
            2 => "int entry_argc, char **entry_argv",
            _ => "int entry_argc, char **entry_argv, char **entry_envp",
        },
        _ => "void",
    }
}

/// What is called, in words.
fn order_in_words(entries: &Entries) -> String {
    let names = entries.calls.functions.join(", ");
    match entries.calls.any_order() {
        true => format!("these functions are called one at a time, in any order, without an end, with any arguments: {names}"),
        false => format!("these functions are called one at a time, as the expression of entries says, with any arguments: {names}"),
    }
}

/// The type of a choice among so many functions and the end.
fn choice_type(functions: usize) -> &'static str {
    match functions < usize::from(u8::MAX) {
        true => "unsigned char",
        false => "unsigned short",
    }
}

/// The loop that chooses calls.
fn loop_of(entries: &Entries, calls: &[Vec<String>]) -> String {
    let calls_of = &entries.calls;
    let mut out = String::new();
    let several = calls_of.states.len() > 1;
    if several {
        out += "  unsigned short entry_state = 0;\n";
    }
    out += "  for (;;) {\n";
    let choice = choice_type(calls.len());
    let _ = writeln!(out, "    {choice} entry_choice = {CHOICE}();");
    if !several {
        let state = &calls_of.states[0];
        out += &possibilities(state, calls, None, "    ");
        out += "  }\n";
        return out;
    }
    out += "    switch (entry_state) {\n";
    // A function that may be called in several states has its call in one place for each, so that it is known
    // there what was called before.
    for (number, state) in calls_of.states.iter().enumerate() {
        let _ = match number + 1 == calls_of.states.len() {
            true => writeln!(out, "    default:"),
            false => writeln!(out, "    case {number}:"),
        };
        out += &possibilities(state, calls, Some(number), "      ");
        out += "      break;\n";
    }
    out += "    }\n  }\n";
    out
}

/// The statement that makes the chosen call of a state.
fn possibilities(
    state: &super::State,
    calls: &[Vec<String>],
    number: Option<usize>,
    indent: &str,
) -> String {
    let mut out = String::new();
    let mut all: Vec<Option<(usize, usize)>> = state.calls.iter().map(|c| Some(*c)).collect();
    if state.ends {
        all.push(None);
    }
    let last = all.len().saturating_sub(1);
    for (at, call) in all.into_iter().enumerate() {
        let _ = match (at, last) {
            (_, 0) => writeln!(out, "{indent}{{"),
            (0, _) => writeln!(out, "{indent}if (entry_choice == 0) {{"),
            (at, last) if at == last => writeln!(out, "{indent}}} else {{"),
            _ => writeln!(out, "{indent}}} else if (entry_choice == {at}) {{"),
        };
        let Some((function, to)) = call else {
            let _ = writeln!(out, "{indent}  return 0;");
            continue;
        };
        for line in calls.get(function).into_iter().flatten() {
            let _ = writeln!(out, "{indent}  {line}");
        }
        if number.is_some_and(|from| from != to) {
            let _ = writeln!(out, "{indent}  entry_state = {to};");
        }
    }
    out + indent + "}\n"
}
