//! BASEPRI of Cortex-M, which keeps off handlers by the priorities that the program gives them (ARMv7-M Architecture
//! Reference Manual, B1.4.3): those whose number is at least the register's value, unless that is 0. The number of a
//! handler is 0 until `NVIC_SetPriority` of CMSIS gives it another.

use std::fmt::Write as _;

use crate::consteval::eval;
use crate::diag::Diagnostic;
use crate::macros::Macros;
use crate::parse::Unit;
use crate::registers::places;
use crate::span::{FunctionId, Span};
use crate::tree::{ExprKind, Parent, Tree};

use super::Weaver;

/// The functions of CMSIS that read and write the register, each with its body.
const FUNCTIONS: [(&str, &str); 3] = [
    ("__get_BASEPRI", "return interrupts__basepri;"),
    ("__set_BASEPRI", "interrupts__basepri = (unsigned char)(mask & BITS);"),
    (
        "__set_BASEPRI_MAX",
        "if ((mask & BITS) && (!interrupts__basepri || (mask & BITS) < interrupts__basepri)) interrupts__basepri = (unsigned char)(mask & BITS);",
    ),
];

/// The functions of CMSIS that give a handler its priority.
const SET: [&str; 2] = ["NVIC_SetPriority", "__NVIC_SetPriority"];

/// Handlers whose number has another name than theirs.
const NAMES: [(&str, &str); 3] = [
    ("SVC_Handler", "SVCall"),
    ("MemManage_Handler", "MemoryManagement"),
    ("DebugMon_Handler", "DebugMonitor"),
];

/// The registers with the priorities: NVIC's and the system control block's.
const BLOCKS: [u64; 2] = [0xE000_E100, 0xE000_ED00];

/// Whether a function's effect on the register is known, by its name in small letters.
pub(super) fn is_known(name: &str) -> bool {
    FUNCTIONS
        .iter()
        .any(|(known, _)| known.eq_ignore_ascii_case(name))
}

/// The enumerator of vendors' headers with the number of a handler's exception.
fn constant(handler: &str) -> Option<String> {
    let other = NAMES
        .iter()
        .find(|(name, _)| *name == handler)
        .map(|(_, of)| *of);
    let stem = handler
        .strip_suffix("_IRQHandler")
        .or(handler.strip_suffix("_Handler"));
    other.or(stem).map(|stem| format!("{stem}_IRQn"))
}

/// The value of an enumerator.
fn value(tree: &Tree, name: &str) -> Option<i128> {
    let all = tree.types.enums.iter().flat_map(|(_, of)| &of.constants);
    let mut known = all.filter(|(known, _)| known == name);
    known.find_map(|(_, value)| *value)
}

/// The number of a handler's exception in the vendor's header.
pub(super) fn exception(tree: &Tree, handler: &str) -> Option<i128> {
    constant(handler).and_then(|name| value(tree, &name))
}

/// What a program gives a handler by `NVIC_SetPriority` of CMSIS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Urgency {
    /// The handler.
    pub handler: String,
    /// The number; a smaller one is more urgent.
    pub number: i128,
    /// The call.
    pub at: Span,
}

/// The numbers that a program gives these handlers; none if it computes some of them, or gives a handler several.
pub fn urgencies(unit: &Unit, handlers: &[String]) -> Vec<Urgency> {
    let tree = &unit.tree;
    let mut found: Vec<Urgency> = Vec::new();
    for (id, expr) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
        let ExprKind::Call { callee, args, .. } = &expr.kind else {
            continue;
        };
        let sets = |f: FunctionId| SET.contains(&tree.functions[f].name.as_str());
        let called = crate::calls::named_function(tree, *callee).is_some_and(sets);
        if !called || tree.function_of(Parent::Expr(id)).is_some_and(sets) {
            continue;
        }
        let constants: Option<Vec<i128>> = args.iter().map(|arg| eval(tree, *arg)).collect();
        let Some([exception, number]) = constants.as_deref() else {
            return Vec::new();
        };
        let is_its = |name: &&String| self::exception(tree, name) == Some(*exception);
        let Some(handler) = handlers.iter().find(is_its) else {
            continue;
        };
        if found
            .iter()
            .any(|f| f.handler == *handler && f.number != *number)
        {
            return Vec::new();
        }
        found.push(Urgency {
            handler: handler.clone(),
            number: *number,
            at: expr.span,
        });
    }
    found
}

/// The priorities of these handlers, a larger one for the more urgent, and what gives them; `None` if all are equal, as far as that is
/// known.
pub fn priorities(unit: &Unit, handlers: &[String]) -> Option<(Vec<i128>, Vec<Urgency>)> {
    let given = urgencies(unit, handlers);
    let number = |name: &String| {
        let own = given.iter().find(|urgency| urgency.handler == *name);
        own.map_or(0, |urgency| urgency.number)
    };
    let numbers: Vec<i128> = handlers.iter().map(number).collect();
    let least = numbers.iter().copied().max().unwrap_or_default();
    let equal = numbers.iter().all(|number| *number == least);
    (!equal).then(|| (numbers.iter().map(|number| least - number).collect(), given))
}

