//! What a program answers when it is asked about itself: which variables hold its state, what they are compared
//! with, who sets them and under which condition; threads, locks, main loops, inputs.
//!
//! What is found here is asked about, never claimed: a guard that is overlooked makes a question less apt, and no
//! verdict wrong.

mod reading;
mod tables;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cfront::span::{ExprId, FunctionId, Id, ObjectId, RecordId, Span};
use cfront::tree::{BinaryOp, ExprKind, ForInit, Label, Parent, Resolved, StmtKind};
use cfront::tree::{InitKind, Storage, Tree};
use cfront::types::Type;
use cfront::Unit;
use weave::facts::Facts;

/// A line of the program; shown with the file's own name.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The file, as the preprocessor names it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl std::fmt::Display for Spot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let own = self.file.rsplit('/').next().unwrap_or_default();
        write!(f, "{own}:{}", self.line)
    }
}

/// A constant as the program spells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// A name, where it has one.
    pub text: String,
    /// Its value.
    pub value: i128,
}

/// A comparison of a variable with a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The variable, as a condition of a specification names it.
    pub variable: String,
    /// How.
    pub op: BinaryOp,
    /// With what.
    pub constant: Constant,
}

impl Test {
    /// As a condition of a specification.
    pub fn condition(&self) -> String {
        format!(
            "{} {} {}",
            self.variable,
            self.op.spelling(),
            self.constant.text
        )
    }
}

/// A place where a variable is written.
#[derive(Clone, Debug)]
pub struct Written {
    /// The constant that is written, if it is one.
    pub value: Option<Constant>,
    /// Where.
    pub spot: Spot,
    /// In which function.
    pub function: Option<FunctionId>,
    /// The tests under which it stands, innermost first.
    pub guards: Vec<Test>,
}

/// A variable, or a member of one, that holds something of the program's state.
#[derive(Clone, Debug)]
pub struct Variable {
    /// As a condition names it: `x`, `f::x`, `x.member`.
    pub path: String,
    /// Whether it lives as long as the program.
    pub lasting: bool,
    /// Whether negative values are possible.
    pub signed: bool,
    /// Where it is mentioned first.
    pub spot: Spot,
    /// Its value at the beginning, if that is known.
    pub initial: Option<i128>,
    /// The constants that it is compared with or switched over, each once.
    pub compared: Vec<Constant>,
    /// The constants that it is held against by `<`, `<=`, `>`, `>=`.
    pub bounds: Vec<Constant>,
    /// Whether it is asked whether it is zero.
    pub tested: bool,
    /// Where it is written.
    pub written: Vec<Written>,
    /// Whether it counts up.
    pub rises: bool,
    /// Whether it counts down.
    pub falls: bool,
    /// Whether a `for` header counts with it.
    pub counter: bool,
}

impl Variable {
    /// A state that comes from a table is one of those that stand there, whatever else it is compared with.
    fn set_from_table(&mut self, states: Vec<(Constant, Spot)>, function: Option<FunctionId>) {
        for (state, spot) in states {
            if self.compared.iter().all(|known| known.value != state.value) {
                self.compared.push(state.clone());
            }
            self.written.push(Written {
                value: Some(state),
                spot,
                function,
                guards: Vec::new(),
            });
        }
    }
}

/// Everything that was found.
#[derive(Debug, Default)]
pub struct Interview {
    /// In the order of the text.
    pub variables: Vec<Variable>,
    /// Functions that threads begin with, with where they are started.
    pub threads: BTreeMap<String, Spot>,
    /// Functions that never end by themselves.
    pub endless: BTreeSet<String>,
    /// Arguments of the calls that lock something.
    pub locks: BTreeSet<String>,
    /// Main loops: loops without an end of their own, with the functions of the program that they call, in
    /// order.
    pub main_loops: Vec<(Spot, Vec<String>)>,
    /// Functions of others that are called, and where first: they may give inputs.
    pub outside: BTreeMap<String, Spot>,
    /// Functions of the program that are called, and where first.
    pub called: BTreeMap<String, Spot>,
}

