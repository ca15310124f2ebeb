//! The names of a program, with their types and places: what completion, hover and definition need.

use cfront::tree::{ExprKind, Label as TreeLabel, StmtKind, Storage, Tree};
use cfront::types::{QualType, Type};
use cfront::{Id, RecordId, Span, Unit};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The place of a name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The file as the preprocessor names it.
    pub file: PathBuf,
    /// The line, from 0.
    pub line: u32,
    /// The first byte in the line.
    pub column: usize,
    /// The number of bytes.
    pub length: usize,
}

/// What a name means.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SymbolKind {
    /// A variable of the whole program.
    Global,
    /// A variable or a parameter of a function.
    Local,
    /// A function.
    Function,
    /// A constant of an enumeration.
    Constant,
}

/// A name of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// What it means.
    pub kind: SymbolKind,
    /// The function that declares it.
    pub function: Option<String>,
    /// Its declaration as C.
    pub declaration: String,
    /// The structure that it is, points to or has as elements: a key of [`Index::fields`].
    pub record: Option<usize>,
    /// Where it is declared.
    pub place: Option<Place>,
}

/// A label of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The name.
    pub name: String,
    /// The function.
    pub function: String,
    /// Where it stands.
    pub place: Place,
    /// The jumps to it.
    pub jumps: Vec<Place>,
}

/// A member of a structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// The name.
    pub name: String,
    /// Its declaration as C.
    pub declaration: String,
    /// The structure that it is, points to or has as elements.
    pub record: Option<usize>,
}

/// The names of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Index {
    /// Variables, functions and constants, by name.
    pub symbols: Vec<Symbol>,
    /// Labels in the order of the text.
    pub labels: Vec<Label>,
    /// The members of each structure, those of anonymous members included.
    pub fields: BTreeMap<usize, Vec<Field>>,
}

impl Index {
    /// Collects the names of a program. Those of system headers are left out.
    pub fn of(unit: &Unit) -> Index {
        let tree = &unit.tree;
        let builder = Builder { unit, tree };
        let mut symbols = builder.objects();
        symbols.extend(builder.functions());
        symbols.extend(builder.constants());
        symbols.sort_by(|a, b| (&a.name, &a.function).cmp(&(&b.name, &b.function)));
        symbols.dedup();
        Index {
            symbols,
            labels: builder.labels(),
            fields: builder.fields(),
        }
    }

    /// The symbols of a name, in a function or of the whole program.
    pub(crate) fn named<'a>(
        &'a self,
        name: &'a str,
        function: Option<&'a str>,
    ) -> impl Iterator<Item = &'a Symbol> {
        let first = self.symbols.partition_point(|s| s.name.as_str() < name);
        let named = self.symbols[first..].iter();
        let named = named.take_while(move |s| s.name == name);
        named.filter(move |s| s.function.as_deref() == function)
    }

    /// The labels that a specification means by `label` or `function::label`.
    pub(crate) fn labelled<'a>(&'a self, written: &'a str) -> impl Iterator<Item = &'a Label> {
        let (function, name) = match written.split_once("::") {
            Some((function, name)) => (Some(function.trim()), name.trim()),
            None => (None, written.trim()),
        };
        let labels = self.labels.iter().filter(move |l| l.name == name);
        labels.filter(move |l| function.is_none_or(|f| f == l.function))
    }
}

struct Builder<'a> {
    unit: &'a Unit,
    tree: &'a Tree,
}

