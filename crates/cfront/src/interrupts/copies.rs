//! Accesses of more memory than one object of a number: copies of structures, and calls of functions of the library that
//! go through memory byte by byte. A handler may come between any two of their parts.
//!
//! A structure is copied member by member, in either order of the members; a function of the library becomes one of the
//! program with the same meaning, whose loop goes through the bytes.

use crate::access::address_taken;
use crate::alias::Aliases;
use crate::calls::named_function;
use crate::consteval::eval;
use crate::diag::Diagnostic;
use crate::library::{function, plain_name, Writes};
use crate::registers::accesses::Access;
use crate::registers::places::size;
use crate::span::{ExprId, Span};
use crate::tree::{ExprKind, Parent, Resolved, StmtKind};
use crate::types::{ArrayLen, QualType, Type};

use super::parts::{Parts, ORDER};
use super::shared::Runs;
use super::Weaver;

/// The most parts of a structure.
const MOST: usize = 64;

/// How names of variables begin that hold what is evaluated once.
const ONCE: &str = "interrupts__once";

/// What stands for a function of the library.
struct Defined {
    name: &'static str,
    returns: &'static str,
    parameters: &'static str,
    body: &'static str,
}

const fn defined(
    name: &'static str,
    returns: &'static str,
    parameters: &'static str,
    body: &'static str,
) -> Defined {
    Defined {
        name,
        returns,
        parameters,
        body,
    }
}

/// C17 7.24. `SIZE` is the type of sizes, `BYTE` that of bytes.
const DEFINED: [Defined; 13] = [
    defined(
        "memcpy",
        "void *",
        "void *to, const void *from, SIZE n",
        "for (SIZE i = 0; i < n; i++) ((BYTE *)to)[i] = ((const BYTE *)from)[i]; return to;",
    ),
    defined(
        "memmove",
        "void *",
        "void *to, const void *from, SIZE n",
        "BYTE *t = to; const BYTE *f = from; SIZE i = 0; while (i < n && t != f + i) i++; \
         if (i < n) for (i = n; i > 0; i--) t[i - 1] = f[i - 1]; else for (i = 0; i < n; i++) t[i] = f[i]; return to;",
    ),
    defined(
        "memset",
        "void *",
        "void *to, int c, SIZE n",
        "for (SIZE i = 0; i < n; i++) ((BYTE *)to)[i] = (BYTE)c; return to;",
    ),
    defined(
        "memcmp",
        "int",
        "const void *a, const void *b, SIZE n",
        "for (SIZE i = 0; i < n; i++) { BYTE x = ((const BYTE *)a)[i], y = ((const BYTE *)b)[i]; \
         if (x != y) return x < y ? -1 : 1; } return 0;",
    ),
    defined(
        "memchr",
        "void *",
        "const void *of, int c, SIZE n",
        "for (SIZE i = 0; i < n; i++) if (((const BYTE *)of)[i] == (BYTE)c) return (void *)((const BYTE *)of + i); return 0;",
    ),
    defined(
        "strlen",
        "SIZE",
        "const char *of",
        "SIZE n = 0; while (of[n]) n++; return n;",
    ),
    defined(
        "strnlen",
        "SIZE",
        "const char *of, SIZE most",
        "SIZE n = 0; while (n < most && of[n]) n++; return n;",
    ),
    defined(
        "strcmp",
        "int",
        "const char *a, const char *b",
        "for (SIZE i = 0; ; i++) { BYTE x = (BYTE)a[i], y = (BYTE)b[i]; if (x != y) return x < y ? -1 : 1; if (!x) return 0; }",
    ),
    defined(
        "strncmp",
        "int",
        "const char *a, const char *b, SIZE n",
        "for (SIZE i = 0; i < n; i++) { BYTE x = (BYTE)a[i], y = (BYTE)b[i]; if (x != y) return x < y ? -1 : 1; if (!x) return 0; } return 0;",
    ),
    defined(
        "strcpy",
        "char *",
        "char *to, const char *from",
        "for (SIZE i = 0; ; i++) { char c = from[i]; to[i] = c; if (!c) return to; }",
    ),
    defined(
        "strncpy",
        "char *",
        "char *to, const char *from, SIZE n",
        "SIZE i = 0; for (; i < n; i++) { char c = from[i]; to[i] = c; if (!c) break; } for (; i < n; i++) to[i] = 0; return to;",
    ),
    defined(
        "strcat",
        "char *",
        "char *to, const char *from",
        "SIZE n = 0; while (to[n]) n++; for (SIZE i = 0; ; i++) { char c = from[i]; to[n + i] = c; if (!c) return to; }",
    ),
    defined(
        "strchr",
        "char *",
        "const char *of, int c",
        "for (SIZE i = 0; ; i++) { char x = of[i]; if (x == (char)c) return (char *)of + i; if (!x) return 0; }",
    ),
];

