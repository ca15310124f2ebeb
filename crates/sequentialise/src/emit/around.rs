//! Emits the text before the program and after it: the models of the library, and the rounds.

use std::fmt::Write as _;

use cfront::span::Id;
use cfront::Span;

use super::threads::begins_at_once;
use crate::heap::Heap;
use crate::lasso;
use crate::library::name_of;
use crate::lower::{memory, texts};
use crate::models;
use crate::positions::Placed;
use crate::synctypes;
use crate::written::Emit;

/// The prefix of the new name of a function that is an atomic section by its name.
const WHOLE: &str = "ba_seq_whole_";

impl Emit<'_, '_> {
    /// Whether the program asks for the number of the last error.
    pub(super) fn reads_errno(&self) -> bool {
        let tree = self.facts.tree;
        let all = Span::new(0, self.facts.unit.text().len());
        let mut calls = self.facts.calls_in(all);
        calls.any(|call| name_of(tree, call) == Some(texts::ERRNO))
    }

    pub(super) fn prologue(&self, heap: &Heap) -> String {
        let count = self.lowered.threads.len();
        let rounds = self.options.rounds;
        let which = match self.options.steps {
            true => "in step form".to_owned(),
            false => format!("in {rounds} rounds"),
        };
        let mut out =
            format!("/* Sequentialised by baproduct: the runs of {count} threads {which}. */\n");
        out.push_str(match self.options.steps {
            true => models::STEPS_PROLOGUE,
            false => models::PROLOGUE,
        });
        if crate::arguments::reads(self.facts).is_some() {
            out.push_str(&crate::arguments::text(self.options));
        }
        let set = models::set_of(count);
        let _ = writeln!(out, "#define BA_SEQ_THREADS {count}");
        let _ = writeln!(out, "#define BA_SEQ_ONE(t) (({set})1 << (t))");
        let count_of = |sign: &str| match self.facts.mutex_kinds {
            true => format!("(m)->ba_seq_count{sign}"),
            false => "((void)0)".to_string(),
        };
        let (more, less) = (count_of("++"), count_of("--"));
        let _ = writeln!(out, "#define BA_SEQ_COUNT(m) {more}");
        let _ = writeln!(out, "#define BA_SEQ_UNCOUNT(m) {less}");
        out.push_str(&match self.facts.asks {
            true => models::shares(count),
            false => models::NO_SHARES.to_owned(),
        });
        // CBMC treats each call of a function with such a name as an atomic section, and drops
        // sections from which a run does not return. The sequential program has no threads, so it
        // needs no sections.
        for (_, f) in self.facts.tree.functions.iter() {
            if f.body.is_some() && f.name.starts_with("__VERIFIER_atomic_") {
                let _ = writeln!(out, "#define {} {WHOLE}{}", f.name, f.name);
            }
        }
        out.push_str("static unsigned ba_seq_now; /* the thread whose turn it is */\n");
        out.push_str(match self.reads_errno() {
            true => models::ERRNO,
            false => models::NO_ERRNO,
        });
        let keys = ["ba_seq_key_create", "ba_seq_key_delete"];
        let calls = self.lowered.models();
        if keys.iter().any(|name| calls.contains(name)) || self.uses_keys() {
            out.push_str("static int ba_seq_setspecific(unsigned key, const void *value);\nstatic void *ba_seq_getspecific(unsigned key);\n");
        }
        if self.options.lasso.is_some() {
            out.push_str(lasso::NOTES);
        }
        out.push_str(&heap.declared);
        if !self.options.asked.is_empty() {
            let name = crate::allocations::TIME;
            let _ = writeln!(out, "static int {name}(int clock, const volatile void *at) {{ (void)clock; (void)at; return nondet_ba_seq() & 1 ? -1 : 0; }}");
        }
        if self.options.steps {
            self.steps_prologue(&mut out);
            return out;
        }
        let cut = self.hook(&self.options.hooks.cut);
        let call = match &cut {
            Some(name) => format!("{name}(site); "),
            None => String::new(),
        };
        if let Some(name) = &cut {
            let _ = writeln!(out, "static void {name}(unsigned);");
        }
        let _ = writeln!(out, "#define BA_SEQ_STOP() do {{ BA_SEQ_ASSUME(ba_seq_to == ba_seq_cut_at); goto ba_seq_out; }} while (0)");
        let _ = writeln!(
            out,
            "#define BA_SEQ_CUT(site) do {{ {call}BA_SEQ_STOP(); }} while (0)"
        );
        // The beginning of a run that is left out is that of a real run, so its definitive verdict
        // counts.
        let stopped = match self.hook(&self.options.hooks.stopped) {
            Some(name) => {
                let _ = writeln!(out, "static void {name}(void);");
                format!("{name}(); ")
            }
            None => String::new(),
        };
        let _ = writeln!(
            out,
            "#define BA_SEQ_LOST(site) do {{ {call}{stopped}BA_SEQ_ASSUME(0); }} while (0)"
        );
        out.push_str("#define BA_SEQ_OVER() BA_SEQ_ASSUME(0)\n");
        if self.bounds_memory || self.lowered.bounds_memory {
            out.push_str("#define ba_seq_few(size, most) (ba_seq_no_more(size, most), most)\n");
            out.push_str("static void ba_seq_no_more(unsigned long size, unsigned long most) { if (size > most) BA_SEQ_LOST((unsigned)-1); }\n");
            out.push_str(&memory::functions(&self.sizes));
        }
        out
    }

