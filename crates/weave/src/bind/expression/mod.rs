//! Expressions of a specification: their evaluation as C text over objects, the memory that they read, and
//! guards against null pointers.

mod operands;
mod paths;

use cfront::ranges;
use cfront::span::{ExprId, FunctionId, Id, ObjectId, Span};
use cfront::tree::{ExprKind, Resolved, Tree};
use cfront::types::{Class, QualType, Type};

use crate::facts::names::user;
use crate::facts::places::{array_operand, Place};
use crate::facts::ObjectIndex;

pub(crate) use crate::facts::spelling::{declaration, value_type};

/// What to write for an implication in a condition.
pub(crate) const IMPLIES: &str =
    "an implication is no part of a condition in C: write `{a} -> {b}`, or `!a || b`";

/// A named object, or a part of it reached by constant steps, as an operand of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The object.
    pub object: ObjectIndex,
    /// The C text after the object's name, such as `.len[2]`.
    pub suffix: String,
    /// The C type of its value if it is a scalar, spelled without the user's declarations.
    pub value_type: Option<String>,
    /// A C declaration of something of its type at file scope, with [`NAME`](crate::facts::spelling::NAME) where the name
    /// stands; `None` if the type has no name there.
    pub declaration: Option<String>,
    /// Whether it is a pointer.
    pub pointer: bool,
    /// Whether the evaluation takes its address, not its value.
    pub address: bool,
    /// Whether a path goes through it, as in `p->x`, so that no copy of its value can replace it.
    pub led_through: bool,
}

impl Leaf {
    /// Whether the evaluation only reads its value.
    pub fn is_value(&self) -> bool {
        self.value_type.is_some() && !self.address && !self.led_through
    }
}

/// A piece of an evaluation's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// C text of the user or of the tool.
    Text(String),
    /// The value or the place of an object or of a part of it.
    Leaf(Leaf),
}

/// Memory that the evaluation of a proposition reads.
#[derive(Clone, Debug)]
pub struct Region {
    /// The place, as far as the text tells.
    pub place: Place,
    /// The lvalue, for a comparison of addresses. `None` if only a function that the evaluation calls can name
    /// it, or if it is a bit-field of something without a name.
    pub lvalue: Option<Vec<Piece>>,
    /// The pointers that the path dereferences.
    pub guards: Vec<Vec<Piece>>,
}

impl Region {
    /// Memory that the code of a called function reads.
    pub fn of_function(place: Place) -> Region {
        Region {
            place,
            lvalue: None,
            guards: Vec::new(),
        }
    }
}

/// An expression that was parsed and checked.
#[derive(Clone, Debug, Default)]
pub struct Expression {
    /// Its text.
    pub pieces: Vec<Piece>,
    /// The memory that it reads itself; called functions may read more.
    pub regions: Vec<Region>,
    /// The truth value that it always has because of its C types.
    pub always: Option<bool>,
    /// The C type of its value if it is a scalar, spelled without the user's declarations.
    pub value_type: Option<String>,
}

/// Text in an expression that stands for a variable of the tool's, and the variable.
pub type Stand = (std::ops::Range<usize>, String);

/// What is wrong with an expression, and where in its text.
#[derive(Clone, Debug)]
pub struct Fault {
    /// What is wrong.
    pub message: String,
    /// The place in the text.
    pub span: Span,
    /// What to do.
    pub help: Option<String>,
}

type Read<T> = Result<T, Fault>;

/// The path of an lvalue: its text, and the pointers that it dereferences, which must not be null.
#[derive(Clone, Default)]
struct Chain {
    pieces: Vec<Piece>,
    guards: Vec<Vec<Piece>>,
}

/// How to treat an expression.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// The expression's value if it would dereference a null pointer.
    pub default: bool,
    /// Whether a structure given for a pointer parameter stands for its address.
    pub lenient: bool,
}