/// Asks a program. Linear in its size, but for the depth of what stands in what.
pub fn interview(unit: &Unit, facts: &Facts) -> Interview {
    let tree = &unit.tree;
    let mut asker = Asker {
        unit,
        tree,
        facts,
        owners: owners(tree),
        ambiguous: ambiguous(tree),
        counters: BTreeSet::new(),
        places: HashMap::new(),
        set_by: Vec::new(),
        calls: Vec::new(),
        found: Interview::default(),
    };
    asker.headers();
    let functions = tree.functions_of_expressions();
    for (id, expr) in tree.exprs.iter() {
        let constant = matches!(expr.parent, Parent::Fragment | Parent::Constant);
        if expr.unevaluated || constant || asker.is_systems(expr.span) {
            continue;
        }
        asker.expression(id, functions[id.index()]);
    }
    asker.handed_on();
    asker.switches();
    asker.loops();
    asker.found.variables.sort_by(|a, b| a.spot.cmp(&b.spot));
    asker.found
}

/// The one variable of a type, for the members that are reached through pointers.
fn owners(tree: &Tree) -> HashMap<RecordId, Option<ObjectId>> {
    let mut owners = HashMap::new();
    for (id, object) in tree.objects.iter() {
        let parameter = object.storage == Storage::Parameter;
        let Type::Record(record) = tree.type_of(object.ty) else {
            continue;
        };
        if !parameter && !object.in_system_header {
            let entry = owners.entry(*record).or_insert(Some(id));
            if *entry != Some(id) {
                *entry = None;
            }
        }
    }
    owners
}

/// Objects whose name a specification would have to tell apart from another's.
fn ambiguous(tree: &Tree) -> BTreeSet<ObjectId> {
    let mut named: HashMap<(&str, Option<FunctionId>), ObjectId> = HashMap::new();
    let mut ambiguous = BTreeSet::new();
    for (id, object) in tree.objects.iter() {
        let key = (object.name.as_str(), object.function);
        if let Some(other) = named.insert(key, id) {
            ambiguous.extend([id, other]);
        }
    }
    ambiguous
}

struct Asker<'a> {
    unit: &'a Unit,
    tree: &'a Tree,
    facts: &'a Facts,
    owners: HashMap<RecordId, Option<ObjectId>>,
    ambiguous: BTreeSet<ObjectId>,
    /// Objects that a `for` header counts with.
    counters: BTreeSet<ObjectId>,
    /// Variables by their paths.
    places: HashMap<String, usize>,
    /// Variables that get the value of a parameter: the variable, the function, the parameter's number.
    set_by: Vec<(String, FunctionId, usize)>,
    /// Calls of the program's functions, with the functions that call.
    calls: Vec<(ExprId, FunctionId, Vec<ExprId>, Option<FunctionId>)>,
    found: Interview,
}

