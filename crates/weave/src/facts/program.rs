//! The facts that the plan needs of a C program: flat lists of the places where something may be written,
//! entered, left, repeated, started or ended. The room `collect` reads them from the syntax tree once; the plan
//! and the edits see only these facts.

use cfront::span::FunctionId;

use crate::facts::places::Place;

/// A range of byte offsets of the preprocessed text, its end excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Range {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// Index into [`Facts::functions`].
pub type FunctionIndex = usize;
/// Index into [`Facts::objects`].
pub type ObjectIndex = usize;

/// A function with a body. The room `collect` makes it; all others read it.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its id in the tree.
    pub id: FunctionId,
    /// Its name.
    pub name: String,
    /// The name that stands for the function in emitted names, with a number if another file has a static
    /// function of the same name.
    pub emitted: String,
    /// Where its name is declared.
    pub place: Range,
    /// Where its definition begins.
    pub start: usize,
    /// The braces of its body.
    pub body: Range,
    /// Whether it is `inline` with external linkage: compilers warn if such a function uses something `static`.
    pub inline_for_all: bool,
    /// Whether control can reach the end of its body.
    pub falls_off: bool,
    /// Whether it returns nothing.
    pub returns_void: bool,
    /// A declaration of something of its return type, see [`Object::declaration`].
    pub result: Option<String>,
    /// Where its address is used other than to call it or to start a thread with it.
    pub address_taken: Option<Range>,
    /// Number of parameters; `None` for a variadic or unprototyped function.
    pub parameters: Option<usize>,
    /// Objects of static storage that its own code reads.
    pub reads: Vec<ObjectIndex>,
    /// The first place where its own code accesses memory through a pointer, an array or a member.
    pub indirect: Option<Range>,
    /// The first place where its own code writes to anything but its own locals.
    pub writes_outside: Option<Range>,
}

/// Where an object lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// A global or file-scope static.
    Static,
    /// A static local: one object, visible in one function.
    StaticLocal(FunctionIndex),
    /// A local or parameter: one for each activation.
    Local(FunctionIndex),
    /// One for each thread.
    ThreadLocal,
    /// A parameter of a declaration without a body: a name without an object.
    Prototype,
}

/// A variable or parameter. The room `collect` makes it; all others read it.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Its declaration.
    pub place: Range,
    /// The file of its declaration, as the preprocessor named it.
    pub file: String,
    /// The files of its other declarations: a global is often declared in a header first.
    pub other_files: Vec<String>,
    /// The line of its declaration.
    pub line: u32,
    /// Where it lives.
    pub lifetime: Lifetime,
    /// Whether a system header declares it.
    pub system: bool,
    /// The C type of a scalar's value, spelled so that it needs no declaration of the user's (`int`, `unsigned
    /// long`, `const void *`); `None` for other types.
    pub value_type: Option<String>,
    /// A declaration of its type at file scope, with [`crate::facts::spelling::NAME`] where the name
    /// stands, if its type can be named there.
    pub declaration: Option<String>,
    /// The type's name as the user wrote it, without qualifiers, for library types.
    pub type_name: String,
    /// For an array, its length.
    pub elements: Option<u64>,
    /// Its parts of a library type that the model replaces: the C text after the object's name, and the type.
    pub parts: Vec<(String, String)>,
    /// The block, function body or `for` statement at whose end its lifetime ends.
    pub scope: Range,
    /// Whether that scope is a `for` statement, which has no brace at its end.
    pub scope_is_for: bool,
    /// Depth of the scope's construct.
    pub scope_depth: i32,
    /// Whether it is a parameter.
    pub parameter: bool,
    /// Whether it is `register`: its address cannot be taken.
    pub register: bool,
    /// Whether its address is used, so that pointers to it may exist.
    pub address_taken: bool,
    /// Whether some code of the program names it.
    pub named: bool,
    /// The value that a static scalar is initialised with; `None` if it is not a known constant.
    pub initial: Option<i128>,
    /// Where the declaration that begins its lifetime ends, if the declaration is an item of a block.
    pub declared_at: Option<usize>,
    /// Whether it is `_Atomic`: a compound assignment of it is one step.
    pub atomic: bool,
}

/// The syntax of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteForm {
    /// `x = e`, `x += e`, …
    Assignment {
        /// The operator's text, `=` included.
        operator: String,
        /// The left side.
        target: Range,
        /// The right side.
        value: Range,
    },
    /// `++x`, `x--`, …
    Step {
        /// The operand.
        target: Range,
        /// `++` or `--`.
        operator: String,
        /// Whether the operator stands before.
        prefix: bool,
    },
    /// `int x = e;` as an item of a block: the whole declaration.
    Initialiser,
}