    pub(crate) fn uses_keys(&self) -> bool {
        let all = Span::new(0, self.facts.unit.text().len());
        self.facts.calls_in(all).any(|c| {
            crate::library::name_of(self.facts.tree, c)
                .is_some_and(|n| n.ends_with("specific") || n.starts_with("tss_"))
        })
    }

    pub(super) fn epilogue(
        &mut self,
        placed: &[Placed],
        threads: &str,
        heap: &Heap,
        lasso: Option<&lasso::Text>,
    ) -> String {
        let mut out = String::new();
        let count = placed.len();
        if self.lowered.allocates {
            out.push_str("void *malloc(__typeof__(sizeof 0));\n");
        }
        let ends: Vec<String> = placed.iter().map(|p| p.end.to_string()).collect();
        if !self.options.steps {
            out.push_str(
                "\nstatic unsigned ba_seq_round, ba_seq_cs; /* where the context stops */\n",
            );
        }
        let _ = writeln!(
            out,
            "static unsigned ba_seq_pc[{count}]; /* where each thread stands */"
        );
        let _ = writeln!(
            out,
            "static _Bool ba_seq_on[{count}] = {{ 1 }}; /* which have been started */"
        );
        let _ = writeln!(out, "static void *ba_seq_result[{count}];");
        let _ = writeln!(
            out,
            "static const unsigned ba_seq_ends[{count}] = {{ {} }};",
            ends.join(", ")
        );
        let _ = writeln!(out, "static _Bool ba_seq_ended(unsigned long t) {{ return t < {count} && ba_seq_on[t] && ba_seq_pc[t] == ba_seq_ends[t]; }}");
        let (before, stands) = match lasso {
            Some(lasso) => (lasso.before.clone(), lasso.behind.clone()),
            None if self.options.steps => (String::new(), String::new()),
            None => (String::new(), self.finish(placed)),
        };
        let forgets = self.models(&mut out);
        self.vacate(&forgets, &mut out);
        out.push_str(&heap.defined);
        out.push_str(&before);
        out.push_str(threads);
        out.push_str("\n#line 1 \"sequentialised\"\n");
        out.push_str(&stands);
        if self.options.steps {
            self.steps(placed, &mut out);
        } else if lasso.is_none() {
            self.driver(placed, &mut out);
        }
        out
    }

    /// Emits the models that the program uses. Returns the statements that forget what they know of thread `T`.
    fn models(&self, out: &mut String) -> String {
        let mut forgets = String::new();
        let tree = self.facts.tree;
        let calls = self.lowered.models();
        let keys = self.uses_keys();
        let kinds = self.facts.mutex_kinds;
        for models in models::MODELS {
            if models.kinds.is_some_and(|wanted| wanted != kinds) {
                continue;
            }
            let called = |name: &&str| calls.contains(name);
            let used = models.functions.iter().any(called)
                || keys && models.functions.contains(&models::OF_THREAD);
            let c11 = synctypes::record(tree, "pthread_mutex_t").is_none()
                && synctypes::record(tree, "mtx_t").is_some();
            let mut text = match self.options.lasso {
                Some(_) => models.text.to_string(),
                None => without_notes(models.text),
            };
            if self.options.steps {
                let (chosen, stepwise) = models::CHOICE;
                text = text.replace(chosen, stepwise);
            }
            let mut types: Vec<&str> = models.types.to_vec();
            if c11 {
                for (from, to) in models::C11 {
                    text = text.replace(from, to);
                    types
                        .iter_mut()
                        .filter(|t| **t == *from)
                        .for_each(|t| *t = to);
                }
            }
            let has = types
                .iter()
                .all(|t| tree.lookup(tree.file_scope(), usize::MAX, t).is_some());
            if used && has {
                out.push_str(&text);
                forgets = format!("{forgets} {}", models.forgets);
            }
        }
        forgets
    }

