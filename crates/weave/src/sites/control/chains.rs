//! Long chains `if … else if …`, as in code generated from rules.
//!
//! A model checker follows each branch under the condition that all earlier conditions fail, so formulas grow
//! with the square of the number of branches: an event-condition-action system of 1,000 rules takes minutes. So
//! a chain whose conditions only read is divided into halves recursively: the program computes once before
//! the chain whether some condition of a half holds, and a branch is then under as many conditions as the
//! division is deep. For the same reason a `return` at the end of a branch becomes a jump to the end of the
//! chain: ends that join in pairs cost little. The order of the branches and their effects stay the same.

use cfront::span::{ExprId, StmtId};
use cfront::tree::{BinaryOp, ExprKind, Parent, Resolved, StmtKind, Tree, UnaryOp};
use cfront::types::Type;

use crate::facts::names::user;
use crate::facts::range;
use crate::facts::{FunctionIndex, Range};
use crate::layout::weaver::Weaver;
use crate::plan::insertions::Offsets;

/// The length from which a chain is divided.
const LONG: usize = 32;
/// The most branches that are not divided further.
const LEAF: usize = 16;

/// A chain in the program.
pub(crate) struct Chain {
    /// From the first `if` to the end of the last branch.
    whole: Range,
    branches: Vec<Branch>,
}

struct Branch {
    condition: Range,
    /// The braces.
    block: Range,
    /// The statement at the end of the block, if it is a `return` whose value may be read early,
    /// and that value.
    last: Option<(Range, Option<Range>)>,
}

/// The chains of a program, outer ones before inner ones.
pub(crate) fn chains(tree: &Tree) -> Vec<Chain> {
    let ids = tree.stmts.iter().map(|(id, _)| id);
    let found = ids.filter(|&id| !continues(tree, id));
    found
        .filter_map(|id| chain(tree, id))
        .filter(|c| c.branches.len() >= LONG)
        .collect()
}

/// Whether a statement is the `else` branch of another one.
fn continues(tree: &Tree, id: StmtId) -> bool {
    match tree.stmts[id].parent {
        Parent::Stmt(parent) => {
            matches!(tree.stmts[parent].kind, StmtKind::If { otherwise, .. } if otherwise == Some(id))
        }
        _ => false,
    }
}

/// The chain that begins with a statement; `None` if a condition does more than read.
fn chain(tree: &Tree, first: StmtId) -> Option<Chain> {
    let mut branches = Vec::new();
    let mut next = Some(first);
    while let Some(id) = next {
        let StmtKind::If {
            cond,
            then,
            otherwise,
            ..
        } = &tree.stmts[id].kind
        else {
            break;
        };
        let StmtKind::Compound { items, .. } = &tree.stmts[*then].kind else {
            return None;
        };
        if !only_reads(tree, *cond) {
            return None;
        }
        let last = match items.last() {
            Some(cfront::tree::BlockItem::Stmt(last)) => returned(tree, *last),
            _ => None,
        };
        branches.push(Branch {
            condition: range(tree.exprs[*cond].span),
            block: range(tree.stmts[*then].span),
            last,
        });
        next = *otherwise;
    }
    Some(Chain {
        whole: range(tree.stmts[first].span),
        branches,
    })
}

fn returned(tree: &Tree, id: StmtId) -> Option<(Range, Option<Range>)> {
    let statement = &tree.stmts[id];
    match &statement.kind {
        StmtKind::Return(None) => Some((range(statement.span), None)),
        StmtKind::Return(Some(value)) if only_reads(tree, *value) => {
            Some((range(statement.span), Some(range(tree.exprs[*value].span))))
        }
        _ => None,
    }
}

/// Whether an expression can be computed at any time without effect: it consists of comparisons and logical
/// operators over integer objects and constants.
fn only_reads(tree: &Tree, root: ExprId) -> bool {
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        let expr = &tree.exprs[id];
        if !tree.types.is_integer(expr.ty) {
            return false;
        }
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Char(_) => {}
            ExprKind::Ident(Resolved::Object(_)) => {
                if expr.ty.quals.is_volatile || expr.ty.quals.is_atomic {
                    return false;
                }
            }
            ExprKind::Unary(UnaryOp::Not, operand) => open.push(*operand),
            // The sign of a negative constant.
            ExprKind::Unary(UnaryOp::Minus, operand) => match tree.exprs[*operand].kind {
                ExprKind::Int(_) => {}
                _ => return false,
            },
            ExprKind::Binary(
                BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Lt
                | BinaryOp::Gt
                | BinaryOp::Le
                | BinaryOp::Ge,
                left,
                right,
            ) => open.extend([*left, *right]),
            _ => return false,
        }
    }
    true
}