/// Translates an expression of the tree into an evaluation.
///
/// # Errors
/// The first subexpression that cannot be evaluated.
pub fn read(
    tree: &Tree,
    text: &str,
    expr: ExprId,
    stands: &[Stand],
    mode: Mode,
) -> Read<Expression> {
    let mut reader = Reader {
        tree,
        text,
        stands,
        lenient: mode.lenient,
        out: Expression::default(),
        zeros: Vec::new(),
        invalid: 0,
    };
    let class = tree.types.class(tree.exprs[expr].ty);
    if matches!(class, Class::Record | Class::Void) {
        return Err(reader.fault(expr, "this is no truth value", None));
    }
    let pieces = reader.emit(expr, false)?;
    // The value is another one if a pointer on the path is null.
    let direct = reader.invalid == 0;
    let known = direct && stands.is_empty();
    reader.out.always = ranges::truth(tree, expr).filter(|_| known);
    reader.out.value_type = value_type(tree, tree.exprs[expr].ty);
    reader.out.pieces = reader.wrapped(pieces, mode.default);
    Ok(reader.out)
}

struct Reader<'a> {
    tree: &'a Tree,
    text: &'a str,
    stands: &'a [Stand],
    lenient: bool,
    out: Expression,
    /// For each array or structure behind a pointer: the expression of its type, of which a zero object stands
    /// in if the pointer is null.
    zeros: Vec<Vec<Piece>>,
    /// The number of places that dereference pointers.
    invalid: usize,
}

fn text(text: impl Into<String>) -> Piece {
    Piece::Text(text.into())
}

