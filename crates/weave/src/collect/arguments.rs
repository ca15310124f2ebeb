//! The arguments of the command line that the program reads.

use std::collections::BTreeMap;

use cfront::allocations::called_name;
use cfront::arguments::{names, parameter, reads};
use cfront::consteval::eval;
use cfront::span::ExprId;
use cfront::tree::Parent;

use super::Collector;
use crate::facts::{range, Range};

impl Collector<'_> {
    /// Notes which elements of `main`'s second parameter the program reads, if all are at constant places.
    pub(crate) fn arguments(&mut self) {
        let Some(object) = parameter(self.tree) else {
            return;
        };
        // What takes options apart reads them elsewhere.
        let takes_apart = |name: &ExprId| match self.tree.exprs[*name].parent {
            Parent::Expr(call) => called_name(self.tree, call) == Some("getopt"),
            _ => false,
        };
        let others = names(self.tree, object).filter(|name| !takes_apart(name));
        let all = reads(self.tree, others);
        let place = |index| eval(self.tree, index).and_then(|i| u32::try_from(i).ok());
        let mut places: BTreeMap<u32, Vec<Range>> = BTreeMap::new();
        for read in all.unwrap_or_default() {
            let Some(place) = place(read.index) else {
                return;
            };
            let span = range(self.tree.exprs[read.whole].span);
            places.entry(place).or_default().push(span);
        }
        self.facts.arguments_read = places;
    }
}