/// The texts of a division.
#[derive(Default)]
struct Division {
    /// Number of the chain, for names.
    number: usize,
    /// The declarations of the variables that tell which halves apply.
    before: String,
    /// For each branch, the text that opens divisions before it.
    opened: Vec<String>,
    /// For each branch, and for the end of the chain, the number of divisions that end before it.
    ended: Vec<usize>,
}

impl Division {
    fn of(conditions: &[&str], number: usize) -> Division {
        let mut out = Division {
            number,
            opened: vec![String::new(); conditions.len()],
            ended: vec![0; conditions.len() + 1],
            ..Division::default()
        };
        out.divide(conditions, 0, conditions.len(), false);
        out
    }

    /// Divides a range of branches. If `asked`, declares a variable that tells whether one of them applies.
    /// Returns the variable's name.
    fn divide(&mut self, conditions: &[&str], from: usize, to: usize, asked: bool) -> String {
        let name = format!("ba_any_{}_{from}_{to}", self.number);
        let value = match to - from <= LEAF {
            true => conditions[from..to]
                .iter()
                .map(|c| format!("({c})"))
                .collect::<Vec<_>>()
                .join(" || "),
            false => {
                let middle = from + (to - from) / 2;
                let half = format!("ba_any_{}_{from}_{middle}", self.number);
                // Outer divisions are opened first.
                self.opened[from].push_str(&format!("if ({half}) {{ "));
                let left = self.divide(conditions, from, middle, true);
                let right = self.divide(conditions, middle, to, asked);
                self.ended[to] += 1;
                format!("{left} || {right}")
            }
        };
        if asked {
            self.before.push_str(&format!("_Bool {name} = {value}; "));
        }
        name
    }

    /// The text between two branches, before the `else` of the second, if a division begins or ends there.
    fn between(&self, second: usize) -> Option<String> {
        if !self.is_middle(second) {
            return None;
        }
        let ends = "} ".repeat(self.ended[second]);
        Some(format!(
            " {ends}}} else {{ {}if (0) {{ }} ",
            self.opened[second]
        ))
    }

    /// Whether the second half of a division begins at a branch.
    fn is_middle(&self, branch: usize) -> bool {
        let (mut from, mut to) = (0, self.opened.len());
        while to - from > LEAF {
            let middle = from + (to - from) / 2;
            match branch.cmp(&middle) {
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Less => to = middle,
                std::cmp::Ordering::Greater => from = middle,
            }
        }
        false
    }
}

