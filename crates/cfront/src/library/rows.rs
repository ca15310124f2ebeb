//! The kinds of rows of the catalogue.

use super::{
    Allocates, Backend, Bytes, Contract, Ends, Family, Fills, Function, Input, Jump, Lock,
    NoEffect, Primitive, Runs, Size, Writes,
};

/// A row with no facts but the name.
pub(super) const fn f(name: &'static str) -> Function {
    Function {
        name,
        writes: None,
        fills: None,
        gives: None,
        reads: false,
        input: None,
        results: None,
        at_most: None,
        backend: Backend::Declared,
        allocates: None,
        state: None,
        keeps_pointers: false,
        ends: None,
        jump: None,
        no_effect: None,
        header: None,
        assumes: None,
        asserts: false,
        runs: None,
        hands: None,
        primitive: None,
        lock: None,
        signals: None,
        prototype: None,
        contract: None,
        defined: false,
    }
}

/// A function that writes no memory of the program.
pub(super) const fn pure(name: &'static str) -> Function {
    Function {
        writes: Some(Writes::Nothing),
        ..f(name)
    }
}

/// A function that writes the memory that these arguments point to.
pub(super) const fn to(name: &'static str, arguments: &'static [usize]) -> Function {
    Function {
        writes: Some(Writes::Arguments(arguments)),
        ..f(name)
    }
}

/// Facts added to a row.
impl Function {
    /// It only writes so many bytes through its first argument; `reads` says whether from its
    /// second.
    pub(super) const fn fills(mut self, size: Size, reads: bool) -> Self {
        self.fills = Some(Fills { size, reads });
        self
    }

    /// It always gives the whole target of this argument a value.
    pub(super) const fn gives(mut self, argument: usize) -> Self {
        self.gives = Some(argument);
        self
    }

    /// It reads values from outside.
    pub(super) const fn reads(mut self) -> Self {
        self.reads = true;
        self
    }

    /// It gives no other values than these.
    pub(super) const fn within(mut self, low: i64, high: i64) -> Self {
        self.results = Some((low, high));
        self
    }

    /// It gives at least this, and at most the value of an argument.
    pub(super) const fn up_to(mut self, least: i64, argument: usize) -> Self {
        self.at_most = Some(argument);
        self.within(least, i64::MAX)
    }

    /// It gives at least this.
    pub(super) const fn from(self, least: i64) -> Self {
        self.within(least, i64::MAX)
    }

    /// It gives 0, or -1 if it fails.
    pub(super) const fn succeeds(self) -> Self {
        self.within(-1, 0)
    }

    /// It reads a character, or meets the end of the input.
    pub(super) const fn character(self) -> Self {
        self.reads().within(-1, 255)
    }

    /// It stores so many bytes in the target of argument `pointer`, and returns argument `result`.
    pub(super) const fn bytes(
        mut self,
        pointer: usize,
        bytes: Bytes,
        result: Option<usize>,
    ) -> Self {
        self.input = Some(Input::Bytes(pointer, bytes, result));
        self
    }

    /// It stores values, and returns how many.
    pub(super) const fn values(mut self) -> Self {
        self.input = Some(Input::Values);
        self
    }

    pub(super) const fn known(mut self) -> Self {
        self.backend = Backend::Known;
        self
    }

    pub(super) const fn vague(mut self) -> Self {
        self.backend = Backend::Vague;
        self
    }

    /// It returns newly allocated memory; model checkers assume that it succeeds.
    pub(super) const fn allocates(mut self) -> Self {
        self.allocates = Some(Allocates::Surely);
        self.state("allocates memory")
    }

    /// It returns newly allocated memory, or fails.
    pub(super) const fn may_allocate(mut self) -> Self {
        self.allocates = Some(Allocates::Perhaps);
        self.state("allocates memory")
    }

    pub(super) const fn state(mut self, what: &'static str) -> Self {
        self.state = Some(what);
        self
    }

    pub(super) const fn keeps(mut self) -> Self {
        self.keeps_pointers = true;
        self
    }

    pub(super) const fn ends(mut self, what: Ends) -> Self {
        self.ends = Some(what);
        self
    }

    /// It prints, or has no other effect in the model.
    pub(super) const fn silent(
        mut self,
        result: &'static str,
        header: Option<&'static str>,
    ) -> Self {
        self.no_effect = Some(NoEffect::Silent(result));
        self.header = header;
        self
    }

    /// It has no effect on the order of events, and is declared in this header.
    pub(super) const fn passes(mut self, header: &'static str) -> Self {
        self.no_effect = Some(NoEffect::Passes);
        self.header = Some(header);
        self
    }

    pub(super) const fn asserts(mut self) -> Self {
        self.asserts = true;
        self
    }

    pub(super) const fn runs(mut self, what: Runs) -> Self {
        self.runs = Some(what);
        self
    }

    pub(super) const fn hands(mut self, argument: usize) -> Self {
        self.hands = Some(argument);
        self
    }

    /// The models of synchronisation replace it.
    pub(super) const fn modelled(mut self, family: Family) -> Self {
        self.primitive = Some(Primitive {
            family,
            placed: false,
        });
        self
    }

    /// The models of synchronisation replace it, and get the place of the call.
    pub(super) const fn placed(mut self, family: Family) -> Self {
        self.primitive = Some(Primitive {
            family,
            placed: true,
        });
        self
    }

    pub(super) const fn lock(mut self, what: Lock) -> Self {
        self.lock = Some(what);
        self
    }

    /// A proof need not follow its loops.
    pub(super) const fn contract(mut self, what: Contract) -> Self {
        self.contract = Some(what);
        self
    }

    /// The weaver has a definition of it.
    pub(super) const fn defined(mut self) -> Self {
        self.defined = true;
        self
    }

    pub(super) const fn prototype(mut self, text: &'static str) -> Self {
        self.prototype = Some(text);
        self
    }
}

/// A function that prints.
pub(super) const fn prints(name: &'static str, result: &'static str) -> Function {
    pure(name).silent(result, Some("stdio.h"))
}

/// A function that lets time pass or sets an attribute, and has no header here.
pub(super) const fn idle(name: &'static str) -> Function {
    let mut row = f(name);
    row.no_effect = Some(NoEffect::Passes);
    row
}

/// A function that ends the process.
pub(super) const fn exits(name: &'static str) -> Function {
    pure(name).ends(Ends::Process)
}

/// A function that saves or makes a non-local jump.
pub(super) const fn jumps(name: &'static str, what: Jump) -> Function {
    let mut row = f(name);
    row.jump = Some(what);
    row
}

/// A function that assumes that its argument, converted to a type, holds.
pub(super) const fn assumes(name: &'static str, ty: &'static str) -> Function {
    let mut row = f(name);
    row.assumes = Some(ty);
    row
}

/// A function that opens a file.
pub(super) const fn opens(name: &'static str) -> Function {
    f(name).state("opens a file")
}

/// A function that gives a new descriptor of a file, or -1. What is behind it is outside; a process has at most 1,024, as is the
/// default.
pub(super) const fn describes(name: &'static str) -> Function {
    pure(name).reads().within(-1, 1023)
}

/// A function that registers a handler of signals.
pub(super) const fn handles(name: &'static str) -> Function {
    f(name).runs(Runs::OnSignal(1)).state("sets up a handler")
}

/// A function that sends signals, lets them come or replaces the program.
pub(super) const fn sends(name: &'static str, why: &'static str) -> Function {
    let mut row = f(name);
    row.signals = Some(why);
    row
}
