//! The text of a `main` for a program that has none: it calls functions in any order, with any arguments, for ever.

use std::fmt::Write as _;

use cfront::tree::{Function, Tree};
use cfront::types::{FloatKind, IntKind, QualType, Type};
use cfront::Unit;

/// Elements of an array whose length another parameter gives.
const LENGTH: u32 = 4;

/// Names of parameters that give the length of an array beside them.
const LENGTHS: [&str; 7] = ["n", "len", "length", "size", "count", "num", "nmemb"];

/// The C text of a harness that calls the functions named, or all that other files can call if none is named.
///
/// A scalar has any value of its type. A pointer to a scalar is null or points to one object with any value; to an
/// array of four elements where a parameter beside it is its length, which is then at least 1 and at most 4. The
/// objects live as long as the program, since a function may keep their address; later calls change their values.
///
/// # Errors
/// What stands in the way: a name that is no function of the program, a parameter that this harness has no
/// values for, a program with a `main`.
pub fn text(unit: &Unit, entries: &[String]) -> Result<String, String> {
    let tree = &unit.tree;
    let defined = tree
        .functions
        .iter()
        .map(|(_, f)| f)
        .filter(|f| f.body.is_some());
    let defined: Vec<&Function> = defined.collect();
    if defined.iter().any(|f| f.name == "main") {
        return Err("the program has a `main`, which calls its functions: a harness is for programs without one".into());
    }
    let chosen: Vec<&Function> = match entries {
        [] => {
            let visible = defined.iter().filter(|f| !f.is_static && !f.is_inline);
            visible.copied().collect()
        }
        names => {
            let of = |name: &String| {
                let named = defined.iter().find(|f| f.name == *name && !f.is_static);
                named.copied().ok_or_else(|| {
                    format!("the program defines no function `{name}` that other files can call")
                })
            };
            names.iter().map(of).collect::<Result<_, _>>()?
        }
    };
    if chosen.is_empty() {
        return Err("the program defines no function that other files can call".into());
    }
    let mut harness = Harness::default();
    for function in chosen {
        harness.call(tree, function)?;
    }
    Ok(harness.finish())
}

/// The parts of the text so far.
#[derive(Default)]
struct Harness {
    /// Declarations of the functions that give any value, each once.
    inputs: Vec<String>,
    entries: String,
    cases: String,
    count: u32,
}

impl Harness {
    fn call(&mut self, tree: &Tree, function: &Function) -> Result<(), String> {
        let name = &function.name;
        let body = function.body.as_ref();
        let params = body.map_or(&[][..], |body| &body.params);
        let fail = |what: &str| {
            format!("`{name}` {what}: name the functions to call with `--entry`, or write this call by hand")
        };
        let Type::Function(ty) = tree.types.get(function.ty) else {
            return Err(fail("has no known type"));
        };
        if ty.variadic {
            return Err(fail("takes a variable number of arguments"));
        }
        let declared = tree.types.declare(function.ty, name, tree.file_scope());
        let declared = declared.ok_or_else(|| fail("has a type without a name"))?;
        let params: Vec<(&str, QualType)> = params
            .iter()
            .map(|p| (tree.objects[*p].name.as_str(), tree.objects[*p].ty))
            .collect();
        let is_pointer = |at: Option<&(&str, QualType)>| {
            at.is_some_and(|p| matches!(tree.types.get(p.1), Type::Pointer(_)))
        };
        let is_length = |at: Option<&(&str, QualType)>| {
            at.is_some_and(|p| {
                LENGTHS.contains(&p.0) && matches!(tree.types.get(p.1), Type::Int(_))
            })
        };
        let mut before = String::new();
        let mut arguments = Vec::new();
        for (at, (param, ty)) in params.iter().enumerate() {
            let ahead = params.get(at + 1);
            let behind = at.checked_sub(1).and_then(|at| params.get(at));
            let unknown = || {
                fail(&format!(
                    "has the parameter `{param}` of a type without values here"
                ))
            };
            if let Type::Pointer(to) = tree.types.get(*ty) {
                let scalar = scalar(tree, *to).ok_or_else(unknown)?;
                let length = match is_length(ahead) || is_length(behind) {
                    true => LENGTH,
                    false => 1,
                };
                let object = format!("{name}_{at}");
                let input = self.input(scalar);
                let _ = writeln!(self.entries, "static {} {object}[{length}];", scalar.0);
                for element in 0..length {
                    let _ = writeln!(before, "      {object}[{element}] = {input};");
                }
                let choice = self.input(("int", "int"));
                arguments.push(format!("{choice} ? &{object}[0] : 0"));
                continue;
            }
            let input = self.input(scalar(tree, *ty).ok_or_else(unknown)?);
            let is_array_length =
                is_length(params.get(at)) && (is_pointer(ahead) || is_pointer(behind));
            arguments.push(match is_array_length {
                true => {
                    let any = self.input(("unsigned int", "uint"));
                    format!("1 + {any} % {LENGTH}")
                }
                false => input,
            });
        }
        let _ = writeln!(self.entries, "extern {declared};");
        let _ = write!(
            self.cases,
            "    case {}:\n{before}      {name}({});\n      break;\n",
            self.count,
            arguments.join(", ")
        );
        self.count += 1;
        Ok(())
    }

    /// A call that gives any value of a type, given by its C name and the one in the call.
    fn input(&mut self, (ty, name): (&str, &str)) -> String {
        let call = format!("__VERIFIER_nondet_{name}");
        let declaration = format!("extern {ty} {call}(void);\n");
        if !self.inputs.contains(&declaration) {
            self.inputs.push(declaration);
        }
        format!("{call}()")
    }

    fn finish(mut self) -> String {
        let choice = self.input(("int", "int"));
        format!(
            "/* Calls functions in any order, with any arguments, for ever. Change it as the program is used. */\n\
             {}{}\nint main(void)\n{{\n  for (;;) {{\n    switch ({choice}) {{\n{}    default:\n      break;\n    }}\n  }}\n}}\n",
            self.inputs.concat(),
            self.entries,
            self.cases
        )
    }
}

/// The C name of a scalar type, and the name in the function that gives any value of it.
fn scalar(tree: &Tree, ty: QualType) -> Option<(&'static str, &'static str)> {
    Some(match tree.types.get(ty) {
        Type::Bool => ("_Bool", "bool"),
        Type::Int(kind) => {
            let name = match kind {
                IntKind::Char => "char",
                IntKind::SChar => "schar",
                IntKind::UChar => "uchar",
                IntKind::Short => "short",
                IntKind::UShort => "ushort",
                IntKind::Int => "int",
                IntKind::UInt => "uint",
                IntKind::Long => "long",
                IntKind::ULong => "ulong",
                IntKind::LongLong => "longlong",
                IntKind::ULongLong => "ulonglong",
                IntKind::Int128 | IntKind::UInt128 => return None,
            };
            (kind.spelling(), name)
        }
        Type::Float(FloatKind::Float) => ("float", "float"),
        Type::Float(FloatKind::Double) => ("double", "double"),
        _ => return None,
    })
}
