//! Thread-specific data of an ending thread: the destructors of keys get its values.

use cfront::{ExprId, FunctionId, Span};

use super::calls::Argument;
use super::Lower;
use crate::code::Variable;

/// The site number of a cut without a site.
const NO_SITE: &str = "(unsigned)-1";

impl Lower<'_, '_> {
    /// Lowers the end of the current thread: destructors get its data, in any order, until none is
    /// left.
    pub(super) fn leave_data(&mut self, span: Span) {
        let made = self.facts.keys_made();
        let given: Vec<(ExprId, FunctionId)> = made
            .iter()
            .flat_map(|&(call, function)| {
                let functions = self.facts.pointed(function).into_iter();
                functions.map(move |f| (call, f))
            })
            .filter(|&(_, f)| self.facts.tree.functions[f].body.is_some())
            .collect();
        if given.is_empty() || !self.env.reachable {
            return;
        }
        let out = self.label();
        // Each key once, and more often if destructors set data again.
        let limit = made.len().max(self.options.unwind as usize);
        for turn in 0..=limit {
            let key = self.int_temp();
            let leaves = self.model_of("ba_seq_leaves");
            self.text(format!("{key} = (int){leaves}();"), span, Vec::new());
            self.jump(Some(format!("!{key}")), out, span);
            if turn == limit {
                self.cut(NO_SITE, span);
                break;
            }
            self.leave_one(&key, &given, span);
        }
        self.place(out, span);
    }

    /// Passes the data under one key to the key's destructor.
    fn leave_one(&mut self, key: &str, given: &[(ExprId, FunctionId)], span: Span) {
        let value = self.pointer_temp();
        let text = format!("{value} = ba_seq_left((unsigned){key});");
        self.text(text, span, Vec::new());
        let done = self.label();
        for &(call, f) in given {
            let other = self.label();
            let name = &self.facts.tree.functions[f].name;
            let test = format!("ba_seq_destructor[{key} - 1] != {name}");
            self.out.kept.insert(f);
            self.jump(Some(test), other, span);
            let argument = Argument {
                at: span,
                text: value.clone(),
                known: None,
                pointer: None,
            };
            self.inline_with(f, call, &[argument], None);
            self.jump(None, done, span);
            self.place(other, span);
        }
        self.text("BA_SEQ_ASSUME(0);".to_string(), span, Vec::new());
        self.env.reachable = false;
        self.place(done, span);
    }

    /// Creates a variable for a pointer to any type.
    fn pointer_temp(&mut self) -> String {
        self.temps += 1;
        let name = format!("ba_seq_{}_t{}", self.thread, self.temps);
        self.add_variable(Variable {
            declaration: format!("void *{name}"),
            name: name.clone(),
            ty: None,
            of: None,
        });
        name
    }
}
