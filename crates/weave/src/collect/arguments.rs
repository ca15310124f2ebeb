//! The arguments of the command line that the program reads.

use cfront::arguments::{names, parameter, reads};
use cfront::consteval::eval;

use super::Collector;
use crate::facts::range;

impl Collector<'_> {
    /// Notes which elements of `main`'s second parameter the program reads, if all are at constant places.
    pub(crate) fn arguments(&mut self) {
        let Some(object) = parameter(self.tree) else {
            return;
        };
        let all = reads(self.tree, names(self.tree, object));
        let places = all.and_then(|all| {
            let place = |index| eval(self.tree, index).and_then(|i| u32::try_from(i).ok());
            let span = |whole| range(self.tree.exprs[whole].span);
            let each = all.iter().rev();
            each.map(|read| Some((place(read.index)?, span(read.whole))))
                .collect()
        });
        self.facts.arguments_read = places.unwrap_or_default();
    }
}
