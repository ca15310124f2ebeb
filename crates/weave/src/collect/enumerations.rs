//! Operands of an enumerated type, which model checkers have to convert as the compiler does.

use cfront::enumerations::is_converted;
use cfront::span::ExprId;

use super::{range, Collector};
use crate::facts::Placed;

impl Collector<'_> {
    /// Notes an expression if it is an operand that the compiler computes with as an `unsigned int`, where that
    /// makes a difference to an `int`.
    pub(crate) fn enumerated(&mut self, id: ExprId, depth: i32) {
        if is_converted(self.tree, id) {
            self.facts.enumerated.push(Placed {
                range: range(self.tree.exprs[id].span),
                depth,
            });
        }
    }
}