/// The lvalue of a bit-field, in parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitField {
    /// The record, or the pointer to it.
    pub base: Range,
    /// Whether `->` follows the base, not `.`.
    pub arrow: bool,
    /// The member's name.
    pub member: String,
}

/// A write that is visible in the text.
#[derive(Clone, Debug)]
pub struct Write {
    /// The function in which it stands.
    pub function: FunctionIndex,
    /// The place that it writes.
    pub place: Place,
    /// If it is a bit-field, the parts of its lvalue.
    pub bit_field: Option<BitField>,
    /// Whether the place is `_Atomic`: a compound assignment of it is one step.
    pub atomic: bool,
    /// Whether the place is a pointer.
    pub pointer: bool,
    /// Whether the value of the expression is used.
    pub used: bool,
    /// Its form.
    pub form: WriteForm,
    /// The whole expression or declaration.
    pub range: Range,
    /// Nesting depth of the construct, for edits at the same offset.
    pub depth: i32,
}

/// A statement in assembler that may write to what an object points to.
#[derive(Clone, Debug)]
pub struct AssemblerPointer {
    /// Which object.
    pub object: ObjectIndex,
    /// The pointer.
    pub range: Range,
}

/// A use of an object after which writes to it are not visible in the text: its address is taken, or it is an
/// operand of assembler.
#[derive(Clone, Debug)]
pub struct Escape {
    /// Which object.
    pub object: ObjectIndex,
    /// Where.
    pub range: Range,
    /// The use, as a phrase (`its address is taken`).
    pub how: String,
}

/// A label.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its function.
    pub function: FunctionIndex,
    /// Its name.
    pub name: String,
    /// The name's place.
    pub place: Range,
    /// Where the colon ends.
    pub after_colon: usize,
    /// The statement that is labelled, from after the colon.
    pub statement: Range,
    /// Whether the labelled statement is an item of a block; else it needs braces.
    pub in_block: bool,
    /// Depth of the labelled statement.
    pub depth: i32,
    /// The node of the function's control flow graph at which the label is reached.
    pub node: usize,
}

/// The name of the label that stands for each function's entry; no label of a program has this name.
pub const ENTRY: &str = "_begin";

impl Label {
    /// Whether it stands for the entry of its function, which is the target of no jump.
    pub fn is_entry(&self) -> bool {
        self.name == ENTRY
    }
}

/// The kinds of jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JumpKind {
    /// `goto L;`
    Goto,
    /// `break;`
    Break,
    /// `continue;`
    Continue,
}

/// A jump within a function.
#[derive(Clone, Debug)]
pub struct Jump {
    /// Its function.
    pub function: FunctionIndex,
    /// Its kind.
    pub kind: JumpKind,
    /// The whole statement, `;` included.
    pub range: Range,
    /// Depth of the statement.
    pub depth: i32,
    /// The jump itself as a node of the control flow graph.
    pub node: usize,
    /// Where it leads, as a node of the control flow graph.
    pub target: usize,
    /// The byte offset of the target, which tells whether the jump leaves a block.
    pub target_offset: usize,
    /// Whether it is a backward goto: control can come from its label to this jump again.
    pub backward: bool,
    /// For a backward goto: the index of the label that it repeats from.
    pub repeats: Option<usize>,
    /// For a goto: its label's name.
    pub label: Option<String>,
    /// For a backward goto: how to recognise rounds without effect, if there may be any.
    pub busy: Option<crate::facts::loops::BusyGoto>,
}

/// `goto *e;`, which may jump to every label of its function whose address is taken.
#[derive(Clone, Debug)]
pub struct ComputedJump {
    /// Its function.
    pub function: FunctionIndex,
    /// The whole statement, `;` included.
    pub range: Range,
    /// The address.
    pub value: Range,
    /// Depth of the statement.
    pub depth: i32,
    /// The jump as a node of the control flow graph.
    pub node: usize,
}

/// An initialiser in a `for` header.
#[derive(Clone, Debug)]
pub struct HeaderInitialiser {
    /// Its function.
    pub function: FunctionIndex,
    /// What is initialised.
    pub object: ObjectIndex,
    /// The declaration.
    pub range: Range,
    /// The value.
    pub value: Range,
    /// Depth of the value.
    pub depth: i32,
}

/// A `return`.
#[derive(Clone, Debug)]
pub struct Return {
    /// Its function.
    pub function: FunctionIndex,
    /// The whole statement.
    pub range: Range,
    /// The value, if there is one.
    pub value: Option<Range>,
    /// What may change the value.
    pub fixed: Fixed,
    /// Depth of the statement.
    pub depth: i32,
    /// Its node.
    pub node: usize,
}

/// A statement or declaration whose first step saves a place for a non-local jump (`setjmp`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedPlace {
    /// The expression of the call.
    pub call: usize,
    /// The whole statement.
    pub range: Range,
    /// Its depth.
    pub depth: i32,
    /// Whether it is an item of a block; it may not be one after a label.
    pub in_block: bool,
}

