//! Functions of the library as the program declares them.

use cfront::tree::{ExprKind, Resolved};
use cfront::types::{Class, IntKind, QualType};

use super::Collector;
use crate::library::prototypes::{adapted, is_listed, renamed, Declared, Kind, Widths};

impl Collector<'_> {
    /// Notes the types of listed functions that have no body and that the program's own text names.
    pub(crate) fn prototypes(&mut self) {
        let tree = self.tree;
        // Another file may include the header that declares the function.
        if !self.one_file {
            return;
        }
        let model = &tree.types.model;
        let widths = Widths {
            int: model.bits(IntKind::Int),
            long: model.bits(IntKind::Long),
            size: model.bits(model.size_type()),
        };
        let named = |id| {
            let is = |kind: &ExprKind| matches!(kind, ExprKind::Ident(Resolved::Function(f)) if *f == id);
            tree.exprs.iter().any(|(_, e)| is(&e.kind))
        };
        for (id, function) in tree.functions.iter() {
            if function.body.is_some() || !is_listed(&function.name) || function.in_system_header {
                continue;
            }
            let ty = tree.types.function(function.ty);
            let Some(ty) = ty.filter(|ty| ty.prototype && !ty.variadic && named(id)) else {
                continue;
            };
            let ret = ty.ret;
            let declared =
                |ty: QualType, name: &str| tree.types.declare(ty, name, tree.file_scope());
            let parameters = ty.params.iter().enumerate();
            let parameters = parameters.map(|(i, p)| declared(*p, &format!("ba_{i}")));
            let parameters: Option<Vec<String>> = parameters.collect();
            let head = parameters.and_then(|all| {
                declared(
                    ret,
                    &format!("{}({})", renamed(&function.name), all.join(", ")),
                )
            });
            let Some(head) = head else { continue };
            let declared = Declared {
                name: function.name.clone(),
                head,
                result: self.kind(ret),
                parameters: ty.params.iter().map(|p| self.kind(*p)).collect(),
            };
            self.facts.adapted.extend(adapted(&declared, widths));
        }
    }

    fn kind(&self, ty: QualType) -> Kind {
        let types = &self.tree.types;
        match types.class(ty) {
            Class::Void => Kind::Void,
            Class::Pointer => Kind::Pointer,
            Class::Scalar if types.is_integer(ty) => {
                let bytes = cfront::consteval::size_of(self.tree, ty);
                bytes.map_or(Kind::Other, |b| Kind::Integer(8 * b as u32))
            }
            _ => Kind::Other,
        }
    }
}
