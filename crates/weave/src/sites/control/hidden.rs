//! Effects that the text does not show: variables with a `cleanup` function, destructors, aliases of functions
//! and objects, calls of `exit` through pointers.
//!
//! Model checkers do not follow most of these, so for them the program is refused. A native run follows them
//! all.

use crate::facts::record::{HandlerRecord, SiteEvent, VolatileRecord};
use crate::facts::{Hidden, HiddenKind, Lifetime};
use crate::layout::weaver::Weaver;

/// Why model checkers do not follow a construct.
fn unmodelled(kind: &HiddenKind) -> Option<(String, &'static str)> {
    Some(match kind {
        HiddenKind::Cleanup(_) => (
            "the attribute `cleanup` is not modelled".into(),
            "model checkers do not call the function at the end of the variable's life",
        ),
        HiddenKind::Destructor => (
            "the attribute `destructor` is not modelled".into(),
            "model checkers do not call the function behind the end of `main`",
        ),
        HiddenKind::FunctionAlias => (
            "a second name of a function is not modelled".into(),
            "calls by this name are not seen as calls of the function",
        ),
        HiddenKind::EndAsValue(name) => (
            format!("a call of `{name}` through a pointer is not modelled"),
            "model checkers lose runs that end through it",
        ),
        HiddenKind::RangeDesignator => (
            "a range in an initialiser is not modelled".into(),
            "CBMC initialises the first of these elements alone",
        ),
        HiddenKind::ObjectAlias { .. } => return None,
    })
}

impl Weaver<'_> {
    /// Refuses what no backend follows: writes to an object by its alias, and calls of `main`.
    pub(crate) fn plan_hidden(&mut self) {
        let facts = self.facts;
        for hidden in &facts.hidden {
            let HiddenKind::ObjectAlias { object, of } = &hidden.kind else {
                continue;
            };
            let watched = |o: usize| !self.layout.watchers[o].is_empty();
            let target = (0..facts.objects.len()).any(|o| {
                let other = &facts.objects[o];
                other.name == *of && other.lifetime == Lifetime::Static && watched(o)
            });
            // An alias that is only read does not change the object.
            let writes = facts.writes.iter();
            let written = facts.objects[*object].address_taken
                || writes.into_iter().any(|w| w.place.root == Some(*object));
            if target && written || watched(*object) {
                let name = &facts.objects[*object].name;
                self.refuse(
                    hidden.range,
                    format!("`{name}` is another name of `{of}`, which a proposition reads"),
                    "writes by the other name cannot be followed",
                    Some("use one name"),
                );
            }
        }
        if self.analysis.threads.recursive[self.analysis.main] {
            let calls = facts.calls.iter();
            let call = calls
                .into_iter()
                .find(|c| c.target == Some(self.analysis.main));
            self.refuse(
                call.map_or(facts.functions[self.analysis.main].place, |c| c.range),
                "the program calls `main`".into(),
                "only the first call's return ends the run",
                Some("let `main` call another function, and that one itself"),
            );
        }
    }

    /// Cuts runs before assembler statements that may change something: model checkers skip such
    /// statements.
    pub(crate) fn plan_assemblers(&mut self) {
        const CUT: &str = "/* Cuts the run at an assembler statement that is not modelled: its verdict is unknown, unless it is false already. */\n\
            #if BA_MODEL && (BA_CHECK & 64)\n#define BA_ASSEMBLER(text, site) do { BA_ASSERT(0, text); ba_cut(site); } while (0)\n\
            #elif BA_MODEL\n#define BA_ASSEMBLER(text, site) ba_cut(site)\n\
            #else\n#define BA_ASSEMBLER(text, site) ((void)0)\n#endif";
        let facts = self.facts;
        let assemblers = facts.assemblers.iter();
        let run = |function: usize| !self.analysis.threads.roots[function].is_empty();
        let run: Vec<_> = assemblers.filter(|a| run(a.function)).collect();
        if !run.is_empty() {
            self.out.global(CUT);
        }
        for statement in run {
            let site = self.add_site(statement.range, statement.function, SiteEvent::Cut);
            let place = self.plain_place(statement.range);
            let open =
                format!("{{ BA_ASSEMBLER(\"baproduct:internal:assembler:{place}\", {site}); ");
            self.out
                .insertions
                .around(statement.range, statement.depth, 0, open, " }");
        }
    }

    /// File and line in a form that is safe in a string of the emitted program.
    pub(crate) fn plain_place(&self, range: crate::facts::Range) -> String {
        let (file, line) = (self.program.locate)(range.start);
        let place = file.rsplit('/').next().unwrap_or(&file);
        let place: String = place
            .chars()
            .filter(|c| !matches!(c, '"' | '\\') && !c.is_control())
            .collect();
        format!("{place}:{line}")
    }

    /// File, line and text of the constructs that a native run follows and model checkers do not.
    pub(crate) fn hidden_places(&self) -> Vec<String> {
        let hidden = self.facts.hidden.iter();
        let places = hidden.filter_map(|h| {
            let (message, _) = unmodelled(&h.kind)?;
            Some(format!("{} ({message})", self.place_of(h.range)))
        });
        places.collect()
    }

    /// The functions that look like interrupt handlers and that the program does not call.
    pub(crate) fn uncalled_handlers(&self) -> Vec<HandlerRecord> {
        let handlers = self.facts.uncalled_handlers.iter();
        let records = handlers.map(|handler| {
            let function = &self.facts.functions[handler.function];
            let (file, line) = (self.program.locate)(function.place.start);
            HandlerRecord {
                file,
                line,
                function: function.name.clone(),
                sign: handler.sign.words().into(),
            }
        });
        records.collect()
    }

    /// The volatile objects that the program reads and never writes.
    pub(crate) fn unwritten(&self) -> Vec<VolatileRecord> {
        let unwritten = self.facts.unwritten.iter().map(|(object, read)| {
            let object = &self.facts.objects[*object];
            let (file, line) = (self.program.locate)(read.start);
            let object = match object.lifetime {
                Lifetime::StaticLocal(f) => {
                    format!("{}::{}", self.facts.functions[f].name, object.name)
                }
                _ => object.name.clone(),
            };
            VolatileRecord { object, file, line }
        });
        unwritten.collect()
    }

    /// Refuses the constructs that model checkers do not follow.
    pub(crate) fn refuse_untraced(&mut self) {
        let facts = self.facts;
        for Hidden { range, kind } in &facts.hidden {
            let Some((message, why)) = unmodelled(kind) else {
                continue;
            };
            let help = match kind {
                HiddenKind::RangeDesignator => "write down each element",
                HiddenKind::FunctionAlias => "use `--backend native`, or one name",
                _ => "use `--backend native`, or call the function by its name where it should run",
            };
            self.refuse(*range, message, why, Some(help));
        }
    }

    /// Whether a native run executes code of the program after `main` has returned or `exit` was called, beside
    /// functions that `atexit` registers.
    pub(crate) fn ends_late(&self) -> bool {
        let main = self.analysis.main;
        self.facts.hidden.iter().any(|h| match h.kind {
            HiddenKind::Destructor => true,
            HiddenKind::Cleanup(function) => function == Some(main),
            _ => false,
        })
    }

    /// The functions without a body that are assumed to end the process because their declarations say that
    /// they do not return.
    pub(crate) fn enders(&self) -> std::collections::BTreeSet<&str> {
        let calls = self.facts.calls.iter().filter(|c| c.exits);
        let names = calls.filter_map(|c| c.callee.as_deref());
        names
            .filter(|name| !crate::library::ends_process(name) && !crate::library::cancels(name))
            .collect()
    }
}
