//! The sequential program as C.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;

use cfront::span::{Id, ObjectId};
use cfront::tree::{ExprKind, Item as TreeItem, Resolved};
use cfront::types::{QualType, Quals};
use cfront::{Diagnostic, Edits, FunctionId, Headers, OutputOptions, Span};

use crate::code::Lowered;
use crate::code::{Action, Op, ThreadCode};
use crate::facts::Facts;
use crate::lasso;
use crate::lower::{counted_in_function, replaced_function, static_name};
use crate::models;
use crate::options::{Local, Options, Position, Sequential, Thread};
use crate::positions::{place, Item, Placed};
use crate::print::print;
use crate::synctypes;

/// Writes the program.
pub(crate) fn emit(
    facts: &Facts,
    lowered: Lowered,
    options: &Options,
) -> Result<Sequential, Vec<Diagnostic>> {
    let placed: Vec<Placed> = lowered
        .threads
        .iter()
        .enumerate()
        .map(|(number, thread)| place(number, thread, lasso::everywhere(options)))
        .collect();
    refuse_halfway(&placed)?;
    let count: u32 = placed.iter().map(|p| p.end).sum();
    if count as usize > options.max_positions {
        let message = format!(
            "the program has {count} places where threads may stop: more than {} are not followed",
            options.max_positions
        );
        let span = lowered.threads[0]
            .ops
            .first()
            .map_or(Span::empty(0), |op| op.span);
        let help = "choose smaller bounds (--unwind)";
        return Err(vec![Diagnostic::error(span, message).help(help)]);
    }
    let mut emit = Emit {
        facts,
        lowered: &lowered,
        options,
        edits: Edits::new(),
        dropped: Vec::new(),
        warnings: Vec::new(),
        errors: Vec::new(),
    };
    let threads = emit.threads(&placed);
    let lasso = match &options.lasso {
        Some(lasso) => Some(emit.lasso(lasso, &placed)?),
        None => None,
    };
    emit.program(&threads);
    let prologue = emit.prologue(&threads);
    let epilogue = emit.epilogue(&placed, &threads, lasso.as_ref());
    let errors = std::mem::take(&mut emit.errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let output = OutputOptions {
        headers: match options.expand_headers {
            true => Headers::Expand,
            false => Headers::Include,
        },
        prologue: &prologue,
        epilogue: &epilogue,
        own_name: "sequentialised",
    };
    let text = facts.unit.emit(&emit.edits, &output).map_err(|d| vec![d])?;
    Ok(Sequential {
        text,
        threads: lowered
            .threads
            .iter()
            .zip(&placed)
            .map(|(t, p)| Thread {
                function: facts.tree.functions[t.function].name.clone(),
                created_at: t.created_at,
                end: p.end,
                cut: p.end + 1,
            })
            .collect(),
        positions: positions(facts, &placed),
        locals: locals(facts, &lowered),
        warnings: emit.warnings,
    })
}

/// A section of one step is taken as a whole or not at all: whether a thread can take it has to be clear
/// at its beginning.
fn refuse_halfway(placed: &[Placed]) -> Result<(), Vec<Diagnostic>> {
    let mut places: Vec<Span> = placed.iter().flat_map(|p| p.halfway.clone()).collect();
    places.sort();
    places.dedup();
    if places.is_empty() {
        return Ok(());
    }
    let message = "a thread may have to wait here, in the middle of a section of one step: what others see comes before it in the section";
    let refused = |span| {
        Diagnostic::error(span, message)
            .help("wait at the beginning of the section, or in front of it")
    };
    Err(places.into_iter().map(refused).collect())
}

fn positions(facts: &Facts, placed: &[Placed]) -> Vec<Position> {
    let mut all = Vec::new();
    for (thread, placed) in placed.iter().enumerate() {
        let stops = placed.items.iter().filter_map(|item| match item {
            Item::Position(stop) => Some(stop),
            Item::Op(_) => None,
        });
        for (index, stop) in stops.enumerate() {
            let text = facts.unit.text_of(stop.span);
            let what = match &stop.waits {
                Some((_, what)) => what.clone(),
                None => text.lines().next().unwrap_or_default().trim().to_string(),
            };
            all.push(Position {
                thread: thread as u32,
                index: index as u32,
                span: stop.span,
                what,
                waits: stop.waits.is_some(),
            });
        }
    }
    all
}

fn locals(facts: &Facts, lowered: &Lowered) -> Vec<Local> {
    let mut all = Vec::new();
    for (thread, code) in lowered.threads.iter().enumerate() {
        for variable in &code.variables {
            let Some((function, object, call)) = variable.of else {
                continue;
            };
            all.push(Local {
                name: variable.name.clone(),
                function: facts.tree.functions[function].name.clone(),
                original: facts.tree.objects[object].name.clone(),
                thread: Some(thread as u32),
                call,
            });
        }
    }
    for &object in &lowered.statics {
        let o = &facts.tree.objects[object];
        let (Some(name), Some(function)) = (static_name(facts, object), o.function) else {
            continue;
        };
        all.push(Local {
            name,
            function: facts.tree.functions[function].name.clone(),
            original: o.name.clone(),
            thread: None,
            call: 1,
        });
    }
    all
}

pub(crate) struct Emit<'a, 'u> {
    pub(crate) facts: &'a Facts<'u>,
    pub(crate) lowered: &'a Lowered,
    pub(crate) options: &'a Options,
    edits: Edits,
    /// Parts of the text that do not stay.
    dropped: Vec<Span>,
    warnings: Vec<Diagnostic>,
    errors: Vec<Diagnostic>,
}

impl Emit<'_, '_> {
    // Threads -----------------------------------------------------------------------------------

    fn threads(&self, placed: &[Placed]) -> String {
        let mut out = String::new();
        for (number, thread) in self.lowered.threads.iter().enumerate() {
            let _ = writeln!(out, "\n/* Variables of thread {number} */");
            for variable in &thread.variables {
                let _ = writeln!(out, "static {};", variable.declaration);
            }
        }
        for (number, placed) in placed.iter().enumerate() {
            self.thread(number, placed, &mut out);
        }
        out
    }

    fn thread(&self, number: usize, placed: &Placed, out: &mut String) {
        let code = &self.lowered.threads[number];
        let function = &self.facts.tree.functions[code.function].name;
        let end = placed.end;
        let cut = end + 1;
        let lasso = self.options.lasso.as_ref();
        let passing = lasso::passing(lasso);
        let _ = writeln!(
            out,
            "\n/* Thread {number}: {function}{} */",
            self.origin(code)
        );
        let _ = writeln!(out, "static void ba_seq_thread_{number}(void) {{");
        let _ = writeln!(
            out,
            "  enum {{ ba_seq_end_at = {end}, ba_seq_cut_at = {cut}, ba_seq_back_at }};"
        );
        let _ = writeln!(out, "  unsigned ba_seq_to = ba_seq_cs;");
        let mut next = 0;
        let mut line = (String::new(), 0);
        for item in &placed.items {
            match item {
                Item::Position(stop) => {
                    let _ = writeln!(
                        out,
                        "ba_seq_p{next}: if (ba_seq_pc[{number}] > {next} || {next} >= ba_seq_to) goto ba_seq_p{};{passing}",
                        next + 1
                    );
                    next += 1;
                    let _ = stop;
                }
                Item::Op(op) => {
                    self.place_of(op, &mut line, out);
                    self.op(op, next, placed, out);
                }
            }
        }
        if lasso.is_some() {
            let _ = writeln!(out, "ba_seq_p{end}: BA_SEQ_ASSUME(ba_seq_to != ba_seq_back_at && (ba_seq_to != ba_seq_cut_at || ba_seq_pc[{number}] == ba_seq_cut_at));");
        } else {
            let _ = writeln!(out, "ba_seq_p{end}: BA_SEQ_ASSUME(ba_seq_to != ba_seq_cut_at || ba_seq_pc[{number}] == ba_seq_cut_at);");
        }
        let _ = writeln!(out, "ba_seq_out: ;\n}}");
    }

    fn origin(&self, code: &ThreadCode) -> String {
        match code.created_at {
            None => String::new(),
            Some(span) => {
                let (file, line) = self.facts.unit.source.lines.line(span.start);
                format!(
                    ", created at {}:{line}",
                    file.rsplit('/').next().unwrap_or(file)
                )
            }
        }
    }

    /// A line directive where the line is not the one that follows.
    fn place_of(&self, op: &Op, last: &mut (String, u32), out: &mut String) {
        if matches!(op.action, Action::Label(_)) {
            return;
        }
        let (file, line) = self.facts.unit.source.lines.line(op.span.start);
        let quoted = file.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "#line {line} \"{quoted}\"");
        *last = (quoted, line);
    }

    fn op(&self, op: &Op, next: u32, placed: &Placed, out: &mut String) {
        let behind = |label| placed.behind.get(label).copied().unwrap_or(placed.end);
        match &op.action {
            Action::Text(text) => {
                let taken = lasso::taken(self.options, op);
                let _ = writeln!(out, "  {text}{taken}");
            }
            Action::Label(label) => {
                let _ = writeln!(out, "ba_seq_l{}: ;", label.0);
            }
            Action::Head(label) => {
                let _ = writeln!(out, "  /* loop {} */", label.0);
            }
            Action::Back(to) => {
                let head = behind(to);
                let _ = writeln!(out, "  BA_SEQ_ASSUME(ba_seq_to == ba_seq_back_at); ba_seq_turned = 1; ba_seq_cs = {head}; goto ba_seq_out;");
            }
            Action::Jump { condition, to } => {
                let target = behind(to);
                let mut jump = String::new();
                if target > next {
                    let _ = write!(jump, "BA_SEQ_ASSUME(ba_seq_to >= {target}); ");
                }
                let _ = write!(jump, "goto ba_seq_l{};", to.0);
                let _ = match condition {
                    Some(condition) => writeln!(out, "  if ({condition}) {{ {jump} }}"),
                    None => writeln!(out, "  {jump}"),
                };
            }
            Action::Stop => {
                let end = placed.end;
                let _ = writeln!(
                    out,
                    "  BA_SEQ_ASSUME(ba_seq_to >= {end}); goto ba_seq_p{end};"
                );
            }
            Action::Cut(text) => {
                let _ = writeln!(out, "  {text}");
            }
            Action::Start(n) => {
                let _ = writeln!(out, "  ba_seq_on[{n}] = 1;");
            }
            Action::Stand { .. }
            | Action::Begin
            | Action::End
            | Action::Joined(_)
            | Action::Take(_)
            | Action::Give(_) => {}
        }
    }

    // The program -------------------------------------------------------------------------------

    /// Functions whose bodies stay.
    fn kept(&self) -> BTreeSet<FunctionId> {
        let tree = self.facts.tree;
        let mut work: Vec<FunctionId> = self.lowered.kept.iter().copied().collect();
        let hooks = &self.options.hooks;
        let lasso = self.options.lasso.iter();
        let of_lasso = lasso.flat_map(|l| [&l.saved, &l.again]);
        for hook in [&hooks.over, &hooks.cut, &hooks.stopped]
            .into_iter()
            .chain(of_lasso)
        {
            work.extend(tree.function_named(hook));
        }
        let bodies: Vec<Span> = tree.defined_functions().map(|(_, _, b)| b.span).collect();
        for ident in self
            .facts
            .idents_in(Span::new(0, self.facts.unit.text().len()))
        {
            let at = tree.exprs[ident].bare.start;
            if let ExprKind::Ident(Resolved::Function(f)) = tree.exprs[ident].kind {
                let after = bodies.partition_point(|b| b.end <= at);
                if bodies.get(after).is_none_or(|b| b.start > at) {
                    work.push(f);
                }
            }
        }
        let mut kept = BTreeSet::new();
        while let Some(f) = work.pop() {
            let Some(body) = tree.functions[f].body.as_ref() else {
                continue;
            };
            if tree.functions[f].in_system_header || !kept.insert(f) {
                continue;
            }
            for ident in self.facts.idents_in(body.span) {
                if let ExprKind::Ident(Resolved::Function(g)) = tree.exprs[ident].kind {
                    work.push(g);
                }
            }
        }
        kept
    }

    fn insert(&mut self, at: usize, order: i32, text: impl Into<String>) {
        // Texts are made on one line.
        if let Err(error) = self.edits.insert(at, order, text.into()) {
            self.errors
                .push(Diagnostic::error(Span::empty(at), error.to_string()));
        }
    }

    fn replace(&mut self, span: Span, text: &str) {
        self.insert(span.start, 0, format!("{text} /* "));
        self.insert(span.end, -1, " */");
    }

    fn program(&mut self, _threads: &str) {
        let tree = self.facts.tree;
        let kept = self.kept();
        let items: Vec<FunctionId> = tree
            .items
            .iter()
            .filter_map(|item| match item {
                TreeItem::Function(f) => Some(*f),
                TreeItem::Decl(_) => None,
            })
            .collect();
        for f in items {
            let function = &tree.functions[f];
            let Some(body) = &function.body else { continue };
            if function.in_system_header {
                continue;
            }
            self.statics_of(f, body.span.start);
            if kept.contains(&f) {
                self.keep(f);
            } else if function.name == "main" || body.old_style {
                self.insert(body.span.start, 1, "/* ");
                self.insert(body.span.end, -1, " */");
                self.dropped.push(body.span);
            } else {
                let block = tree.stmts[body.block].span;
                self.insert(block.start, 0, "; /* ");
                self.insert(block.end, -1, " */");
                self.dropped.push(block);
            }
        }
        self.thread_locals();
        self.sync_types();
    }

    /// The text of a function that stays.
    fn keep(&mut self, f: FunctionId) {
        let tree = self.facts.tree;
        let Some(body) = &tree.functions[f].body else {
            return;
        };
        let idents: Vec<_> = self.facts.idents_in(body.span).collect();
        for ident in idents {
            let span = tree.exprs[ident].bare;
            match tree.exprs[ident].kind {
                ExprKind::Ident(Resolved::Object(o)) => {
                    let Some(name) = static_name(self.facts, o) else {
                        continue;
                    };
                    let name = match tree.objects[o].thread_local {
                        true => format!("{name}[ba_seq_now]"),
                        false => name,
                    };
                    self.replace(span, &name);
                }
                ExprKind::Ident(Resolved::Function(g)) => {
                    if let Some(name) = replaced_function(self.facts, g) {
                        self.replace(span, name);
                    }
                }
                _ => {}
            }
        }
        let counted = counted_in_function(self.facts, self.options, body.span);
        if let Some((span, _)) = counted.first() {
            let message = "runs in which this loop would go on behind its bound are left out: it turns in a section of one step, where no thread can be cut";
            self.warnings.push(Diagnostic::warning(*span, message));
        }
        for (span, text) in counted {
            let order = if text.starts_with(' ') { -2 } else { -1 };
            self.insert(span.start, order, text);
        }
    }

    /// Static variables of a function are declared in front of it.
    fn statics_of(&mut self, f: FunctionId, at: usize) {
        let tree = self.facts.tree;
        for object in tree.objects_of(f) {
            let o = &tree.objects[object];
            if o.storage != cfront::tree::Storage::StaticLocal {
                continue;
            }
            let Some(name) = static_name(self.facts, object) else {
                continue;
            };
            let ty = QualType {
                ty: o.ty.ty,
                quals: Quals::NONE,
            };
            let Some(mut declaration) = tree.types.declare_where(ty, &name, &|_| true) else {
                let message = format!(
                    "the type of `{}` cannot be written outside its block",
                    o.name
                );
                self.errors.push(Diagnostic::error(o.declarator, message));
                continue;
            };
            if let Some(init) = o.init {
                let text = print(self.facts, tree.inits[init].span, Vec::new());
                let _ = write!(declaration, " = {text}");
            }
            self.insert(at, 0, format!("static {declaration}; "));
        }
    }

    /// Each thread has its own copy of a thread-local object.
    fn thread_locals(&mut self) {
        let tree = self.facts.tree;
        let threads = self.lowered.threads.len();
        let all: Vec<ObjectId> = tree.objects.ids().collect();
        for object in all {
            let o = &tree.objects[object];
            if !o.thread_local || o.in_system_header || o.function.is_some() {
                continue;
            }
            let (Some(name), Some(decl)) = (static_name(self.facts, object), o.decls.last()) else {
                continue;
            };
            let name = format!("{name}[{threads}]");
            let ty = QualType {
                ty: o.ty.ty,
                quals: Quals::NONE,
            };
            let Some(mut declaration) = tree.types.declare_where(ty, &name, &|_| true) else {
                continue;
            };
            if let Some(init) = o.init {
                let text = print(self.facts, tree.inits[init].span, Vec::new());
                let copies = vec![text; threads].join(", ");
                let _ = write!(declaration, " = {{ {copies} }}");
            }
            let at = tree.decls[*decl].span.end;
            self.insert(at, 0, format!(" static {declaration};"));
        }
    }

    /// Types of the library get members of their own in the place of the library's, and what
    /// initialises them is adapted.
    fn sync_types(&mut self) {
        let facts = self.facts;
        let threads = self.lowered.threads.len().to_string();
        let more = match facts.mutex_kinds {
            true => models::MUTEX_MORE,
            false => "",
        };
        for (name, members) in models::MEMBERS {
            let Some(record) = synctypes::record(facts.tree, name) else {
                continue;
            };
            let Some((keyword, inside)) = synctypes::body(facts.unit, record) else {
                continue;
            };
            if facts.tree.types.records[record].is_union {
                self.replace(keyword, "struct");
            }
            let members = members
                .replace("BA_SEQ_THREADS", &threads)
                .replace(" BA_SEQ_MORE", more);
            self.insert(inside.start, 1, format!(" {members} /* "));
            self.insert(inside.end, -1, " */ ");
        }
        for (span, text) in &facts.sync_inits {
            if !self.is_dropped(*span) {
                self.replace(*span, text);
            }
        }
    }

    /// Whether a part of the text belongs to a function whose body does not stay.
    fn is_dropped(&self, span: Span) -> bool {
        self.dropped.iter().any(|d| d.encloses(span))
    }

    // Around the program ------------------------------------------------------------------------

    fn prologue(&self, threads: &str) -> String {
        let count = self.lowered.threads.len();
        let rounds = self.options.rounds;
        let mut out = format!(
            "/* Sequentialised by baproduct: the runs of {count} threads in {rounds} rounds. */\n"
        );
        out.push_str(models::PROLOGUE);
        let _ = writeln!(out, "#define BA_SEQ_THREADS {count}");
        let count_of = |sign: &str| match self.facts.mutex_kinds {
            true => format!("(m)->ba_seq_count{sign}"),
            false => "((void)0)".to_string(),
        };
        let (more, less) = (count_of("++"), count_of("--"));
        let _ = writeln!(out, "#define BA_SEQ_COUNT(m) {more}");
        let _ = writeln!(out, "#define BA_SEQ_UNCOUNT(m) {less}");
        out.push_str("static unsigned ba_seq_now; /* the thread whose turn it is */\n");
        if threads.contains("ba_seq_key") || self.uses_keys() {
            out.push_str("static int ba_seq_setspecific(unsigned key, const void *value);\nstatic void *ba_seq_getspecific(unsigned key);\n");
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
        // Runs that are left out begin as others do: what is definitive already counts.
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
        out
    }

    fn uses_keys(&self) -> bool {
        let all = Span::new(0, self.facts.unit.text().len());
        self.facts.calls_in(all).any(|c| {
            crate::library::name_of(self.facts.tree, c)
                .is_some_and(|n| n.ends_with("specific") || n.starts_with("tss_"))
        })
    }

    /// A hook that the program defines.
    pub(crate) fn hook(&self, name: &str) -> Option<String> {
        let f = self.facts.tree.function_named(name)?;
        self.facts.tree.functions[f].body.as_ref()?;
        Some(name.to_string())
    }

    fn epilogue(
        &mut self,
        placed: &[Placed],
        threads: &str,
        lasso: Option<&lasso::Text>,
    ) -> String {
        let mut out = String::new();
        let count = placed.len();
        self.local_types(&mut out);
        if threads.contains("= malloc(sizeof(") {
            out.push_str("void *malloc(__typeof__(sizeof 0));\n");
        }
        let ends: Vec<String> = placed.iter().map(|p| p.end.to_string()).collect();
        let _ = writeln!(
            out,
            "\nstatic unsigned ba_seq_round, ba_seq_cs; /* where the context stops */"
        );
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
            None => (String::new(), self.finish(placed)),
        };
        self.models(&format!("{threads}{stands}"), &mut out);
        out.push_str(&before);
        out.push_str(threads);
        out.push_str("\n#line 1 \"sequentialised\"\n");
        out.push_str(&stands);
        if lasso.is_none() {
            self.driver(placed, &mut out);
        }
        out
    }

    fn models(&self, threads: &str, out: &mut String) {
        let tree = self.facts.tree;
        let keys = self.uses_keys();
        let kinds = self.facts.mutex_kinds;
        for (types, text, wanted) in models::MODELS {
            if wanted.is_some_and(|w| w != kinds) {
                continue;
            }
            let defined = text.lines().filter_map(|line| {
                let rest = line.strip_prefix("static ")?;
                let name = rest.split('(').next()?.rsplit([' ', '*']).next()?;
                name.starts_with("ba_seq_").then_some(name)
            });
            let names: HashSet<&str> = defined.collect();
            let used = names.iter().any(|n| threads.contains(&format!("{n}(")))
                || keys && text.contains("ba_seq_getspecific");
            let c11 = synctypes::record(tree, "pthread_mutex_t").is_none()
                && synctypes::record(tree, "mtx_t").is_some();
            let mut text = text.to_string();
            let mut types: Vec<&str> = types.to_vec();
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
            }
        }
    }

    /// Types that functions declare for themselves.
    fn local_types(&mut self, out: &mut String) {
        let tree = self.facts.tree;
        let mut seen: BTreeMap<String, Span> = BTreeMap::new();
        let functions: BTreeSet<FunctionId> = tree.defined_functions().map(|(f, _, _)| f).collect();
        for (_, decl) in tree.decls.iter() {
            if !decl.function.is_some_and(|f| functions.contains(&f)) {
                continue;
            }
            let first = decl.declared.first().map(|d| d.declarator.start);
            let end = match (decl.is_typedef, first) {
                (true, _) | (_, None) => decl.span.end,
                (false, Some(first)) => first,
            };
            let head = Span::new(decl.span.start, end);
            let text = print(self.facts, head, Vec::new());
            if !(decl.is_typedef || text.contains('{')) {
                continue;
            }
            let text = text
                .trim_start_matches("static ")
                .trim_end_matches(';')
                .to_string();
            if seen.insert(text.clone(), head).is_none() {
                let _ = writeln!(out, "{text};");
            }
        }
    }

    /// What becomes of a run in which no thread goes on.
    fn finish(&self, placed: &[Placed]) -> String {
        let Some(over) = self.hook(&self.options.hooks.over) else {
            return String::new();
        };
        let mut out = String::from("\n/* The rounds are used up: does any thread go on? */\nstatic void ba_seq_finish(void) {\n  _Bool goes = 0, cut = 0, waits = 0;\n");
        for (number, placed) in placed.iter().enumerate() {
            let _ = writeln!(out, "  if (ba_seq_on[{number}]) {{\n    ba_seq_now = {number};\n    switch (ba_seq_pc[{number}]) {{");
            let stops = placed.items.iter().filter_map(|item| match item {
                Item::Position(stop) => Some(stop),
                Item::Op(_) => None,
            });
            for (index, stop) in stops.enumerate() {
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

    fn driver(&self, placed: &[Placed], out: &mut String) {
        out.push_str("\nint main(void) {\n");
        self.arguments(out);
        let context = |number: usize, out: &mut String| {
            let cut = placed[number].end + 1;
            let guard = match number {
                0 => String::new(),
                n => format!("if (ba_seq_on[{n}]) "),
            };
            let _ = writeln!(out, "  {guard}{{ ba_seq_now = {number}; ba_seq_cs = nondet_ba_seq(); BA_SEQ_ASSUME(ba_seq_pc[{number}] <= ba_seq_cs && ba_seq_cs <= {cut}); ba_seq_thread_{number}(); ba_seq_pc[{number}] = ba_seq_cs; }}");
        };
        context(0, out);
        for round in 1..=self.options.rounds {
            let _ = writeln!(out, "  ba_seq_round = {round};");
            for number in (1..placed.len()).chain([0]) {
                context(number, out);
            }
        }
        if self.hook(&self.options.hooks.over).is_some() {
            out.push_str("  ba_seq_finish();\n");
        }
        out.push_str("  return 0;\n}\n");
    }

    /// The arguments of the program are anything.
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
        if let Some(count) = first {
            let name = &count.name;
            let _ = writeln!(
                out,
                "  {name} = (int)nondet_ba_seq(); BA_SEQ_ASSUME({name} >= 1);"
            );
        }
    }
}