/// What may change the value of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixed {
    /// Nothing: it is a constant.
    Always,
    /// Its function's own code, or other threads that know the address: it reads an automatic variable.
    Local,
    /// Anything.
    No,
}

/// A loop statement.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Its function.
    pub function: FunctionIndex,
    /// The whole statement.
    pub range: Range,
    /// The body.
    pub body: Range,
    /// Whether the body is in braces.
    pub braces: bool,
    /// Depth of the loop statement.
    pub depth: i32,
    /// The labels directly before it.
    pub labels: Vec<String>,
    /// How often its body runs at most, if its header counts.
    pub iterations: Option<crate::facts::loops::Iterations>,
    /// Whether it surely ends.
    pub ends: bool,
    /// How to recognise iterations without effect, if there may be any.
    pub busy: Option<crate::facts::loops::BusyWait>,
    /// The variables that it writes, if it is a delay: a loop that terminates and has no other effect.
    pub delay: Option<Vec<ObjectIndex>>,
}

/// A call. The room `collect` makes it; all others read it.
#[derive(Clone, Debug)]
pub struct Call {
    /// The function in which it stands.
    pub function: FunctionIndex,
    /// The called function's name, `None` for a call through a pointer.
    pub callee: Option<String>,
    /// The called function, if it has a body here.
    pub target: Option<FunctionIndex>,
    /// The call's number among the expressions of the tree.
    pub expr: usize,
    /// Whether it returns nothing.
    pub returns_void: bool,
    /// A declaration of something of its result's type, see [`Object::declaration`].
    pub result: Option<String>,
    /// The whole call expression.
    pub range: Range,
    /// The callee expression.
    pub callee_range: Range,
    /// The arguments.
    pub arguments: Vec<Range>,
    /// For each argument, the function that it names, if it does.
    pub argument_functions: Vec<Option<FunctionIndex>>,
    /// For each argument, the object that `&x`, `x` or `&x[i]` names.
    pub argument_objects: Vec<Option<ObjectIndex>>,
    /// Whether its first argument points to a structure or union.
    pub composite: bool,
    /// Depth of the call.
    pub depth: i32,
    /// The call's place in the control flow graph.
    pub node: usize,
    /// Whether one activation of the function may come here more than once.
    pub repeated: bool,
    /// Whether its result is used.
    pub used: bool,
    /// Whether it calls a function without a body here that ends the process.
    pub exits: bool,
}

/// An assembler statement.
#[derive(Clone, Debug)]
pub struct Assembler {
    /// The function that it stands in.
    pub function: FunctionIndex,
    /// The statement.
    pub range: Range,
    /// Its depth, for edits.
    pub depth: i32,
}

/// An expression that is emitted in another form, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Where it stands.
    pub range: Range,
    /// Its depth, for edits.
    pub depth: i32,
}

/// An expression that CBMC or ESBMC reads differently from a compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misread {
    /// The expression.
    pub placed: Placed,
    /// The form that model checkers and compilers read alike.
    pub written: Rewritten,
}

/// The form in which an expression is emitted so that model checkers and compilers read it alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewritten {
    /// An operand of an enumerated type, as the `unsigned int` that the compiler computes with.
    Unsigned,
    /// An object of such a type that `>>=` shifts, as an `unsigned int`.
    UnsignedObject,
    /// A structure made from members of the structure that it is assigned to is stored in an object of its own
    /// first: CBMC stores one member before it reads the next.
    ObjectOfItsOwn,
    /// The operand of `&=` on a `_Bool`, as its lowest bit: CBMC would take any value but 0 for 1.
    LowestBit,
    /// The target of another compound assignment to a `_Bool`, as an assignment of the whole expression, which
    /// is computed with integers and then converted.
    InFull,
}

/// A construct that calls a function, ends the run or writes without showing it in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// Where it comes from.
    pub range: Range,
    /// What it is.
    pub kind: HiddenKind,
}

/// The kinds of [`Hidden`] constructs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HiddenKind {
    /// A variable with the attribute `cleanup`: a function (this one) is called at the end of its lifetime.
    Cleanup(Option<FunctionIndex>),
    /// A function that runs after `main` has returned.
    Destructor,
    /// A second name of a function.
    FunctionAlias,
    /// A second name of an object.
    ObjectAlias {
        /// The object that is declared.
        object: ObjectIndex,
        /// The name of the object that it is an alias of.
        of: String,
    },
    /// A designator of a range of elements (`[0 ... 3] = 1`).
    RangeDesignator,
    /// The named function ends the process, and is used other than by a direct call.
    EndAsValue(String),
}

/// A function that the processor seems to call and the program does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UncalledHandler {
    /// The function.
    pub function: FunctionIndex,
    /// What makes it look like a handler.
    pub sign: HandlerSign,
}

