//! Calls: those of the program's functions, and atomic operations.

use cfront::tree::{ExprKind, Resolved};
use cfront::types::{QualType, Type};
use cfront::ExprId;

use super::classes::Key;
use super::flow::{Value, Walk};
use super::memory;
use super::model::Memory;

/// Whether a function of the compiler adds to a place.
pub(super) fn adds(name: &str) -> bool {
    let name = name.trim_start_matches('_');
    let atomic = ["atomic_", "sync_"]
        .iter()
        .find_map(|p| name.strip_prefix(p));
    let parts = ["fetch_add", "fetch_sub", "add_fetch", "sub_fetch"];
    let parts = parts.into_iter().chain([
        "fetch_and_add",
        "fetch_and_sub",
        "add_and_fetch",
        "sub_and_fetch",
    ]);
    atomic.is_some_and(|name| {
        let mut parts = parts;
        parts.any(|part| name == part)
    })
}

impl Walk<'_> {
    /// A call.
    pub(super) fn call(&mut self, callee: ExprId, args: &[ExprId], ty: QualType) -> Option<Value> {
        let tree = self.tree;
        let name = match &tree.exprs[callee].kind {
            ExprKind::Ident(Resolved::Function(function)) => {
                let name = &tree.functions[*function].name;
                if self.memory == Memory::Views && memory::accesses(name) {
                    return self.remembered(name, args);
                }
                if tree.functions[*function].body.is_some() {
                    return self.called(*function, args);
                }
                tree.functions[*function].name.clone()
            }
            ExprKind::Ident(Resolved::Unknown(name)) => name.clone(),
            _ => {
                self.expr(callee)?;
                String::new()
            }
        };
        let mut values = Vec::new();
        for &arg in args {
            values.push(self.expr(arg)?);
        }
        if let Some(value) = self.atomic(&name, args, &values, ty) {
            return Some(value);
        }
        // Any other function may do anything with what it gets.
        for value in values {
            self.lose(value);
        }
        let node = self.classes.fresh();
        self.classes.expose(node);
        let is_pointer = matches!(tree.type_of(ty), Type::Pointer(_));
        Some(Value {
            class: None,
            to: is_pointer.then_some(node),
        })
    }

    /// A call of a function of the program.
    fn called(&mut self, function: cfront::span::FunctionId, args: &[ExprId]) -> Option<Value> {
        self.reach(function);
        let params = self.params(function);
        for (number, &arg) in args.iter().enumerate() {
            let value = self.expr(arg)?;
            match params.get(number) {
                Some(&param) => {
                    let node = self.classes.of(self.tree, Key::Object(param));
                    self.assign(node, self.tree.objects[param].ty, value);
                }
                None => self.lose(value),
            }
        }
        let (node, ret) = self.result(function)?;
        Some(self.load(node, ret))
    }

    /// An atomic operation of the compiler; `None` if it is none that is known.
    fn atomic(
        &mut self,
        name: &str,
        args: &[ExprId],
        values: &[Value],
        ty: QualType,
    ) -> Option<Value> {
        let of = self
            .tree
            .types
            .pointee(self.tree.exprs[*args.first()?].ty)?;
        let place = values[0].to?;
        let plain = Some(Value::default());
        let old = |walk: &mut Self| Some(walk.load(place, of));
        let pointed = |walk: &mut Self, number: usize| {
            let to = values.get(number)?.to?;
            Some(walk.load(to, of))
        };
        let adds = adds(name);
        match name {
            _ if !name.starts_with("__atomic_") && !name.starts_with("__sync_") => return None,
            "__atomic_load_n" => {}
            "__atomic_store_n" | "__atomic_exchange_n" | "__sync_lock_test_and_set" => {
                self.assign(place, of, *values.get(1)?);
            }
            "__atomic_load"
            | "__atomic_store"
            | "__atomic_exchange"
            | "__atomic_compare_exchange" => {
                // The orders behind are numbers.
                for (value, &arg) in values.iter().zip(args).skip(1).take(2) {
                    if self.tree.types.is_integer(self.tree.exprs[arg].ty) {
                        continue;
                    }
                    let to = value.to?;
                    let other = self.load(to, of);
                    self.join_places(place, to, other, of);
                }
            }
            "__atomic_compare_exchange_n" => {
                let expected = pointed(self, 1)?;
                self.join_places(place, values[1].to?, expected, of);
                self.assign(place, of, *values.get(2)?);
                return plain;
            }
            "__sync_bool_compare_and_swap" | "__sync_val_compare_and_swap" => {
                self.assign(place, of, *values.get(1)?);
                self.assign(place, of, *values.get(2)?);
                if name.contains("bool") {
                    return plain;
                }
            }
            _ if adds => self.add(place, *values.get(1)?),
            _ => return None,
        }
        self.classes.shape(self.tree, place, of);
        match self.tree.type_of(ty) {
            Type::Void | Type::Bool => plain,
            _ => old(self),
        }
    }

    /// Two places get each other's values.
    fn join_places(&mut self, place: usize, other: usize, value: Value, of: QualType) {
        self.classes.shape(self.tree, place, of);
        self.classes.shape(self.tree, other, of);
        self.assign(place, of, value);
    }
}
