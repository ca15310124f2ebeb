//! Interviews a program: finds the variables that hold its state, the constants that they are
//! compared with, and the writes with their conditions; threads, locks, main loops, inputs.
//!
//! The findings only suggest questions: a guard that is overlooked makes a question less useful,
//! but no verdict wrong.

mod reading;
mod tables;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cfront::span::{ExprId, FunctionId, Id, ObjectId, RecordId, Span};
use cfront::tree::{BinaryOp, ExprKind, ForInit, Label, Parent, Resolved, StmtKind};
use cfront::tree::{InitKind, Storage, Tree};
use cfront::types::Type;
use cfront::Unit;
use weave::facts::Facts;

/// A line of the program; displayed with the file's base name.
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
    /// The spelling in the program: a name, if it has one.
    pub text: String,
    /// Its value.
    pub value: i128,
}

/// A comparison of a variable with a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The variable's name in a condition of a specification.
    pub variable: String,
    /// The operator.
    pub op: BinaryOp,
    /// The constant.
    pub constant: Constant,
}

impl Test {
    /// The test as a condition of a specification.
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
    /// The written constant; `None` for other values.
    pub value: Option<Constant>,
    /// The place.
    pub spot: Spot,
    /// The function that contains the write.
    pub function: Option<FunctionId>,
    /// The tests around the write, innermost first.
    pub guards: Vec<Test>,
}

/// A variable, or a member of one, that may hold a part of the program's state.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name in a condition: `x`, `f::x`, `x.member`.
    pub path: String,
    /// Whether it has static lifetime.
    pub lasting: bool,
    /// Whether negative values are possible.
    pub signed: bool,
    /// The place of its first mention.
    pub spot: Spot,
    /// Its initial value, if known.
    pub initial: Option<i128>,
    /// The constants of `==`, `!=` and `case`, each once.
    pub compared: Vec<Constant>,
    /// The constants of `<`, `<=`, `>`, `>=`.
    pub bounds: Vec<Constant>,
    /// Whether a condition tests it for zero.
    pub tested: bool,
    /// The writes.
    pub written: Vec<Written>,
    /// Whether it counts up.
    pub rises: bool,
    /// Whether it counts down.
    pub falls: bool,
    /// Whether it is the counter of a `for` header.
    pub counter: bool,
}

impl Variable {
    /// Records a state that is looked up in a table: the states in the table are its values.
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

/// All findings.
#[derive(Debug, Default)]
pub struct Interview {
    /// Variables in the order of the text.
    pub variables: Vec<Variable>,
    /// Functions that threads begin with, and where they are started.
    pub threads: BTreeMap<String, Spot>,
    /// Functions that never end by themselves.
    pub endless: BTreeSet<String>,
    /// Arguments of calls that take locks.
    pub locks: BTreeSet<String>,
    /// Main loops: loops without an end, with the program's functions that they call, in order.
    pub main_loops: Vec<(Spot, Vec<String>)>,
    /// Called functions without a body, with the first call: they may give inputs.
    pub outside: BTreeMap<String, Spot>,
    /// Called functions of the program, with the first call.
    pub called: BTreeMap<String, Spot>,
}

/// Interviews a program. Linear in its size, times the nesting depth.
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

/// The only variable of a structure type, for members that are accessed through pointers.
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

/// Objects whose name alone would be ambiguous in a specification.
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
    /// Counters of `for` headers.
    counters: BTreeSet<ObjectId>,
    /// Variables by their paths.
    places: HashMap<String, usize>,
    /// Variables that are assigned a parameter: the variable, the function, the parameter's index.
    set_by: Vec<(String, FunctionId, usize)>,
    /// Calls of the program's functions, with the calling functions.
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

    /// Collects the counters of `for` headers.
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
                    // It counts as a variable even without other writes.
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

    /// Adds the constants that variables get through a parameter, at the calls.
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

    /// The possible values of an expression: both sides of `c ? A : B`.
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

    /// Adds `case` labels as comparisons of the `switch` expression.
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

    /// Adds main loops, and functions that have one.
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
            // A call in the arguments of another one ends before it, and is executed before it.
            let mut within: Vec<_> = within.collect();
            within.sort_by_key(|call| call.range.end);
            let mut called: Vec<String> = Vec::new();
            let own = |f: &usize| {
                let function = &self.tree.functions[self.facts.functions[*f].id];
                !function.in_system_header
            };
            for target in within.iter().filter_map(|call| call.target).filter(own) {
                let name = &self.facts.functions[target].name;
                called.retain(|other| other != name);
                called.push(name.clone());
            }
            self.found.main_loops.push((self.spot(stmt.span), called));
            self.found.endless.insert(name);
        }
    }

    /// The variable that an expression names; adds it at its first mention.
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

    /// A variable's description from its declaration; `None` if it is not an integer.
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