/// What makes a function look like an interrupt handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandlerSign {
    /// An attribute: `signal`, `interrupt` or `isr`.
    Attribute,
    /// A name of the kind that vector tables use.
    Name,
    /// Its address stands in a table that the linker places in a section of vectors.
    Table,
}

impl HandlerSign {
    /// The sign in words, after "looks like an interrupt handler by".
    pub fn words(self) -> &'static str {
        match self {
            HandlerSign::Attribute => "its attribute",
            HandlerSign::Name => "its name",
            HandlerSign::Table => "its place in a table of vectors",
        }
    }
}

/// All facts of a program. The room `collect` fills them once; the other rooms share a reference, so the many
/// fields have one writer.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Casts of pointers to narrower integers.
    pub narrowed: Vec<Placed>,
    /// Expressions that CBMC or ESBMC reads differently from a compiler, unless they are emitted in another
    /// form.
    pub misread: Vec<Misread>,
    /// Where declarations at file scope begin that have neither a type nor a storage class (`x = 0;`), as C89
    /// allows.
    pub untyped: Vec<usize>,
    /// Functions with bodies.
    pub functions: Vec<Function>,
    /// Objects.
    pub objects: Vec<Object>,
    /// Writes, in source order.
    pub writes: Vec<Write>,
    /// Uses after which writes are not visible in the text.
    pub escapes: Vec<Escape>,
    /// Pointers through which assembler may write.
    pub assembler_pointers: Vec<AssemblerPointer>,
    /// Labels.
    pub labels: Vec<Label>,
    /// Jumps.
    pub jumps: Vec<Jump>,
    /// Returns.
    pub returns: Vec<Return>,
    /// Loops.
    pub loops: Vec<Loop>,
    /// Calls.
    pub calls: Vec<Call>,
    /// Assembler statements that may change something.
    pub assemblers: Vec<Assembler>,
    /// For each function that the program declares otherwise than the library has it, the lines before the program by
    /// which it is called as the library has it.
    pub adapted: Vec<Vec<String>>,
    /// Constructs whose effect is not visible in the text.
    pub hidden: Vec<Hidden>,
    /// Functions that look like interrupt handlers and that the program does not call.
    pub uncalled_handlers: Vec<UncalledHandler>,
    /// Volatile objects that the program reads and never writes, each with its first read.
    pub unwritten: Vec<(ObjectIndex, Range)>,
    /// The places of the arguments that `main` reads from the command line, each with its reads in their order; none if a
    /// place is computed, or the array goes elsewhere.
    pub arguments_read: std::collections::BTreeMap<u32, Vec<Range>>,
    /// What a reader must know of the objects that stand for registers, in sentences.
    pub registers: Vec<String>,
    /// What a compiler needs to execute a program with objects in the place of what it has from outside.
    pub native: cfront::Native,
    /// Names of the functions that system headers declare.
    pub declared: std::collections::BTreeSet<String>,
    /// `case` and `default` labels, each with the beginning of its `switch`.
    pub cases: Vec<(usize, usize)>,
    /// Gotos to computed addresses.
    pub computed_jumps: Vec<ComputedJump>,
    /// Labels whose address is taken, by function and name.
    pub label_addresses: Vec<(FunctionIndex, String)>,
    /// Objects that a `for` header initialises.
    pub header_initialisers: Vec<HeaderInitialiser>,
    /// Type names of file scope.
    pub typedefs: std::collections::BTreeSet<String>,
    /// Enumeration constants.
    pub constants: std::collections::BTreeSet<String>,
    /// The types of each call, in the order of the calls.
    pub call_types: Vec<crate::facts::types::CallTypes>,
    /// The type of each object, in the order of the objects.
    pub variable_types: Vec<crate::facts::types::VariableType>,
    /// Declarations of variables inside functions.
    pub declarations: Vec<crate::facts::types::Declaration>,
    /// Statements whose first step saves a place for a non-local jump.
    pub saved_places: Vec<SavedPlace>,
    /// Enumeration constants whose values are known and the same in the whole program.
    pub constant_values: std::collections::BTreeMap<String, i128>,
    /// The program's macros.
    pub macros: crate::facts::Macros,
    /// The program's identifiers that look like emitted ones.
    pub identifiers: std::collections::BTreeSet<String>,
    /// The shapes of the library's types that the model replaces.
    pub shapes: std::collections::BTreeMap<String, crate::facts::sync_types::Shape>,
    /// Whether a static initialiser may give a mutex another kind than the normal one.
    pub static_kinds: bool,
    /// Where the program names one of these types.
    pub type_names: Vec<(Range, String)>,
}

pub(crate) fn range(span: cfront::Span) -> Range {
    Range {
        start: span.start,
        end: span.end,
    }
}