impl Weaver<'_> {
    /// Divides the long chains of a program without threads. This planner comes last: a chain in whose own text
    /// something else is inserted stays as it is.
    pub(crate) fn plan_chains(&mut self) {
        if self.analysis.threaded || self.modelled() {
            return;
        }
        let taken = self.out.insertions.offsets();
        let mut done: Vec<Range> = Vec::new();
        for (number, chain) in chains(&self.program.code.tree()).into_iter().enumerate() {
            let inside = |r: &Range| r.start <= chain.whole.start && chain.whole.end <= r.end;
            if done.iter().any(inside) {
                continue;
            }
            if let Some(function) = self.may_divide(&chain, &taken) {
                done.push(chain.whole);
                self.divide(&chain, &taken, number, function);
            }
        }
    }

    /// The function of a chain, if the chain can be divided.
    fn may_divide(&self, chain: &Chain, taken: &Offsets) -> Option<FunctionIndex> {
        let facts = self.facts;
        let whole = chain.whole;
        let within = |at: usize| whole.start <= at && at < whole.end;
        // No jump may lead into a half.
        let entered = facts
            .labels
            .iter()
            .any(|l| !l.is_entry() && within(l.place.start))
            || facts
                .cases
                .iter()
                .any(|&(case, switch)| within(case) && !within(switch));
        let conditions = chain.branches.iter().map(|b| b.condition);
        let plain = conditions
            .clone()
            .all(|c| !taken.any_in(c) && !self.program.text[c.start..c.end].contains('#'));
        let edges = chain.branches.iter().map(|b| b.block.end);
        let free = edges
            .chain([whole.start, whole.end])
            .all(|at| !taken.any_in(Range { start: at, end: at }));
        if entered || !plain || !free {
            return None;
        }
        facts
            .functions
            .iter()
            .position(|f| f.body.start < whole.start && whole.end < f.body.end)
    }

    fn divide(&mut self, chain: &Chain, taken: &Offsets, number: usize, function: FunctionIndex) {
        let text = self.program.text;
        let on_a_line = |r: Range| user(&text[r.start..r.end].replace(['\n', '\r'], " "));
        let conditions: Vec<String> = chain
            .branches
            .iter()
            .map(|b| on_a_line(b.condition))
            .collect();
        let conditions: Vec<&str> = conditions.iter().map(String::as_str).collect();
        let division = Division::of(&conditions, number);
        let (declared, returned) = self.move_returns_to_the_end(chain, taken, number, function);
        self.out.insertions.open(
            chain.whole.start,
            0,
            0,
            format!("{{ {}{declared}{}", division.before, division.opened[0]),
        );
        for (last, branch) in chain
            .branches
            .iter()
            .enumerate()
            .take(chain.branches.len() - 1)
        {
            if let Some(between) = division.between(last + 1) {
                self.out.insertions.close(branch.block.end, 0, 0, between);
            }
        }
        let ends = " }".repeat(division.ended[chain.branches.len()]);
        self.out
            .insertions
            .close(chain.whole.end, 0, 0, format!("{ends}{returned} }}"));
    }

    /// Moves the `return`s of branches to the end of the chain. Returns the declarations before the chain
    /// and the `return` after it; both empty if a branch returns in another way.
    fn move_returns_to_the_end(
        &mut self,
        chain: &Chain,
        taken: &Offsets,
        number: usize,
        function: FunctionIndex,
    ) -> (String, String) {
        let facts = &self.facts.functions[function];
        let whole = chain.whole;
        // Without a statement after the chain, the body would seem to end without a value.
        let followed = !self.program.text[whole.end..facts.body.end.saturating_sub(1)]
            .trim()
            .is_empty();
        let own: Vec<&(Range, Option<Range>)> = chain
            .branches
            .iter()
            .filter_map(|b| b.last.as_ref())
            .collect();
        let fits = |(place, value): &(Range, Option<Range>)| {
            value.is_none() == facts.returns_void
                && !taken.any_in(*place)
                && !self.program.text[place.start..place.end].contains('#')
        };
        let result = facts.result.clone().filter(|_| !facts.returns_void);
        let simple = facts.returns_void
            || (result.is_some() && returns_integer(&self.program.code.tree(), facts.id));
        if own.is_empty() || !followed || !simple || !own.iter().all(|r| fits(r)) {
            return Default::default();
        }
        let (value, over) = (
            format!("ba_value_{number}"),
            format!("ba_returned_{number}"),
        );
        for (place, returned) in own {
            let keep = returned.map_or(String::new(), |r| {
                let text = user(&self.program.text[r.start..r.end].replace(['\n', '\r'], " "));
                format!("{value} = {text}; ")
            });
            self.out
                .insertions
                .open(place.start, 0, 0, format!("{keep}{over} = 1; if (0) "));
        }
        let declared = match &result {
            Some(ty) => format!("{} = 0; ", crate::facts::text::user_type(ty, &value)),
            None => String::new(),
        };
        let back = match result {
            Some(_) => format!(" {value}"),
            None => String::new(),
        };
        (
            format!("{declared}_Bool {over} = 0; "),
            format!(" if ({over}) return{back};"),
        )
    }
}

/// Whether a function returns an integer.
pub(crate) fn returns_integer(tree: &Tree, function: cfront::span::FunctionId) -> bool {
    match tree.types.get(tree.functions[function].ty) {
        Type::Function(f) => tree.types.is_integer(f.ret),
        _ => false,
    }
}