impl Defined {
    fn declaration(&self) -> String {
        let Defined {
            name,
            returns,
            parameters,
            ..
        } = self;
        typed(&format!("{returns} interrupts__{name}({parameters})"))
    }

    fn definition(&self) -> String {
        format!("{} {{ {} }}\n", self.declaration(), typed(self.body))
    }
}

fn typed(text: &str) -> String {
    text.replace("SIZE", "__typeof__(sizeof(char))")
        .replace("BYTE", "unsigned char")
}

/// Why something is not followed that stands in a copy of a structure.
pub(super) fn in_a_copy(copy: Span) -> Diagnostic {
    let message = "this copies a structure that a handler shares, and computes where it lies from something else that a handler shares, which is not followed here";
    Diagnostic::error(copy, message).help("write that into a variable first")
}

/// A part of a structure.
enum Part {
    /// A member, or an element of one, that the processor accesses at once, as what follows the structure's name.
    Whole(String),
    /// A number of several parts.
    Wide(Parts),
}

impl Part {
    /// The statement that copies it from one structure to another, which handlers may access or is `own`.
    fn copied(&self, to: &str, own: bool, from: &str) -> String {
        match self {
            Part::Whole(path) => format!("{to}{path} = {from}{path}; "),
            Part::Wide(parts) => {
                let (path, unsigned) = (&parts.lvalue, parts.unsigned);
                let read = parts.at(format!("{from}{path}")).read();
                match own {
                    true => format!("{to}{path} = {read}; "),
                    false => {
                        let write = parts.at(format!("{to}{path}")).write();
                        format!("{{ {unsigned} interrupts__parts = ({unsigned}){read}; {write} }} ")
                    }
                }
            }
        }
    }
}

/// A copy of a structure in the text.
struct Copy {
    /// The text that is replaced.
    span: Span,
    /// What stands before the copy.
    before: String,
    /// The name that is declared, or the lvalue that is assigned.
    to: Result<ExprId, String>,
    from: ExprId,
}

