//! The facts about state that the search for lassos and proofs need, collected from the tree once.

use std::collections::{BTreeMap, HashMap};

use cfront::alias::{Aliases, Assumptions};
use cfront::span::{FunctionId, Id, ObjectId};
use cfront::tree::{Label, Parent, StmtKind, Storage, Tree};
use cfront::types::{ArrayLen, QualType, Type};
use cfront::{Flow, Unit};
use spec::{Access, Param};

use crate::analysis::influence::{is_automatic, within, Influence};
use crate::analysis::initial_values;
use crate::analysis::live_locals::{counters, Live};
use crate::analysis::object_shapes::{Shape, COMPARED};
use crate::analysis::pointees::Pointees;
use crate::facts::heads::{Scalar, Target};
use crate::facts::spelling::NAME;
use crate::facts::{ObjectIndex, Range};

/// An object whose parts are saved and compared.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The object.
    pub object: ObjectIndex,
    /// The name that a reader knows.
    pub name: String,
    /// The variable that holds the saved value.
    pub copy: String,
    /// The paths to the relevant parts, and their shapes.
    pub parts: Vec<(String, Shape)>,
}

/// The facts about one object.
#[derive(Clone, Debug)]
pub(crate) struct ObjectFacts {
    pub name: String,
    pub shape: Shape,
    /// Whether a scalar is `const`, so that its copy needs a type of its own.
    pub constant: bool,
    /// For a static local: the end of its declaration, and a declaration of a pointer to it with [`NAME`] for
    /// its name, if its type can be named at the end of the file.
    pub pointer: Option<(usize, Option<String>)>,
    /// For an object at file scope: a declaration that can precede all others, if its type needs no other name.
    pub early: Option<String>,
    /// Whether a jump can enter the block of a static local without passing its declaration.
    pub bypassed: bool,
    /// The paths to its scalars, and their kinds.
    pub leaves: Vec<(String, Scalar)>,
    /// The paths to its pointers, and where they may lead.
    pub pointers: Vec<(String, Vec<Target>)>,
    /// The initial values of its scalars by their paths, if all are known integers; those that are missing are 0.
    /// `None` also for a static local with a bit-field, to which no pointer can point.
    pub initial: Option<BTreeMap<String, i64>>,
}

/// The facts that lassos need.
#[derive(Clone, Debug)]
pub struct Observed {
    pub(crate) influence: Influence,
    pub(crate) live: Live,
    pub(crate) objects: Vec<ObjectFacts>,
    /// The loop counters, by the offset of the loop's body.
    counters: HashMap<usize, ObjectIndex>,
    first_points: HashMap<usize, usize>,
}

/// Collects the facts of a unit. `flows` has the control flow of its functions.
pub fn observe(unit: &Unit, flows: &HashMap<FunctionId, Flow>) -> Observed {
    let tree = &unit.tree;
    let aliases = Aliases::new(
        tree,
        Assumptions {
            whole_program: true,
        },
    );
    let live = Live::new(tree, flows);
    let mut first_points = HashMap::new();
    for (id, stmt) in tree.stmts.iter() {
        let Parent::Stmt(parent) = stmt.parent else {
            continue;
        };
        let is_body = match tree.stmts[parent].kind {
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. } => body == id,
            _ => false,
        };
        let flow = stmt.function.and_then(|f| flows.get(&f));
        if let (true, Some(first)) = (is_body, flow.and_then(|f| f.first_of(id))) {
            first_points.insert(stmt.span.start, first.index());
        }
    }
    let by_statement = counters(tree, &live.escaping);
    let counters = by_statement
        .into_iter()
        .map(|(body, object)| {
            let body = cfront::span::StmtId::from_index(body);
            (tree.stmts[body].span.start, object)
        })
        .collect();
    let mut pointees = Pointees::new(tree);
    let objects = tree.objects.ids();
    let objects = objects.map(|o| object(unit, o, &mut pointees));
    Observed {
        influence: Influence::new(tree, &aliases),
        objects: objects.collect(),
        live,
        counters,
        first_points,
    }
}

fn object(unit: &Unit, id: ObjectId, pointees: &mut Pointees) -> ObjectFacts {
    let tree = &unit.tree;
    let object = &tree.objects[id];
    let local = is_automatic(tree, id);
    let pointer = (object.storage == Storage::StaticLocal).then(|| {
        let decl = object.decls.first().map(|d| tree.decls[*d].span.end);
        let typed = tree
            .types
            .declare(object.ty, &format!("(*{NAME})"), tree.file_scope());
        (decl.unwrap_or_default(), typed)
    });
    let scalars = scalars(tree, object.ty);
    let pointers = scalars.iter().filter_map(|(way, ty)| {
        let targets = pointees.of(tree.types.pointee(*ty)?);
        (!targets.is_empty()).then(|| (way.clone(), targets))
    });
    ObjectFacts {
        name: object.name.clone(),
        pointers: pointers.collect(),
        shape: match local {
            true => Shape::of_local(tree, object.ty),
            false => Shape::of_static(tree, object.ty),
        },
        constant: object.ty.quals.is_const,
        early: early(tree, id),
        leaves: scalars
            .iter()
            .filter_map(|(way, ty)| Some((way.clone(), kind(tree, *ty)?)))
            .collect(),
        pointer,
        initial: initial_values::values(tree, id),
        bypassed: object.storage == Storage::StaticLocal && bypassed(unit, id),
    }
}