impl Weaver<'_> {
    /// Gives reads and writes of BASEPRI their meaning, if the program uses it.
    ///
    /// # Errors
    /// Priorities that are not followed.
    pub(super) fn basepri(&mut self) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let used: Vec<FunctionId> = FUNCTIONS
            .iter()
            .filter_map(|(name, _)| tree.function_named(name))
            .filter(|f| self.reached.contains(f))
            .collect();
        let Some(first) = used.first() else {
            return Ok(());
        };
        let at = tree.functions[*first]
            .names
            .first()
            .copied()
            .unwrap_or(Span::empty(0));
        let bits = Macros::of(self.unit).expanded("__NVIC_PRIO_BITS");
        let bits = bits.and_then(|words| {
            words
                .concat()
                .trim_end_matches(['u', 'U', 'l', 'L'])
                .parse::<u32>()
                .ok()
        });
        let Some(bits @ 1..=8) = bits else {
            let message = "BASEPRI keeps handlers off by their priorities, and how many bits these have is not known";
            return Err(Diagnostic::error(at, message)
                .help("define `__NVIC_PRIO_BITS`, as the vendor's header does"));
        };
        self.refuse_other_priorities()?;
        for (name, body) in FUNCTIONS {
            let body = body.replace("BITS", &(256 - (256 >> bits)).to_string());
            self.function_of_mask(name, &body, "static unsigned char interrupts__basepri; ");
        }
        self.by_priority = true;
        let mut set = String::new();
        for handler in &self.interrupts.handlers {
            if let Some(number) = self.number(&handler.name, at)? {
                let _ = write!(
                    set,
                    " if (number == {number}) interrupts__urgency_{} = urgency;",
                    handler.name
                );
            }
        }
        let _ = writeln!(
            self.end,
            "static void interrupts__priority(int number, unsigned priority) {{ unsigned char urgency = (unsigned char)(priority << {}); {set} }}",
            8 - bits
        );
        for function in SET.iter().filter_map(|name| tree.function_named(name)) {
            let Some(body) = &tree.functions[function].body else {
                continue;
            };
            let [number, priority] = body.params[..] else {
                continue;
            };
            let (number, priority) = (&tree.objects[number].name, &tree.objects[priority].name);
            let (start, inner) = (body.span.start, tree.stmts[body.block].span.start + 1);
            self.insert(start, "static void interrupts__priority(int, unsigned); ");
            self.insert(
                inner,
                &format!(" interrupts__priority((int){number}, {priority});"),
            );
        }
        Ok(())
    }

    /// The number of a handler's exception; `None` if its priority is fixed, above all that the register keeps off.
    fn number(&self, handler: &str, at: Span) -> Result<Option<i128>, Diagnostic> {
        if matches!(handler, "NMI_Handler" | "HardFault_Handler") {
            return Ok(None);
        }
        let constant = constant(handler);
        let value = constant
            .as_deref()
            .and_then(|name| value(&self.unit.tree, name));
        match value {
            Some(number) => Ok(Some(number)),
            None => {
                let constant = constant.unwrap_or_else(|| "NAME_IRQn".to_owned());
                let message = format!("BASEPRI keeps handlers off by their priorities, and the number of `{handler}` is not known");
                let help = format!("vendors' headers have an enumerator `{constant}` for it; or name the functions around this one under `masks`");
                Err(Diagnostic::error(at, message).help(help))
            }
        }
    }

    /// Refuses priorities that the program sets in another way.
    fn refuse_other_priorities(&self) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let refused = |span: Span| {
            let message = "this may set priorities of handlers, which BASEPRI compares, in a way that is not followed";
            Err(Diagnostic::error(span, message).help("use `NVIC_SetPriority` of CMSIS"))
        };
        for (id, expr) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
            let function = tree.function_of(Parent::Expr(id));
            let within = function.is_some_and(|f| self.reached.contains(&f));
            let name = function.map(|f| tree.functions[f].name.as_str());
            if !within
                || name.is_some_and(|name| SET.contains(&name) || name.contains("GetPriority"))
            {
                continue;
            }
            match &expr.kind {
                ExprKind::Member {
                    base,
                    arrow: true,
                    name,
                    ..
                } => {
                    let block = places::pointed(tree, *base).map(|place| place.address);
                    let is_block = block.is_some_and(|at| BLOCKS.contains(&at));
                    if is_block && matches!(name.as_str(), "IP" | "IPR" | "SHP" | "SHPR" | "AIRCR")
                    {
                        return refused(expr.span);
                    }
                }
                ExprKind::Call { callee, .. } => {
                    let called = crate::calls::named_function(tree, *callee);
                    let unknown = called.filter(|f| tree.functions[*f].body.is_none());
                    if unknown.is_some_and(|f| tree.functions[f].name.contains("SetPriority")) {
                        return refused(expr.span);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}
