//! Paths of lvalues: their text, and the pointers that they dereference.

use cfront::consteval;
use cfront::span::{ExprId, Id, ObjectId};
use cfront::tree::{ExprKind, Resolved, Storage};
use cfront::types::Class;

use super::{declaration, text, value_type, Chain, Leaf, Piece, Read, Reader, IMPLIES};
use crate::facts::names::user;
use crate::facts::places::array_operand;

impl Reader<'_> {
    pub(crate) fn is_lvalue(&self, e: ExprId) -> bool {
        matches!(
            self.tree.exprs[e].kind,
            ExprKind::Ident(Resolved::Object(_))
                | ExprKind::Member { .. }
                | ExprKind::Index { .. }
                | ExprKind::Deref(_)
        )
    }

    /// What to write for `->` behind something that is no pointer: a formula has an arrow, too.
    fn instead_of_arrow(&self, base: ExprId) -> &'static str {
        match self.class(base) {
            Class::Record => "write `.`",
            _ => IMPLIES,
        }
    }

    /// Refuses a step that the type does not have.
    fn check_step(&self, e: ExprId) -> Read<()> {
        let leads = |of: ExprId| self.tree.types.pointee(self.ty(of)).is_some();
        match &self.tree.exprs[e].kind {
            ExprKind::Member {
                base, arrow, name, ..
            } if *arrow && !leads(*base) => {
                let message = format!("what stands before `->{name}` is no pointer");
                Err(self.fault(*base, message, Some(self.instead_of_arrow(*base))))
            }
            ExprKind::Member { path, name, .. } if path.is_empty() => {
                Err(self.fault(e, format!("there is no member `{name}` in this"), None))
            }
            ExprKind::Member {
                base, arrow: false, ..
            } if leads(*base) => Err(self.fault(*base, "this is a pointer", Some("write `->`"))),
            ExprKind::Deref(of) if !leads(*of) => Err(self.fault(*of, "this is no pointer", None)),
            ExprKind::Index { base, index } if !leads(*base) && !leads(*index) => {
                Err(self.fault(*base, "this is neither an array nor a pointer", None))
            }
            _ => Ok(()),
        }
    }

    /// The path of an lvalue, without guards against null pointers in its text.
    pub(crate) fn chain(&mut self, e: ExprId) -> Read<Chain> {
        self.check_step(e)?;
        let mut chain = Chain::default();
        match self.tree.exprs[e].kind.clone() {
            ExprKind::Ident(Resolved::Object(object)) => {
                self.check_storage(e, object)?;
                chain.pieces.push(Piece::Leaf(self.leaf(object, e)));
            }
            ExprKind::Member {
                base,
                arrow: false,
                name,
                ..
            } => {
                chain = self.chain_or_value(base)?;
                self.extend(&mut chain, e, &format!(".{name}"));
            }
            ExprKind::Member { base, name, .. } => {
                chain.pieces = self.pointer(base, &mut chain)?;
                chain.pieces.push(text(user(&format!("->{name}"))));
            }
            ExprKind::Index { base, index } => chain = self.element(e, base, index)?,
            ExprKind::Deref(p) if self.class(p) == Class::Array => {
                chain = self.chain_or_value(p)?;
                self.extend(&mut chain, e, "[0]");
            }
            ExprKind::Deref(p) => {
                let pointer = self.pointer(p, &mut chain)?;
                chain.pieces.push(text("(*"));
                chain.pieces.extend(pointer);
                chain.pieces.push(text(")"));
            }
            _ => return Err(self.fault(e, "this names no object", None)),
        }
        Ok(chain)
    }

    fn check_storage(&self, e: ExprId, object: ObjectId) -> Read<()> {
        let o = &self.tree.objects[object];
        let shared = matches!(o.storage, Storage::Global | Storage::FileStatic);
        if o.thread_local && !shared {
            return Err(self.fault(e, "a static local of each thread", Some("make it global")));
        }
        Ok(())
    }

    fn chain_or_value(&mut self, e: ExprId) -> Read<Chain> {
        if self.is_lvalue(e) {
            return self.chain(e);
        }
        Ok(Chain {
            pieces: self.emit(e, false)?,
            guards: Vec::new(),
        })
    }

    fn element(&mut self, e: ExprId, base: ExprId, index: ExprId) -> Read<Chain> {
        let mut chain = Chain::default();
        let Some((array, index)) = array_operand(self.tree, base, index) else {
            let is_pointer = self.tree.types.pointee(self.ty(base)).is_some();
            let (pointer, index) = match is_pointer {
                true => (base, index),
                false => (index, base),
            };
            chain.pieces = self.pointer(pointer, &mut chain)?;
            self.subscript(&mut chain, index)?;
            return Ok(chain);
        };
        chain = self.chain_or_value(array)?;
        match consteval::eval(self.tree, index) {
            Some(value) => self.extend(&mut chain, e, &format!("[{value}]")),
            None => self.subscript(&mut chain, index)?,
        }
        Ok(chain)
    }

    fn subscript(&mut self, chain: &mut Chain, index: ExprId) -> Read<()> {
        chain.pieces.push(text("["));
        let index = self.emit(index, false)?;
        chain.pieces.extend(index);
        chain.pieces.push(text("]"));
        Ok(())
    }

    /// Appends a step to a part: a part of a leaf is a leaf again.
    fn extend(&self, chain: &mut Chain, e: ExprId, step: &str) {
        if let [Piece::Leaf(leaf)] = &mut chain.pieces[..] {
            let suffix = leaf.suffix.clone() + step;
            let object = ObjectId::from_index(leaf.object);
            *leaf = Leaf {
                suffix,
                ..self.leaf(object, e)
            };
        } else {
            chain.pieces.push(text(user(step)));
        }
    }

    /// The value of a pointer that is dereferenced; it joins the guards.
    pub(crate) fn pointer(&mut self, p: ExprId, chain: &mut Chain) -> Read<Vec<Piece>> {
        if !self.is_lvalue(p) {
            let mut pieces = vec![text("(")];
            let inner = match self.tree.exprs[p].kind {
                ExprKind::AddressOf(of) => {
                    let of_chain = self.chain(of)?;
                    chain.guards.extend(of_chain.guards.clone());
                    let mut inner = vec![text("&")];
                    inner.extend(led_through(of_chain.pieces));
                    inner
                }
                _ => self.emit(p, false)?,
            };
            pieces.extend(inner);
            pieces.push(text(")"));
            if !matches!(self.tree.exprs[p].kind, ExprKind::AddressOf(_)) {
                chain.guards.push(pieces.clone());
            }
            return Ok(pieces);
        }
        let inner = self.chain(p)?;
        chain.guards.extend(inner.guards.clone());
        if self.class(p) != Class::Array {
            self.region(p, &inner)?;
            chain.guards.push(inner.pieces.clone());
            self.check_type(p, &inner)?;
        }
        Ok(led_through(inner.pieces))
    }

    /// Refuses a local pointer if the type that it points to is unknown after the program.
    fn check_type(&self, p: ExprId, chain: &Chain) -> Read<()> {
        let [Piece::Leaf(leaf)] = &chain.pieces[..] else {
            return Ok(());
        };
        let local = self.tree.objects[ObjectId::from_index(leaf.object)]
            .function
            .is_some();
        match local && leaf.declaration.is_none() {
            true => Err(self.fault(
                p,
                "what this points to has a type that is declared in a function",
                Some("declare the type at file scope"),
            )),
            false => Ok(()),
        }
    }

    fn leaf(&self, object: ObjectId, e: ExprId) -> Leaf {
        Leaf {
            object: object.index(),
            suffix: String::new(),
            value_type: value_type(self.tree, self.ty(e)),
            declaration: declaration(self.tree, self.ty(e)),
            pointer: self.class(e) == Class::Pointer,
            address: false,
            led_through: false,
        }
    }
}

/// The pieces of a path that continues or whose address is taken.
pub(super) fn led_through(mut pieces: Vec<Piece>) -> Vec<Piece> {
    for piece in &mut pieces {
        if let Piece::Leaf(leaf) = piece {
            leaf.led_through = true;
        }
    }
    pieces
}