impl Asker<'_> {
    fn is_systems(&self, span: Span) -> bool {
        self.unit.source.lines.kind(span.start) == cfront::linemap::RegionKind::System
    }

    fn spot(&self, span: Span) -> Spot {
        let (file, line) = self.unit.source.lines.line(span.start);
        Spot {
            file: file.to_string(),
            line,
        }
    }

    /// The objects that `for` headers count with.
    fn headers(&mut self) {
        for (_, stmt) in self.tree.stmts.iter() {
            let StmtKind::For { init, step, .. } = &stmt.kind else {
                continue;
            };
            if let ForInit::Decl(decl) = init {
                for declared in &self.tree.decls[*decl].declared {
                    if let cfront::tree::Entity::Object(object) = declared.entity {
                        self.counters.insert(object);
                    }
                }
            }
            let written = step.map(|step| &self.tree.exprs[step].kind);
            if let Some(ExprKind::IncDec { operand: e, .. } | ExprKind::Assign { lhs: e, .. }) =
                written
            {
                self.counters.extend(self.tree.root(*e).0);
            }
        }
    }

    fn expression(&mut self, id: ExprId, function: Option<FunctionId>) {
        match &self.tree.exprs[id].kind {
            ExprKind::Assign { op, lhs, rhs, .. } => {
                let (op, lhs, rhs) = (*op, *lhs, *rhs);
                self.assignment(id, function, op, lhs, rhs);
            }
            ExprKind::IncDec {
                increment, operand, ..
            } => {
                let (up, operand) = (*increment, *operand);
                self.steps(id, function, operand, up, !up);
            }
            ExprKind::Binary(op, a, b) => {
                if let Some(test) = self.comparison(*op, *a, *b) {
                    let place = if self.path(*a).is_some() { *a } else { *b };
                    self.compared(place, test);
                } else if let Some((place, bound)) = self.bound_of_sum(*op, *a, *b) {
                    if let Some(variable) = self.variable(place) {
                        variable.bounds.push(bound);
                    }
                }
            }
            ExprKind::Call { callee, args, .. } => {
                let args = args.clone();
                self.call(id, *callee, &args, function);
            }
            ExprKind::Ident(Resolved::Object(_)) | ExprKind::Member { .. }
                if self.asked_for_zero(id) =>
            {
                if let Some(variable) = self.variable(id) {
                    variable.tested = true;
                }
            }
            _ => {}
        }
    }

    fn assignment(
        &mut self,
        id: ExprId,
        function: Option<FunctionId>,
        op: Option<BinaryOp>,
        lhs: ExprId,
        rhs: ExprId,
    ) {
        match op {
            None => {
                if let (Some(path), Some((owner, number))) =
                    (self.path(self.stripped(lhs)), self.parameter(rhs))
                {
                    // Known as a variable, even if nobody else writes it.
                    self.variable(lhs);
                    self.set_by.push((path, owner, number));
                    return;
                }
                let mut values = self.values(rhs);
                let guards = self.guards(id);
                let spot = self.spot(self.tree.exprs[id].span);
                let looked_up = self.looked_up(rhs);
                if let Some(variable) = self.variable(lhs) {
                    if !looked_up.is_empty() {
                        values.clear();
                        variable.set_from_table(looked_up, function);
                    }
                    variable
                        .written
                        .extend(values.into_iter().map(|value| Written {
                            value,
                            spot: spot.clone(),
                            function,
                            guards: guards.clone(),
                        }));
                }
            }
            Some(BinaryOp::Add) => self.steps(id, function, lhs, true, false),
            Some(BinaryOp::Sub) => self.steps(id, function, lhs, false, true),
            Some(_) => self.steps(id, function, lhs, false, false),
        }
    }

    /// The constants that variables get by way of a parameter, at the calls.
    fn handed_on(&mut self) {
        for (path, owner, number) in std::mem::take(&mut self.set_by) {
            for (id, target, args, caller) in self.calls.clone() {
                let Some(&value) = args.get(number).filter(|_| target == owner) else {
                    continue;
                };
                let values = self.values(value);
                let guards = self.guards(id);
                let spot = self.spot(self.tree.exprs[id].span);
                let index = self.places.get(&path).copied();
                let Some(variable) = index.and_then(|i| self.found.variables.get_mut(i)) else {
                    continue;
                };
                variable
                    .written
                    .extend(values.into_iter().map(|value| Written {
                        value,
                        spot: spot.clone(),
                        function: caller,
                        guards: guards.clone(),
                    }));
            }
        }
    }

    fn steps(
        &mut self,
        id: ExprId,
        function: Option<FunctionId>,
        operand: ExprId,
        up: bool,
        down: bool,
    ) {
        let guards = self.guards(id);
        let spot = self.spot(self.tree.exprs[id].span);
        if let Some(variable) = self.variable(operand) {
            variable.rises |= up;
            variable.falls |= down;
            variable.written.push(Written {
                value: None,
                spot,
                function,
                guards,
            });
        }
    }

    /// What an expression may be: both sides of `c ? A : B`.
    fn values(&self, id: ExprId) -> Vec<Option<Constant>> {
        match &self.tree.exprs[id].kind {
            ExprKind::Conditional {
                then: Some(then),
                otherwise,
                ..
            } => vec![self.constant(*then), self.constant(*otherwise)],
            _ => vec![self.constant(id)],
        }
    }

    fn compared(&mut self, place: ExprId, test: Test) {
        let Some(variable) = self.variable(place) else {
            return;
        };
        let list = match test.op {
            BinaryOp::Eq | BinaryOp::Ne => &mut variable.compared,
            _ => &mut variable.bounds,
        };
        if list.iter().all(|known| known.value != test.constant.value) {
            list.push(test.constant);
        }
    }

    fn call(&mut self, id: ExprId, callee: ExprId, args: &[ExprId], caller: Option<FunctionId>) {
        let ExprKind::Ident(Resolved::Function(target)) = self.tree.exprs[callee].kind else {
            return;
        };
        let function = &self.tree.functions[target];
        if function.body.is_some() {
            self.calls.push((id, target, args.to_vec(), caller));
        }
        let spot = self.spot(self.tree.exprs[id].span);
        let begins = match function.name.as_str() {
            "pthread_create" => args.get(2),
            "thrd_create" => args.get(1),
            _ => None,
        };
        if let Some(ExprKind::Ident(Resolved::Function(thread))) = begins
            .map(|&e| self.stripped(e))
            .map(|e| &self.tree.exprs[e].kind)
        {
            let name = self.tree.functions[*thread].name.clone();
            self.found.threads.entry(name).or_insert(spot.clone());
        }
        if ["pthread_mutex_lock", "mtx_lock"].contains(&function.name.as_str()) {
            if let Some(lock) = args.first() {
                let text = self.unit.text_of(self.tree.exprs[*lock].bare);
                let lock = text.trim_start_matches('&').to_string();
                self.found.locks.insert(lock);
            }
        }
        let list = match function.body {
            Some(_) => &mut self.found.called,
            None if function.in_system_header => return,
            None => &mut self.found.outside,
        };
        list.entry(function.name.clone()).or_insert(spot);
    }

    /// `case` labels, as comparisons of what is switched over.
    fn switches(&mut self) {
        for (id, stmt) in self.tree.stmts.iter() {
            let StmtKind::Labeled {
                label: Label::Case(value),
                ..
            } = &stmt.kind
            else {
                continue;
            };
            let Some(subject) = self.switched(id) else {
                continue;
            };
            if let (Some(test), false) = (
                self.comparison(BinaryOp::Eq, subject, *value),
                self.is_systems(stmt.span),
            ) {
                self.compared(subject, test);
            }
        }
    }

    /// Main loops, and functions that have one.
    fn loops(&mut self) {
        for (_, stmt) in self.tree.stmts.iter() {
            let endless = match &stmt.kind {
                StmtKind::While { cond, .. } | StmtKind::DoWhile { cond, .. } => {
                    cfront::consteval::eval(self.tree, *cond).is_some_and(|v| v != 0)
                }
                StmtKind::For { cond, .. } => cond.is_none(),
                _ => false,
            };
            let Some(function) = stmt.function.filter(|_| endless) else {
                continue;
            };
            if self.is_systems(stmt.span) {
                continue;
            }
            let name = self.tree.functions[function].name.clone();
            let calls = self.facts.calls.iter();
            let within = calls.filter(|call| {
                stmt.span.start <= call.range.start && call.range.end <= stmt.span.end
            });
            // A call among the arguments of another ends in front of it, and is made in front of it.
            let mut within: Vec<_> = within.collect();
            within.sort_by_key(|call| call.range.end);
            let mut called: Vec<String> = Vec::new();
            for target in within.iter().filter_map(|call| call.target) {
                let name = &self.facts.functions[target].name;
                called.retain(|other| other != name);
                called.push(name.clone());
            }
            self.found.main_loops.push((self.spot(stmt.span), called));
            self.found.endless.insert(name);
        }
    }

    /// The variable that an expression names; made known if it is seen for the first time.
    fn variable(&mut self, id: ExprId) -> Option<&mut Variable> {
        let id = self.stripped(id);
        let path = self.path(id)?;
        let index = match self.places.get(&path) {
            Some(&index) => index,
            None => {
                let new = self.described(id, path.clone())?;
                self.found.variables.push(new);
                self.places.insert(path, self.found.variables.len() - 1);
                self.found.variables.len() - 1
            }
        };
        self.found.variables.get_mut(index)
    }

    /// What is known of a variable from its declaration; nothing if it is no integer.
    fn described(&self, id: ExprId, path: String) -> Option<Variable> {
        let expr = &self.tree.exprs[id];
        let signed = match self.tree.type_of(expr.ty) {
            Type::Int(kind) => kind.signed(),
            Type::Enum(_) | Type::Bool => false,
            _ => return None,
        };
        let root = self.owner(id)?;
        let object = &self.tree.objects[root];
        let whole = matches!(expr.kind, ExprKind::Ident(_));
        let initial = match object.init {
            Some(init) if whole => match self.tree.inits[init].kind {
                InitKind::Expr(value) => cfront::consteval::eval(self.tree, value),
                InitKind::List(_) => None,
            },
            Some(_) => self.initial_of_member(id),
            None => object.is_static_duration().then_some(0),
        };
        Some(Variable {
            path,
            lasting: object.is_static_duration(),
            signed,
            spot: self.spot(object.name_span),
            initial,
            compared: Vec::new(),
            bounds: Vec::new(),
            tested: false,
            written: Vec::new(),
            rises: false,
            falls: false,
            counter: self.counters.contains(&root),
        })
    }
}