impl Reader<'_> {
    fn fault(&self, e: ExprId, message: impl Into<String>, help: Option<&str>) -> Fault {
        Fault {
            message: message.into(),
            span: self.tree.exprs[e].span,
            help: help.map(str::to_string),
        }
    }

    fn ty(&self, e: ExprId) -> QualType {
        self.tree.exprs[e].ty
    }

    fn class(&self, e: ExprId) -> Class {
        self.tree.types.class(self.ty(e))
    }

    fn part(&self, start: usize, end: usize) -> Piece {
        text(user(self.text.get(start..end).unwrap_or_default()))
    }

    /// The whole evaluation, with flags and zero objects if it dereferences pointers.
    fn wrapped(&self, pieces: Vec<Piece>, default: bool) -> Vec<Piece> {
        if self.invalid == 0 {
            return pieces;
        }
        // A flag for each place, because operands are evaluated in any order.
        let flags: Vec<String> = (0..self.invalid)
            .map(|i| format!("ba_invalid{i}"))
            .collect();
        let declared = flags.join(" = 0, ");
        let mut out = vec![text(format!("(__extension__ ({{ _Bool {declared} = 0; "))];
        for (i, zero) in self.zeros.iter().enumerate() {
            out.push(text("static __typeof__("));
            out.extend(zero.iter().cloned());
            out.push(text(format!(") ba_zero{i}; ")));
        }
        out.push(text("_Bool ba_valid = !!("));
        out.extend(pieces);
        let default = u8::from(default);
        let any = flags.join(" || ");
        out.push(text(format!("); {any} ? {default} : ba_valid; }}))")));
        out
    }

    /// Refuses a part of a local that is no scalar if its type is unknown after the program.
    fn check_leaves(&self, e: ExprId, chain: &Chain) -> Read<()> {
        let bad = chain.pieces.iter().any(|piece| match piece {
            Piece::Leaf(leaf) => {
                let object = &self.tree.objects[ObjectId::from_index(leaf.object)];
                let by_value = leaf.value_type.is_some() && !leaf.address;
                object.function.is_some() && !by_value && leaf.declaration.is_none()
            }
            Piece::Text(_) => false,
        });
        match bad {
            true => Err(self.fault(
                e,
                "this has a type that is declared in a function",
                Some("declare the type at file scope"),
            )),
            false => Ok(()),
        }
    }

    /// The text of an expression's value. `argument` tells that it is an argument of a function.
    fn emit(&mut self, e: ExprId, argument: bool) -> Read<Vec<Piece>> {
        let expr = &self.tree.exprs[e];
        let within =
            |stand: &&Stand| stand.0.start <= expr.span.start && expr.span.end <= stand.0.end;
        if let Some((_, variable)) = self.stands.iter().find(within) {
            return Ok(vec![text(variable)]);
        }
        match &expr.kind {
            ExprKind::Ident(Resolved::Object(_))
            | ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::Deref(_) => self.value(e, argument),
            ExprKind::AddressOf(of) => self.address(*of, argument),
            ExprKind::Call { callee, args, .. } => self.call(e, *callee, args),
            ExprKind::SizeofExpr(of) => self.unevaluated(e, *of),
            ExprKind::Ident(Resolved::EnumConst(of, Some(value)))
                if self.tree.types.enums[*of].scope != self.tree.file_scope() =>
            {
                Ok(vec![text(value.to_string())])
            }
            ExprKind::Assign { .. } | ExprKind::IncDec { .. } | ExprKind::VaArg(_) => {
                Err(self.fault(e, "a condition only reads", Some("`==` compares")))
            }
            _ => {
                self.check_operands(e)?;
                self.children(e)
            }
        }
    }

    /// The text of an expression, with the translated text of its operands.
    fn children(&mut self, e: ExprId) -> Read<Vec<Piece>> {
        let span = self.tree.exprs[e].span;
        let mut children = self.tree.children(e);
        children.sort_by_key(|&c| self.tree.exprs[c].span.start);
        let (mut pieces, mut at) = (Vec::new(), span.start);
        for child in children {
            let inner = self.tree.exprs[child].span;
            pieces.push(self.part(at, inner.start));
            let value = self.emit(child, false)?;
            match cfront::enumerations::is_converted(self.tree, child) {
                true => {
                    pieces.push(text("(unsigned)("));
                    pieces.extend(value);
                    pieces.push(text(")"));
                }
                false => pieces.extend(value),
            }
            at = inner.end;
        }
        pieces.push(self.part(at, span.end));
        Ok(pieces)
    }

    /// An operand of `sizeof` keeps its text, which has to be valid after the program.
    fn unevaluated(&mut self, e: ExprId, of: ExprId) -> Read<Vec<Piece>> {
        let mut work = vec![of];
        while let Some(inner) = work.pop() {
            if let ExprKind::Ident(Resolved::Object(object)) = self.tree.exprs[inner].kind {
                if self.tree.objects[object].function.is_some() {
                    let help = "write the type";
                    return Err(self.fault(inner, "the size of a local variable", Some(help)));
                }
            }
            work.extend(self.tree.children(inner));
        }
        let span = self.tree.exprs[e].span;
        Ok(vec![self.part(span.start, span.end)])
    }

    fn call(&mut self, e: ExprId, callee: ExprId, args: &[ExprId]) -> Read<Vec<Piece>> {
        let span = self.tree.exprs[e].span;
        let Some(function) = cfront::calls::named_function(self.tree, callee) else {
            return Err(self.fault(
                callee,
                "a call of something other than a function's name",
                None,
            ));
        };
        self.check_arguments(e, function, args.len())?;
        let types = self
            .tree
            .types
            .function(self.tree.functions[function].ty)
            .map(|f| f.params.clone())
            .unwrap_or_default();
        let (mut pieces, mut at) = (Vec::new(), span.start);
        for (i, &arg) in args.iter().enumerate() {
            let inner = self.tree.exprs[arg].span;
            pieces.push(self.part(at, inner.start));
            pieces.extend(self.argument(arg, function, types.get(i).copied())?);
            at = inner.end;
        }
        pieces.push(self.part(at, span.end));
        Ok(pieces)
    }

    fn argument(
        &mut self,
        arg: ExprId,
        function: FunctionId,
        wanted: Option<QualType>,
    ) -> Read<Vec<Piece>> {
        let given = self.class(arg);
        let Some(wanted) = wanted else {
            return self.emit(arg, true);
        };
        let class = self.tree.types.class(wanted);
        if (given == Class::Record) == (class == Class::Record) {
            self.check_argument(arg, function, wanted)?;
            return self.emit(arg, true);
        }
        let pointed = self.tree.types.pointee(wanted);
        let fits = pointed.is_some_and(|to| {
            matches!(self.tree.types.get(to), Type::Void)
                || self.tree.types.get(to) == self.tree.types.get(self.ty(arg))
        });
        if self.lenient && given == Class::Record && fits {
            return self.address(arg, true);
        }
        self.check_argument(arg, function, wanted)
            .and_then(|()| self.emit(arg, true))
    }

    /// The value of an lvalue.
    fn value(&mut self, e: ExprId, argument: bool) -> Read<Vec<Piece>> {
        let chain = self.chain(e)?;
        self.check_leaves(e, &chain)?;
        self.region(e, &chain)?;
        if self.class(e) == Class::Array && !argument {
            self.refuse_local_address(e, &chain)?;
        }
        if chain.guards.is_empty() {
            return Ok(chain.pieces);
        }
        let flag = self.invalid;
        self.invalid += 1;
        let mut pieces = vec![text("(((")];
        let guards = chain.guards.iter().enumerate();
        for (i, guard) in guards {
            if i > 0 {
                pieces.push(text(") && ("));
            }
            pieces.extend(guard.iter().cloned());
        }
        pieces.push(text(format!(")) || !(ba_invalid{flag} = 1) ? ")));
        if matches!(self.class(e), Class::Array | Class::Record) {
            let zero = self.zeros.len();
            pieces.insert(0, text("(*"));
            pieces.push(text("&("));
            pieces.extend(chain.pieces.iter().cloned());
            pieces.push(text(format!(") : &ba_zero{zero}))")));
            self.zeros.push(chain.pieces);
        } else {
            pieces.extend(chain.pieces);
            pieces.push(text(" : 0)"));
        }
        Ok(pieces)
    }

    /// `&of`
    fn address(&mut self, of: ExprId, argument: bool) -> Read<Vec<Piece>> {
        // A function that gets the address of an element may read the other elements.
        let (of, indices) = match argument {
            true => self.whole_array(of),
            false => (of, Vec::new()),
        };
        let mut chain = self.chain(of)?;
        if argument {
            self.region(of, &chain)?;
        } else {
            self.refuse_local_address(of, &chain)?;
        }
        let mut pieces = vec![text("&")];
        for piece in &mut chain.pieces {
            if let Piece::Leaf(leaf) = piece {
                leaf.address |= chain.guards.is_empty();
                leaf.led_through = true;
            }
        }
        self.check_leaves(of, &chain)?;
        pieces.extend(chain.pieces);
        for index in indices {
            pieces.push(text("["));
            pieces.extend(self.emit(index, false)?);
            pieces.push(text("]"));
        }
        Ok(pieces)
    }

    /// The outermost array that contains an lvalue, and the indices of the path to the lvalue.
    fn whole_array(&self, mut of: ExprId) -> (ExprId, Vec<ExprId>) {
        let mut indices = Vec::new();
        while let ExprKind::Index { base, index } = self.tree.exprs[of].kind {
            let Some((array, index)) = array_operand(self.tree, base, index) else {
                break;
            };
            indices.insert(0, index);
            of = array;
        }
        (of, indices)
    }

    /// Refuses the address of a local: evaluations work on copies of locals.
    fn refuse_local_address(&self, e: ExprId, chain: &Chain) -> Read<()> {
        let local = chain.guards.is_empty()
            && matches!(&chain.pieces[..], [Piece::Leaf(leaf), ..]
                if self.tree.objects[ObjectId::from_index(leaf.object)].function.is_some());
        match local {
            true => Err(self.fault(
                e,
                "the address of a local variable",
                Some("it can be given to a function, and its value can be read"),
            )),
            false => Ok(()),
        }
    }

    fn region(&mut self, e: ExprId, chain: &Chain) -> Read<()> {
        let place = Place::of(self.tree, e);
        // A bit-field has no address, so its record stands for it.
        let shown = match &self.tree.exprs[e].kind {
            ExprKind::Member { base, arrow, .. } if self.tree.bit_field(e).is_some() => match arrow
            {
                false => Some(self.chain(*base)?.pieces),
                true => {
                    let mut pieces = vec![text("(*")];
                    pieces.extend(self.pointer(*base, &mut Chain::default())?);
                    pieces.push(text(")"));
                    Some(pieces)
                }
            },
            _ => Some(chain.pieces.clone()),
        };
        let lvalue = shown.filter(|_| place.root.is_some() || self.all_static(chain));
        self.out.regions.push(Region {
            place,
            lvalue: lvalue.map(paths::led_through),
            guards: chain.guards.clone(),
        });
        Ok(())
    }

    fn all_static(&self, chain: &Chain) -> bool {
        let is_static = |piece: &Piece| match piece {
            Piece::Text(_) => true,
            Piece::Leaf(leaf) => {
                let object = &self.tree.objects[ObjectId::from_index(leaf.object)];
                object.function.is_none()
            }
        };
        chain
            .guards
            .iter()
            .flatten()
            .chain(&chain.pieces)
            .all(is_static)
    }
}