/// A declaration of an object at file scope, before all others.
fn early(tree: &Tree, id: ObjectId) -> Option<String> {
    let object = &tree.objects[id];
    let storage = match object.storage {
        Storage::Global => "extern",
        Storage::FileStatic => "static",
        Storage::Local | Storage::StaticLocal | Storage::Parameter => return None,
    };
    let text = tree
        .types
        .declare_where(object.ty, &object.name, &|_| false)?;
    Some(format!("{storage} {text};\n"))
}

/// The paths to the scalars of a type, and their types. The list is cut for a large array, which no proof follows.
fn scalars(tree: &Tree, ty: QualType) -> Vec<(String, QualType)> {
    const MOST: usize = 1024;
    let mut out = Vec::new();
    let mut open = vec![(String::new(), ty)];
    while let Some((way, ty)) = open.pop() {
        if out.len() + open.len() > MOST {
            break;
        }
        match tree.types.get(ty) {
            Type::Array(element, ArrayLen::Known(n)) => {
                open.extend(
                    (0..*n)
                        .take(MOST)
                        .map(|i| (format!("{way}[{i}]"), *element)),
                );
            }
            Type::Record(record) => {
                let members = tree.types.records[*record].members.iter().flatten();
                open.extend(members.map(|m| {
                    let name = m.name.as_ref().map(|n| format!(".{n}"));
                    (way.clone() + &name.unwrap_or_default(), m.ty)
                }));
            }
            _ => out.push((way, ty)),
        }
    }
    out
}

/// The kind of a scalar; `None` for other types.
fn kind(tree: &Tree, ty: QualType) -> Option<Scalar> {
    Some(match tree.types.get(ty) {
        Type::Bool => Scalar::Truth,
        Type::Int(kind) => Scalar::Integer(tree.types.bits(*kind), tree.types.signed(*kind)),
        Type::Enum(_) => {
            let kind = tree.types.int_kind(ty);
            Scalar::Integer(
                tree.types.model.int,
                kind.is_none_or(|kind| tree.types.signed(kind)),
            )
        }
        Type::Float(_) => Scalar::Real,
        Type::Pointer(_) => Scalar::Pointer,
        _ => return None,
    })
}

/// Whether a jump from outside can reach a label after the declaration of an object, in its block, without
/// passing the declaration.
fn bypassed(unit: &Unit, id: ObjectId) -> bool {
    let tree = &unit.tree;
    let object = &tree.objects[id];
    let scope = tree.scopes[object.scope].span;
    let after = |at: usize| at > object.name_span.start && scope.contains(at);
    let own = || {
        let all = tree.stmts.iter();
        all.filter(|(_, stmt)| stmt.function == object.function)
    };
    let labels = own().filter(|(_, stmt)| after(stmt.span.start));
    let mut targets = labels.filter_map(|(id, stmt)| match &stmt.kind {
        StmtKind::Labeled { label, .. } => Some((id, label)),
        _ => None,
    });
    targets.any(|(id, label)| match label {
        Label::Named(name) => own().any(|(_, stmt)| match &stmt.kind {
            StmtKind::Goto { label, .. } => label == name && !after(stmt.span.start),
            StmtKind::GotoComputed(_) | StmtKind::Asm { .. } => true,
            _ => false,
        }),
        _ => !own().any(|(switch, stmt)| {
            let inside = within(tree, tree.stmts[id].parent, switch);
            matches!(stmt.kind, StmtKind::Switch { .. }) && inside && after(stmt.span.start)
        }),
    })
}

impl Observed {
    /// The counter of a loop, by the offset of the loop's body.
    pub(crate) fn counter(&self, body: usize) -> Option<ObjectIndex> {
        self.counters.get(&body).copied()
    }

    /// The first point of a loop's body, by the body's offset.
    pub(crate) fn first_point(&self, body: usize) -> Option<usize> {
        self.first_points.get(&body).copied()
    }

    /// An object, or a member of one, that the specification declares as part of the state.
    ///
    /// # Errors
    /// Why it cannot be compared, as the rest of a sentence.
    pub(crate) fn declared(
        &self,
        object: ObjectIndex,
        param: &Param,
        number: usize,
    ) -> Result<Kept, String> {
        let facts = &self.objects[object];
        let (mut shape, mut way) = (&facts.shape, String::new());
        for access in &param.path {
            shape = match (access, shape) {
                (Access::Field(name), Shape::Record(members)) => {
                    let wanted = format!(".{name}");
                    let found = members.iter().find(|(way, _)| *way == wanted);
                    way.push_str(&wanted);
                    &found.ok_or(format!("has no member `{name}`"))?.1
                }
                (Access::Index(i), Shape::Array(n, element)) if i < n => {
                    way.push_str(&format!("[{i}]"));
                    element
                }
                _ => {
                    return Err("is not a member or a constant element of an object".to_string());
                }
            };
        }
        if let Some(what) = shape.obstacle(COMPARED) {
            return Err(format!("is {what}"));
        }
        Ok(Kept {
            object,
            name: param.to_string(),
            copy: format!("ba_kept_{number}"),
            parts: vec![(way, shape.clone())],
        })
    }

    /// The end of a static local's declaration, where text about it is inserted.
    pub(crate) fn declaration_end(&self, object: ObjectIndex) -> Option<Range> {
        let end = self.objects[object].pointer.as_ref()?.0;
        Some(Range { start: end, end })
    }
}
