//! The plan of an instrumentation, and the edits and templates that realise it.
//!
//! [`weave`] takes a specification and the facts of a program, and gives the text in front of the
//! program, the insertions into it, the text behind it, and the [`record::Record`] that `verify`
//! works with. It is pure: no files, no processes; the same input gives the same bytes.

pub mod analysis;
pub mod bind;
pub mod collect;
pub mod emit;
pub mod facts;
mod layout;
mod monitor;
mod plan;
mod sites;

use std::collections::BTreeMap;

pub use analysis::flow;
pub use analysis::state_slice as lasso;
pub use bind::code;
pub use emit::files;
pub use emit::render::SEQUENTIAL;
pub use facts::heads;
pub use facts::{check, record};
pub use monitor::Form;
pub use plan::weaver::Remark;
pub use sites::environment::inputs::ALLOCATES;

use analysis::threads::Threads;
use bind::resolve;
use emit::render;
use facts::record::Record;
use facts::{Facts, Range};
use layout::storage;
use plan::insertions;
use plan::weaver::Weaver;
use sites::control::signals;
use sites::threads::synchronisation;
use spec::{Diagnostic, Spec};

/// What decides the emitted program, beside the specification.
#[derive(Clone, Debug)]
pub struct Options {
    /// Bound of loops and recursions; the specification's is next, then 5.
    pub unwind: Option<u32>,
    /// Other bounds, by label or function.
    pub unwindset: BTreeMap<String, u32>,
    /// The monitor's form.
    pub form: Form,
    /// Whether leaving an area other than by its exit label is an error.
    pub strict: bool,
    /// The tool's version, for the emitted comment.
    pub version: String,
    /// Whether system headers stay `#include` lines.
    pub include_headers: bool,
    /// Whether waiting for a condition may end without a signal.
    pub spurious_wakeups: bool,
    /// Whether a run in which an assertion of the program fails is discarded; else it ends there.
    pub assert_prunes: bool,
    /// Whether the backend makes jumps out of functions, and runs handlers of signals.
    pub far_jumps: bool,
    /// The C dialect in which the program was read, where it is another than gnu11.
    pub dialect: Option<String>,
    /// Whether cycles are left to a proof by induction, not bounded; lassos are not searched then.
    pub proves: bool,
    /// Whether the backend can follow pointers that several threads see.
    pub shared_pointers: bool,
    /// Whether threads are sequentialised before a backend reads the program: then it may have
    /// sections that no other thread interrupts.
    pub rounds: bool,
}

/// The program that is woven into.
pub struct Program<'a> {
    /// Its preprocessed text.
    pub text: &'a str,
    /// What is in it.
    pub facts: &'a Facts,
    /// Its control flow.
    pub flow: &'a flow::Graphs<'a>,
    /// The code itself, which expressions of the specification are added to.
    pub code: &'a code::Code,
    /// File and line of an offset.
    pub locate: &'a dyn Fn(usize) -> (String, u32),
    /// Its source files, in the order of the text.
    pub files: &'a [files::File],
    /// What the search for lassos has to know of it; nothing if none are searched.
    pub lasso: Option<&'a lasso::Observed>,
}

/// An instrumentation.
#[derive(Clone, Debug)]
pub struct Woven {
    /// For each source file, the text in front of it and behind it.
    pub texts: Vec<files::Texts>,
    /// The insertions, in order.
    pub insertions: Vec<insertions::Insertion>,
    /// What `verify` needs to know.
    pub record: Record,
    /// What a proof needs to know, where one was wanted.
    pub heads: Option<facts::heads::Heads>,
    /// Notes on the program.
    pub notes: Vec<Remark>,
}

/// Why a specification or a program is refused.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// Something in the specification.
    Spec(Diagnostic),
    /// Something in the program.
    Program(Remark),
}

/// Weaves the monitors of a specification into a program.
///
/// # Errors
/// Every reason found why the specification does not fit the program, or the program cannot be
/// followed.
pub fn weave(spec: &Spec, program: &Program, options: &Options) -> Result<Woven, Vec<Refusal>> {
    let spec_errors =
        |errors: Vec<Diagnostic>| errors.into_iter().map(Refusal::Spec).collect::<Vec<_>>();
    let facts = program.facts;
    let Some(main) = facts.functions.iter().position(|f| f.name == "main") else {
        return Err(vec![Refusal::Program(Remark {
            range: Range::default(),
            message: "the program has no function `main`".into(),
            label: "in this file".into(),
            help: Some("name the file that defines `main`".into()),
            error: true,
        })]);
    };
    let resolved = resolve::resolve(spec, facts, program.code).map_err(spec_errors)?;
    let (calls, starts) = storage::edges(facts, main);
    let nodes = facts.functions.len() + 1;
    let interruptions = signals::interruptions(facts, program.text, nodes);
    let threads = Threads::interrupted(nodes + 1, main, &calls, &interruptions, &starts);
    let searches = program.lasso.is_some();
    let monitors = monitor::build(
        spec,
        &resolved.propositions,
        facts,
        options,
        searches,
        !starts.is_empty(),
    )
    .map_err(spec_errors)?;
    let mut weaver = Weaver {
        starts: !monitors.first.is_empty() || has_whole_areas(spec),
        every_event: monitors.every_event,
        threaded: !starts.is_empty(),
        modelled: !starts.is_empty() || synchronisation::synchronises(facts),
        rounds: options.rounds,
        ..Weaver::new(program, main, threads, resolved)
    };
    weaver.classify();
    weaver.environment.failed_assertions = options.assert_prunes && weaver.asserts();
    weaver.expanded = !options.include_headers;
    weaver.environment.supposes = weaver.supposes();
    weaver.covered_areas = weaver.areas_of_covers(&monitors);
    if let Some(observed) = program.lasso {
        let several = program.files.len() > 1;
        weaver
            .plan_lasso(spec, observed, several, options.proves)
            .map_err(spec_errors)?;
    }
    plan(&mut weaver);
    if !options.far_jumps {
        weaver.refuse_far_jumps();
        weaver.refuse_signals();
        weaver.refuse_unshown();
    }
    if !options.shared_pointers {
        weaver.refuse_shared_pointers();
    }
    let (mut notes, errors): (Vec<Remark>, Vec<Remark>) = std::mem::take(&mut weaver.remarks)
        .into_iter()
        .partition(|r| !r.error && !options.strict);
    if !errors.is_empty() {
        return Err(errors.into_iter().map(Refusal::Program).collect());
    }
    notes.sort_by_key(|n| n.range);
    notes.dedup_by(|a, b| a.range == b.range && a.message == b.message);
    render::render(weaver, spec, program, &monitors, options, notes)
}

/// Whether letter 0 may have values of propositions that hold from the start.
fn has_whole_areas(spec: &Spec) -> bool {
    let whole = |p: &spec::Proposition| p.area == spec::Area::WholeProgram;
    spec.propositions.iter().any(whole)
}

/// Plans every site, in a fixed order.
fn plan(weaver: &mut Weaver) {
    weaver.plan_labels();
    weaver.plan_writes();
    weaver.plan_inputs();
    weaver.plan_replaced();
    weaver.plan_jumps();
    weaver.plan_loops();
    weaver.plan_atomics();
    weaver.plan_narrowed();
    weaver.plan_calls();
    weaver.plan_far_jumps();
    weaver.plan_landings();
    weaver.plan_handlers();
    weaver.plan_hidden();
    weaver.plan_assemblers();
    weaver.plan_library();
    weaver.plan_builtins();
    weaver.plan_synchronisation();
    weaver.plan_functions();
    weaver.plan_chains();
}