impl Builder<'_> {
    fn place(&self, span: Span) -> Option<Place> {
        let place = self.unit.source.place(span);
        let (from, to) = place.underline;
        (!place.file.is_empty() && !place.file.starts_with('<')).then(|| Place {
            file: PathBuf::from(&place.file),
            line: place.line.saturating_sub(1),
            column: (place.column as usize).saturating_sub(1),
            length: to.saturating_sub(from),
        })
    }

    fn declaration(&self, ty: QualType, name: &str) -> String {
        let text = self.tree.types.declare_where(ty, name, &|_| true);
        text.unwrap_or_else(|| name.to_owned())
    }

    fn record(&self, ty: QualType) -> Option<usize> {
        match self.tree.types.get(ty) {
            Type::Record(id) => Some(key(*id)),
            Type::Pointer(inner) | Type::Array(inner, _) => self.record(*inner),
            _ => None,
        }
    }

    fn function_name(&self, id: cfront::FunctionId) -> String {
        self.tree.functions[id].name.clone()
    }

    fn objects(&self) -> Vec<Symbol> {
        let objects = self.tree.objects.iter();
        let own = objects.filter(|(_, object)| !object.in_system_header);
        own.map(|(_, object)| Symbol {
            name: object.name.clone(),
            kind: match object.storage {
                Storage::Global | Storage::FileStatic => SymbolKind::Global,
                _ => SymbolKind::Local,
            },
            function: object.function.map(|f| self.function_name(f)),
            declaration: self.declaration(object.ty, &object.name),
            record: self.record(object.ty),
            place: self.place(object.name_span),
        })
        .collect()
    }

    fn functions(&self) -> Vec<Symbol> {
        let functions = self.tree.functions.iter();
        let own = functions.filter(|(_, function)| !function.in_system_header);
        own.map(|(_, function)| Symbol {
            name: function.name.clone(),
            kind: SymbolKind::Function,
            function: None,
            declaration: self.declaration(function.ty, &function.name),
            record: None,
            // The definition comes last.
            place: function.names.last().and_then(|span| self.place(*span)),
        })
        .collect()
    }

    fn constants(&self) -> Vec<Symbol> {
        let enums = self.tree.types.enums.iter();
        let own = enums.filter(|(_, e)| {
            self.unit.source.lines.kind(e.span.start) == cfront::linemap::RegionKind::User
        });
        own.flat_map(|(_, e)| {
            e.constants.iter().map(|(name, value)| Symbol {
                name: name.clone(),
                kind: SymbolKind::Constant,
                function: None,
                declaration: match value {
                    Some(value) => format!("enum constant {name} = {value}"),
                    None => format!("enum constant {name}"),
                },
                record: None,
                place: self.place(e.span),
            })
        })
        .collect()
    }

    fn fields(&self) -> BTreeMap<usize, Vec<Field>> {
        let records = self.tree.types.records.iter();
        records
            .map(|(id, _)| (key(id), self.fields_of(id, 0)))
            .collect()
    }

    /// The members of a structure; `depth` bounds anonymous structures in each other.
    fn fields_of(&self, id: RecordId, depth: usize) -> Vec<Field> {
        let members = self.tree.types.records[id].members.as_deref();
        let mut fields = Vec::new();
        for member in members.unwrap_or_default() {
            match (&member.name, self.tree.types.get(member.ty)) {
                (Some(name), _) => fields.push(Field {
                    name: name.clone(),
                    declaration: self.declaration(member.ty, name),
                    record: self.record(member.ty),
                }),
                (None, Type::Record(inner)) if depth < 20 => {
                    fields.extend(self.fields_of(*inner, depth + 1));
                }
                _ => {}
            }
        }
        fields
    }

    fn labels(&self) -> Vec<Label> {
        let mut labels: Vec<Label> = Vec::new();
        let mut numbers = BTreeMap::new();
        let mut jumps = Vec::new();
        for (_, stmt) in self.tree.stmts.iter() {
            let Some(function) = stmt.function else {
                continue;
            };
            match &stmt.kind {
                StmtKind::Labeled {
                    label: TreeLabel::Named(name),
                    label_span,
                    ..
                } => {
                    let function = self.function_name(function);
                    let Some(place) = self.place(*label_span) else {
                        continue;
                    };
                    numbers.insert((function.clone(), name.clone()), labels.len());
                    labels.push(Label {
                        name: name.clone(),
                        function,
                        place,
                        jumps: Vec::new(),
                    });
                }
                StmtKind::Goto { label, label_span } => {
                    jumps.push((self.function_name(function), label.clone(), *label_span));
                }
                StmtKind::Asm {
                    is_goto: true,
                    mentions,
                    ..
                } => {
                    let function = self.function_name(function);
                    let mentions = mentions.iter().cloned();
                    jumps.extend(mentions.map(|(name, span)| (function.clone(), name, span)));
                }
                _ => {}
            }
        }
        for (_, expr) in self.tree.exprs.iter() {
            let ExprKind::LabelAddress(label) = &expr.kind else {
                continue;
            };
            if let Some(function) = self.tree.function_of(expr.parent) {
                let name = Span::new(expr.bare.end - label.len(), expr.bare.end);
                jumps.push((self.function_name(function), label.clone(), name));
            }
        }
        for (function, label, span) in jumps {
            let number = numbers.get(&(function, label));
            let label = number.and_then(|&n| labels.get_mut(n));
            if let (Some(label), Some(place)) = (label, self.place(span)) {
                label.jumps.push(place);
            }
        }
        labels.sort_by(|a, b| a.place.cmp(&b.place));
        labels
    }
}

fn key(id: RecordId) -> usize {
    id.index()
}
