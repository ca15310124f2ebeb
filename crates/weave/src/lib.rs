//! The plan of an instrumentation, and the edits and templates that realise it.
//!
//! [`weave`] takes a specification and the facts of a program, and returns the text before the program,
//! the insertions, the text after it, and the [`record::Record`] that `verify` reads. It is pure: no files, no
//! processes; the same input gives the same bytes.
//!
//! The modules are rooms in one order, and a test fails on an import from one to a later one:
//! [`facts`], `library`, [`collect`], [`bind`], [`analysis`], `items`, `monitor`, `plan`, `layout`, `sites`, [`emit`].

pub mod analysis;
pub mod bind;
pub mod collect;
pub mod emit;
pub mod facts;
mod items;
mod layout;
mod library;
mod monitor;
mod plan;
mod sites;

pub use analysis::flow;
pub use analysis::state_slice as lasso;
pub use bind::code;
pub use bind::propositions::Proposition;
pub use emit::files;
pub use emit::record::SEQUENTIAL;
pub use emit::Woven;
pub use facts::heads;
pub use facts::options::{Also, Entered, Form, Options};
pub use facts::remarks::{Refusal, Remark};
pub use facts::{assertion, check, record};
pub use layout::Program;
pub use library::atomics::WEAKER;
pub use library::synchronisation::COMPUTED as COMPUTED_ROUTINE;
pub use sites::environment::classified::tells_class;
pub use sites::environment::ends::AT_ONCE;
pub use sites::environment::inputs::{ALLOCATES, GOES_ON};

use analysis::Analysis;
use bind::resolve;
use emit::render;
use facts::Range;
use layout::weaver::{Finished, Weaver};
use monitor::Monitors;
use spec::{Diagnostic, Spec};

/// Weaves the monitors of a specification into a program.
///
/// # Errors
/// Every reason why the specification does not fit the program, and every construct of the program that the
/// tool cannot follow.
pub fn weave(spec: &Spec, program: &Program, options: &Options) -> Result<Woven, Vec<Refusal>> {
    let all = |_: &[Proposition]| true;
    let woven = planned(spec, program, options, all, |finished, monitors, notes| {
        render::render(finished, spec, program, monitors, options, notes)
    })?;
    // `all` goes on.
    woven.ok_or_else(Vec::new)
}

/// What [`weave`] has to say of a specification and a program.
#[derive(Debug, Default)]
pub struct Fit {
    /// Notes on the program.
    pub notes: Vec<Remark>,
    /// The plan, where text had to be written to know whether it fits.
    pub record: Option<record::Record>,
}

/// Says what [`weave`] would say, and writes no text unless it depends on that (`written`, or a program of several files). As
/// soon as all names have a meaning, `named` gets the propositions, and tells whether the rest is wanted; `None` if it is not.
///
/// # Errors
/// As [`weave`].
pub fn fit(
    spec: &Spec,
    program: &Program,
    options: &Options,
    written: bool,
    named: impl FnOnce(&[Proposition]) -> bool,
) -> Result<Option<Fit>, Vec<Refusal>> {
    let needs_text = written || program.files.len() > 1;
    planned(
        spec,
        program,
        options,
        named,
        |finished, monitors, notes| {
            if !needs_text {
                let record = None;
                return Ok(Fit { notes, record });
            }
            let woven = render::render(finished, spec, program, monitors, options, notes)?;
            Ok(Fit {
                notes: woven.notes,
                record: Some(woven.record),
            })
        },
    )
}

/// Plans a weaving, and ends it by `finish`; `None` if `named` does not want the rest.
fn planned<T>(
    spec: &Spec,
    program: &Program,
    options: &Options,
    named: impl FnOnce(&[Proposition]) -> bool,
    finish: impl FnOnce(Finished, &Monitors, Vec<Remark>) -> Result<T, Vec<Refusal>>,
) -> Result<Option<T>, Vec<Refusal>> {
    let spec_errors =
        |errors: Vec<Diagnostic>| errors.into_iter().map(Refusal::Spec).collect::<Vec<_>>();
    let facts = program.facts;
    let Some(main) = facts.functions.iter().position(|f| f.name == "main") else {
        return Err(vec![Refusal::Program(Remark {
            range: Range::default(),
            message: "the program has no function `main`".into(),
            label: "in this file".into(),
            help: Some(without_main(program)),
            error: true,
        })]);
    };
    let (code, text) = (program.code, program.text);
    let bound = resolve::resolve(spec, facts, code).map_err(spec_errors)?;
    if !named(&bound.propositions) {
        return Ok(None);
    }
    let analysis = Analysis::new(facts, code, text, main, &bound, options.assert_prunes);
    let searches = program.lasso.is_some();
    let monitors = monitor::build(
        spec,
        &bound.propositions,
        facts,
        options,
        searches,
        analysis.threaded,
    )
    .map_err(spec_errors)?;
    let mut weaver = Weaver::new(program, options, &bound, &analysis, &monitors);
    if let Some(observed) = program.lasso {
        weaver.plan_lasso(spec, observed).map_err(spec_errors)?;
    }
    plan(&mut weaver);
    if !options.nonlocal_jumps {
        weaver.refuse_nonlocal_jumps();
        weaver.refuse_signals();
        weaver.refuse_untraced();
    }
    if !options.shared_pointers {
        weaver.refuse_shared_pointers();
    }
    let (mut notes, errors): (Vec<Remark>, Vec<Remark>) = std::mem::take(&mut weaver.out.remarks)
        .into_iter()
        .partition(|r| !r.error && !options.strict);
    if !errors.is_empty() {
        return Err(errors.into_iter().map(Refusal::Program).collect());
    }
    notes.sort_by_key(|n| n.range);
    notes.dedup_by(|a, b| a.range == b.range && a.message == b.message);
    finish(weaver.finish(), &monitors, notes).map(Some)
}

/// What to do about a program without `main`.
fn without_main(program: &Program) -> String {
    const SHOWN: usize = 12;
    let tree = program.code.tree();
    let names: Vec<&str> = cfront::entries::external(&tree).collect();
    if names.is_empty() {
        return "name the file that defines `main`".into();
    }
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    format!(
        "name the file that defines `main`; or, for a library, the functions that its callers call, as in `--entry {}`; it has: {}{more}",
        names[0],
        names[..names.len().min(SHOWN)].join(", ")
    )
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
    weaver.plan_misread();
    weaver.plan_untyped();
    weaver.plan_calls();
    weaver.plan_nonlocal_jumps();
    weaver.plan_longjmp_emulation();
    weaver.plan_handlers();
    weaver.plan_hidden();
    weaver.plan_assemblers();
    weaver.plan_library();
    weaver.plan_builtins();
    weaver.plan_synchronisation();
    weaver.plan_functions();
    weaver.plan_chains();
}