impl Weaver<'_> {
    /// Divides a copy of a structure. The text that is replaced; nothing if it was already, for its other side.
    ///
    /// # Errors
    /// A copy that is no statement, or whose parts are not known.
    pub(super) fn copied(
        &mut self,
        access: &Access,
        width: u32,
    ) -> Result<Option<Span>, Diagnostic> {
        let tree = &self.unit.tree;
        let span = tree.exprs[access.whole].span;
        let refused = |what: &str, help: &str| {
            let message = format!("{what} that a handler shares: the handler could come in between, which is not followed here");
            Err(Diagnostic::error(span, message).help(help))
        };
        let Some(copy) = self.copy_at(access.whole) else {
            let help = "assign it to a structure of your own in a statement of its own";
            return refused("this uses a structure", help);
        };
        let inside = (copy.span.start, 0)..(copy.span.end, 0);
        let key = (copy.span.start, copy.span.end);
        if self.changes.contains_key(&key) {
            return Ok(None);
        }
        if self.changes.range(inside).next().is_some() {
            return Err(in_a_copy(copy.span));
        }
        let mut parts = Vec::new();
        let known = self.parts(access.ty, String::new(), width, &mut parts);
        let mut before = String::new();
        let from = self.repeatable(copy.from, &mut before).or_else(|| {
            let text = self.once(copy.from);
            let ty = tree
                .types
                .declare(access.ty.unqualified(), "", tree.file_scope())?;
            before += &format!("{ty} {ONCE}_from = {text}; ");
            Some(format!("{ONCE}_from"))
        });
        let to = match &copy.to {
            Ok(lhs) => self.repeatable(*lhs, &mut before),
            Err(name) => Some(name.clone()),
        };
        let (Some(()), Some(from), Some(to)) = (known, from, to) else {
            let help = "copy the members one by one, or keep the handler off meanwhile";
            return refused("this copies a structure", help);
        };
        let own = match copy.to {
            Ok(lhs) => match tree.root(lhs) {
                (Some(object), false) => !tree.objects[object].is_static_duration(),
                _ => false,
            },
            Err(_) => true,
        };
        let one = |part: &Part| part.copied(&to, own, &from);
        let up: String = parts.iter().map(one).collect();
        let down: String = parts.iter().rev().map(one).collect();
        let masked = match self.masked {
            true => format!("if (interrupts__masked) {to} = {from}; else "),
            false => String::new(),
        };
        let text = format!(
            "{}{{ {before}{masked}if ({ORDER}()) {{ {down}}} else {{ {up}}} }}{}",
            copy.before,
            self.lines(copy.span)
        );
        self.declare_parts(access.whole);
        self.changes.insert(key, text);
        Ok(Some(copy.span))
    }

    /// The copy of which an expression is a side: an assignment that is a statement, or the first value of the only name of a
    /// declaration.
    fn copy_at(&self, side: ExprId) -> Option<Copy> {
        let tree = &self.unit.tree;
        match tree.exprs[side].parent {
            Parent::Expr(around) => {
                let ExprKind::Assign {
                    op: None, lhs, rhs, ..
                } = tree.exprs[around].kind
                else {
                    return None;
                };
                let Parent::Stmt(statement) = tree.exprs[around].parent else {
                    return None;
                };
                let statement = &tree.stmts[statement];
                matches!(statement.kind, StmtKind::Expr(_)).then(|| Copy {
                    span: Span::new(tree.exprs[around].span.start, statement.span.end),
                    before: String::new(),
                    to: Ok(lhs),
                    from: rhs,
                })
            }
            Parent::Init(init) => {
                let Parent::Declarator(decl, 0) = tree.inits[init].parent else {
                    return None;
                };
                let decl = &tree.decls[decl];
                let [declared] = decl.declared.as_slice() else {
                    return None;
                };
                let Parent::Stmt(block) = decl.parent else {
                    return None;
                };
                let in_block = matches!(tree.stmts[block].kind, StmtKind::Compound { .. });
                in_block.then(|| Copy {
                    span: Span::new(declared.declarator.end, decl.span.end),
                    before: "; ".to_owned(),
                    to: Err(self.unit.text_of(declared.name).to_owned()),
                    from: side,
                })
            }
            _ => None,
        }
    }

    /// The parts of an object of a type that the processor accesses at once, as what follows the object's name.
    fn parts(&self, ty: QualType, before: String, width: u32, out: &mut Vec<Part>) -> Option<()> {
        let tree = &self.unit.tree;
        let types = &tree.types;
        let fits = size(tree, ty).is_some_and(|bytes| 8 * bytes <= u64::from(width));
        match types.get(ty) {
            _ if ty.quals.is_const || out.len() >= MOST => return None,
            Type::Array(of, ArrayLen::Known(n)) => {
                for at in 0..*n {
                    self.parts(*of, format!("{before}[{at}]"), width, out)?;
                }
            }
            _ if fits => out.push(Part::Whole(before)),
            Type::Record(record) if !types.records[*record].is_union => {
                for member in types.records[*record].members.as_ref()? {
                    let name = member.name.as_ref();
                    let path = name.map_or(before.clone(), |name| format!("{before}.{name}"));
                    if member.is_bit_field {
                        return None;
                    }
                    self.parts(member.ty, path, width, out)?;
                }
            }
            _ => {
                out.push(Part::Wide(Parts::of(tree, before, ty, width, false)?));
            }
        }
        Some(())
    }

    /// A text for an lvalue that may be evaluated several times: what else it depends on is evaluated once, in `before`.
    fn repeatable(&self, e: ExprId, before: &mut String) -> Option<String> {
        let tree = &self.unit.tree;
        Some(match &tree.exprs[e].kind {
            ExprKind::Ident(Resolved::Object(_)) => self.once(e),
            ExprKind::Member {
                base, name, arrow, ..
            } => match arrow {
                false => format!("{}.{name}", self.repeatable(*base, before)?),
                true => format!("{}->{name}", self.pointer(*base, before)),
            },
            ExprKind::Deref(pointer) => format!("(*{})", self.pointer(*pointer, before)),
            ExprKind::Index { base, index } => {
                let array = matches!(tree.types.get(tree.exprs[*base].ty), Type::Array(..));
                let base = match array {
                    true => self.repeatable(*base, before)?,
                    false => self.pointer(*base, before),
                };
                format!("{base}[{}]", self.index(*index, before))
            }
            _ => return None,
        })
    }

    fn pointer(&self, e: ExprId, before: &mut String) -> String {
        let text = self.once(e);
        self.evaluated(e, &format!("&({text})[0]"), text.clone(), before)
    }

    fn index(&self, e: ExprId, before: &mut String) -> String {
        let text = self.once(e);
        match eval(&self.unit.tree, e) {
            Some(_) => text,
            None => self.evaluated(e, &format!("({text}) + 0"), text.clone(), before),
        }
    }

    /// A value that is evaluated once, with the type of an expression; a local variable is its own value.
    fn evaluated(&self, e: ExprId, typed: &str, text: String, before: &mut String) -> String {
        let tree = &self.unit.tree;
        if let ExprKind::Ident(Resolved::Object(o)) = tree.exprs[e].kind {
            let object = &tree.objects[o];
            let array = matches!(tree.types.get(object.ty), Type::Array(..));
            if array || !object.is_static_duration() && !address_taken(tree).contains_key(&o) {
                return text;
            }
        }
        let name = format!("{ONCE}_{}", before.matches(ONCE).count());
        *before += &format!("__typeof__({typed}) {name} = ({text}); ");
        name
    }

    /// The text of an expression on one line.
    pub(super) fn once(&self, e: ExprId) -> String {
        let words = self.unit.text_of(self.unit.tree.exprs[e].span);
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Gives calls of functions of the library that go through memory which a handler writes, or write memory which it
    /// accesses, definitions.
    ///
    /// # Errors
    /// Such a call of a function without one.
    pub(super) fn called(
        &mut self,
        runs: &Runs,
        aliases: &Aliases,
        (width, copies): (u32, &[Span]),
    ) -> Result<(), Diagnostic> {
        let unit = self.unit;
        let tree = &unit.tree;
        for (id, expr) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
            let ExprKind::Call { callee, args, .. } = &expr.kind else {
                continue;
            };
            let Some(name) = self.library_name(*callee) else {
                continue;
            };
            if !self.is_interrupted(id, name, args, runs, aliases, width) {
                continue;
            }
            let span = tree.exprs[*callee].span;
            if let Some(copy) = copies.iter().find(|copy| copy.encloses(span)) {
                return Err(in_a_copy(*copy));
            }
            let Some(defined) = DEFINED.iter().find(|d| d.name == name) else {
                let message = format!("`{name}` goes through memory that a handler shares: the handler could come in between, which is not followed here");
                let help =
                    "copy what it needs first, with the handler kept off or member by member";
                return Err(Diagnostic::error(span, message).help(help));
            };
            let start = self.function_start(id);
            self.insert_once(start, &format!("extern {};", defined.declaration()));
            let text = format!("interrupts__{name}{}", self.lines(span));
            self.changes.insert((span.start, span.end), text);
            let definition = defined.definition();
            if !self.end.contains(&definition) {
                self.end += &definition;
            }
        }
        Ok(())
    }

    /// The name of a function of the library that the program does not define and that has its meaning from its arguments'
    /// memory: nothing of the run waits in it.
    fn library_name(&self, callee: ExprId) -> Option<&'static str> {
        let tree = &self.unit.tree;
        let name = match named_function(tree, callee) {
            Some(f) if tree.functions[f].body.is_some() => return None,
            Some(f) => &tree.functions[f].name,
            None => match &tree.exprs[callee].kind {
                ExprKind::Ident(Resolved::Unknown(name)) => name,
                _ => return None,
            },
        };
        let row = function(plain_name(name))?;
        let concerned = row.primitive.is_none() && row.no_effect.is_none() && row.runs.is_none();
        concerned.then_some(row.name)
    }

    /// Whether a handler may come while a call goes through memory, and do something with it.
    fn is_interrupted(
        &self,
        call: ExprId,
        name: &str,
        args: &[ExprId],
        runs: &Runs,
        aliases: &Aliases,
        width: u32,
    ) -> bool {
        let tree = &self.unit.tree;
        let Some(shared) = runs.interrupted(tree, call) else {
            return false;
        };
        let writes = |index: usize| match function(name).and_then(|row| row.writes) {
            Some(Writes::Nothing) => false,
            Some(Writes::Arguments(all) | Writes::Deep(all)) => all.contains(&index),
            Some(Writes::From(first)) => index >= first,
            None => true,
        };
        // One object of a number is accessed at once.
        let whole = |arg: ExprId| match tree.exprs[arg].kind {
            ExprKind::AddressOf(of) => {
                let expr = &tree.exprs[of];
                let scalar = !matches!(tree.types.get(expr.ty), Type::Array(..) | Type::Record(_));
                let bytes = size(tree, expr.ty);
                let fits = bytes.is_some_and(|bytes| 8 * bytes <= u64::from(width));
                let element = matches!(expr.kind, ExprKind::Index { .. } | ExprKind::Deref(_));
                scalar && fits && !element
            }
            _ => false,
        };
        args.iter().enumerate().any(|(index, arg)| {
            let memory = match writes(index) {
                true => &shared.accessed,
                false => &shared.written,
            };
            !whole(*arg) && memory.meets(aliases, &aliases.pointed_to(*arg))
        })
    }
}