    /// Emits the end of a run in which no thread continues.
    pub(super) fn finish(&self, placed: &[Placed]) -> String {
        let Some(over) = self.hook(&self.options.hooks.over) else {
            return String::new();
        };
        let mut out = String::from("\n/* The rounds are used up: does any thread go on? */\nstatic void ba_seq_finish(void) {\n  _Bool goes = 0, cut = 0, waits = 0;\n");
        for (number, placed) in placed.iter().enumerate() {
            let _ = writeln!(out, "  if (ba_seq_on[{number}]) {{\n    ba_seq_now = {number};\n    switch (ba_seq_pc[{number}]) {{");
            for (index, stop) in placed.stops().enumerate() {
                if let Some((can, what)) = &stop.waits {
                    let what = what.replace("*/", "* /").replace('\n', " ");
                    let _ = writeln!(out, "      case {index}: if ({can}) goes = 1; else waits = 1; break; /* {what} */");
                }
            }
            let _ = writeln!(out, "      case {}: break;\n      case {}: cut = 1; break;\n      default: goes = 1;\n    }}\n  }}", placed.end, placed.end + 1);
        }
        if let Some(stopped) = self.hook(&self.options.hooks.stopped) {
            let _ = writeln!(out, "  if (goes) {stopped}();");
        }
        let _ = writeln!(out, "  BA_SEQ_ASSUME(!goes);\n  {over}(waits && !cut);\n}}");
        out
    }

    /// The condition for a context of a thread.
    pub(crate) fn guard(&self, number: usize) -> String {
        let started = (number > 0).then(|| format!("ba_seq_on[{number}]"));
        let all: Vec<String> = started.into_iter().chain(self.open(number)).collect();
        match all.is_empty() {
            true => String::new(),
            false => format!("if ({}) ", all.join(" && ")),
        }
    }

    pub(super) fn driver(&self, placed: &[Placed], out: &mut String) {
        out.push_str("\nint main(void) {\n");
        self.arguments(out);
        let context = |number: usize, least: &str, out: &mut String| {
            let cut = placed[number].end + 1;
            let guard = self.guard(number);
            let _ = writeln!(out, "  {guard}{{ ba_seq_now = {number}; ba_seq_cs = nondet_ba_seq(); BA_SEQ_ASSUME({least} <= ba_seq_cs && ba_seq_cs <= {cut}); ba_seq_thread_{number}(); ba_seq_pc[{number}] = ba_seq_cs; }}");
        };
        let first = match begins_at_once(self.options, &placed[0]) {
            true => "1",
            false => "ba_seq_pc[0]",
        };
        context(0, first, out);
        for round in 1..=self.options.rounds {
            let _ = writeln!(out, "  ba_seq_round = {round};");
            for number in (1..placed.len()).chain([0]) {
                context(number, &format!("ba_seq_pc[{number}]"), out);
            }
        }
        if self.hook(&self.options.hooks.over).is_some() {
            out.push_str("  ba_seq_finish();\n");
        }
        out.push_str("  return 0;\n}\n");
    }

    /// The program's arguments are arbitrary.
    pub(crate) fn arguments(&self, out: &mut String) {
        let main = &self.lowered.threads[0];
        let params = self.facts.tree.functions[main.function]
            .body
            .as_ref()
            .map_or(&[][..], |b| b.params.as_slice());
        let first = params.first().and_then(|p| {
            let named =
                |v: &&crate::code::Variable| v.of.is_some_and(|(_, o, _)| o.index() == p.index());
            main.variables.iter().find(named)
        });
        let mut chosen = |name: &str| {
            let _ = writeln!(
                out,
                "  {name} = (int)nondet_ba_seq(); BA_SEQ_ASSUME({name} >= 1);"
            );
        };
        match crate::arguments::reads(self.facts) {
            Some(_) => {
                chosen("ba_seq_arguments");
                if let Some(count) = first {
                    let _ = writeln!(out, "  {} = ba_seq_arguments;", count.name);
                }
            }
            None => first.into_iter().for_each(|count| chosen(&count.name)),
        }
    }
}

/// A model without its notes for infinite runs.
fn without_notes(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.contains("BA_SEQ_NOTE"));
    lines.fold(String::new(), |all, line| all + line + "\n")
}
