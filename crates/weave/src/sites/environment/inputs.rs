//! Inputs: values from outside the program, which a model checker chooses and a native run reads.
//!
//! A call that is an input keeps its place and its arguments; only the callee's name is replaced, by a function
//! for this call that stores chosen values through the call's pointers or, without any, returns a chosen value.
//! Values are chosen without assumptions, since a failed assumption may end a single thread only.

use std::collections::BTreeSet;

use cfront::interrupts;
use cfront::library::counts_characters;
use spec::InputValues;

use super::blocks::{self, block, SINGLE};
use super::conversions::Conversion;
use super::definitions;
use super::ends::Ends;
use super::estimates;
use super::stored::{element, has_scalars, input, reads, returned, MOST_ELEMENTS};
use super::structures;
use super::values::{choice_signature, chooser, choosing, nondet, words, CHOOSES};
use crate::bind::environment::Receiver;
use crate::facts::heads::Chooser;
use crate::facts::record::SiteEvent;
use crate::facts::types::{Argument, CallTypes, Scalar};
use crate::facts::{Call, FunctionIndex, ObjectIndex, Range};
use crate::items::{Conditional, Item};
use crate::layout::weaver::{PlannedUpdate, Weaver};
use crate::library::{self, Allocates, Backend};
use crate::plan::inputs::Choice;

/// The assumption of model checkers about functions that allocate memory.
pub const ALLOCATES: &str = "allocating memory never fails";

/// The assumption about calls whose results nobody looks at.
pub const GOES_ON: &str =
    "input never ends where the program does not look at the result of the call";

/// The assumption about what only compilers that optimise know.
const CONSTANTS: &str = "what is no constant in the text is none for the compiler";

/// The functions outside the program that runs call, by the assumption about them.
#[derive(Default)]
struct Outside<'f> {
    /// They may return any value.
    free: BTreeSet<&'f str>,
    /// Interrupt handlers that come at any time.
    coming: BTreeSet<String>,
    /// Interrupt handlers that come infinitely often if they infinitely often could.
    fair: BTreeSet<String>,
    /// Signals that come at any time.
    signals: BTreeSet<String>,
    /// They change nothing of the program.
    harmless: BTreeSet<&'f str>,
    /// They always read as much as they are asked to.
    full: BTreeSet<&'f str>,
    /// They allocate memory.
    allocating: BTreeSet<&'f str>,
    /// They do not change the pointers that they find.
    keeping: BTreeSet<&'f str>,
}

impl Outside<'_> {
    /// The assumptions, each with its functions.
    fn sentences(self) -> Vec<String> {
        let sentences = [
            ("any values come from", self.free),
            (
                "each of these handlers may come, as often as it likes, between any two accesses of what it shares with the \
                 code that it interrupts, and runs to its end",
                self.coming.iter().map(String::as_str).collect(),
            ),
            (
                "each of these handlers comes again and again if it again and again could, between any two accesses of what it \
                 shares with the code that it interrupts, and runs to its end",
                self.fair.iter().map(String::as_str).collect(),
            ),
            (
                "while a handler is installed for one of these signals, and it is not blocked, it may come, as often as it likes, \
                 between any two accesses of what the handler shares with the code that it interrupts; one that is sent, or \
                 whose time has come, comes for sure",
                self.signals.iter().map(String::as_str).collect(),
            ),
            (
                "functions without body that change nothing of the program's",
                self.harmless,
            ),
            (
                "the pointers that these functions find where their arguments point to stay as they are, \
                 and nothing is stored or called through them",
                self.keeping,
            ),
            (GOES_ON, self.full),
            (ALLOCATES, self.allocating),
        ];
        let told = sentences.into_iter().filter(|(_, names)| !names.is_empty());
        told.map(|(sentence, names)| {
            let names: Vec<&str> = names.into_iter().collect();
            format!("{sentence}: {}", names.join(", "))
        })
        .collect()
    }
}

impl Weaver<'_> {
    /// Plans the specification's inputs, and as inputs of any value the calls of functions without a body whose
    /// results are used.
    pub fn plan_inputs(&mut self) {
        let inputs = self.bound.environment.inputs.clone();
        self.out.inputs.opaque = self.opaque();
        self.out.inputs.known.reads_bytes = self.reads_bytes();
        for input in &inputs {
            match &input.receiver {
                Receiver::Variable(object) => self.variable_input(*object, &input.values),
                Receiver::Call(name) => {
                    let sentence = format!("`{name}` gives {}", words(&input.values));
                    self.out.inputs.assumptions.push(sentence);
                }
            }
        }
        self.plan_arguments();
        let facts = self.facts;
        let tree = self.program.code.tree();
        let functions = tree.functions.iter().map(|(_, f)| f.name.as_str());
        let fair = functions.filter(|name| interrupts::is_fair(&tree, name));
        let mut told = Outside {
            fair: fair
                .filter_map(|name| Some(interrupts::comer(name)?.1.to_owned()))
                .collect(),
            ..Outside::default()
        };
        for (number, call) in facts.calls.iter().enumerate() {
            let Some(name) = call.callee.as_deref() else {
                continue;
            };
            let given = inputs
                .iter()
                .find(|i| i.receiver == Receiver::Call(name.to_string()));
            let types = &facts.call_types[number];
            match given {
                Some(input) => self.call_input(call, types, &input.values.clone(), true),
                None => self.plan_outside(call, name, types, &mut told),
            }
        }
        self.out.inputs.assumptions.extend(told.sentences());
        let registers = self.facts.registers.iter().cloned();
        self.out.inputs.assumptions.extend(registers);
    }

    /// Plans a call that the specification does not name: a call to something outside the program is an input
    /// of any value if its result is used or it stores something.
    fn plan_outside<'f>(
        &mut self,
        call: &Call,
        name: &'f str,
        types: &CallTypes,
        told: &mut Outside<'f>,
    ) {
        if name == cfront::memory_model::CHOICE {
            self.call_input(call, types, &InputValues::Any, false);
            return;
        }
        // Inline functions of headers contain many calls that no run reaches.
        if name == interrupts::COMES {
            let tree = self.program.code.tree();
            let functions = self.facts.functions.iter().map(|f| &f.name);
            let functions = functions.filter(|name| !interrupts::is_fair(&tree, name));
            let comers = functions.filter_map(|name| interrupts::comer(name));
            for (word, name) in comers {
                let known = match word {
                    "signal" => &mut told.signals,
                    _ => &mut told.coming,
                };
                known.insert(name.to_owned());
            }
            self.call_input(call, types, &InputValues::Any, false);
            return;
        }
        if name.starts_with(cfront::entries::INPUT) {
            // The sentences about callers say so.
            self.call_input(call, types, &InputValues::Any, false);
            return;
        }
        self.refuse_counts(call, name);
        if self.plan_estimate(call, name, types) {
            return;
        }
        let definition = self.definition(call, name, types);
        let contract = self.contract(call, name, types);
        let contract = contract.filter(|_| definition.is_some() || !self.is_outside(call, name));
        if let Some(definition) = definition {
            self.define_call(call, types, contract, definition);
            return;
        }
        let body = contract.and_then(|contract| self.body_by_contract(call, types, contract));
        let known = self.any_print(call, name, types);
        let known = known.or_else(|| self.any_truth(call, name, types));
        self.stand_in(call, types, body.into_iter().chain(known).collect());
        let runs = !self.analysis.threads.roots[call.function].is_empty();
        let told_if = |holds: bool| (runs && holds).then_some(name);
        if !self.is_outside(call, name) {
            if self.plan_outcome(call, name, types) {
                told.free.extend(told_if(true));
                return;
            }
            let row = library::function(name).filter(|_| call.target.is_none());
            let vague = row.is_some_and(|f| f.backend == Backend::Vague);
            told.free.extend(told_if(vague));
            if call.target.is_none() {
                self.note_estimate(call, name, row);
            }
            let argument = types.arguments.first();
            let unsure = argument.is_some_and(|a| a.constant.is_none());
            if runs && unsure && name == "__builtin_constant_p" {
                self.assume_of(call, CONSTANTS);
            }
            let allocates = row.is_some_and(|f| f.allocates == Some(Allocates::Surely));
            told.allocating.extend(told_if(allocates));
            return;
        }
        let finds = types.arguments.iter().any(structures::finds_pointers);
        told.keeping.extend(told_if(finds));
        let chosen = types.result.as_ref().is_some_and(|r| !r.pointer);
        let stores = types.arguments.iter().any(stores_through);
        let changes = chosen || stores || self.stores_further(call);
        told.full
            .extend(told_if(!call.used && input(name).is_some()));
        told.free.extend(told_if(changes));
        told.harmless.extend(told_if(!changes));
        if !changes && types.void {
            self.out.inputs.known.harmless.insert(name.to_owned());
        }
        if changes {
            self.call_input(call, types, &InputValues::Any, false);
        }
    }

    /// Refuses a call that prints and stores how much: what prints is left out of what model checkers see.
    fn refuse_counts(&mut self, call: &Call, name: &str) {
        let prints = call.target.is_none() && counts_characters(name);
        let mut formats = (0..call.arguments.len()).filter_map(|i| self.literal(call, i));
        if prints
            && formats
                .next()
                .is_some_and(|f| definitions::formatted::stores_count(&f))
        {
            self.refuse(
                call.range,
                format!("`{name}` stores how many characters it has written (`%n`), which is not followed"),
                "an object is written here",
                Some("use what the function returns"),
            );
        }
    }

    /// Whether the tool gives a function a meaning of its own.
    pub(crate) fn is_handled(&self, name: &str) -> bool {
        const FAMILIES: [&str; 7] = [
            "pthread_", "sem_", "mtx_", "cnd_", "thrd_", "tss_", "atomic_",
        ];
        library::ends(name)
            || name == "call_once"
            || library::silent(name).is_some()
            || FAMILIES.iter().any(|family| name.starts_with(family))
    }

    /// The effects of an input's write to a variable.
    pub(crate) fn plan_written_by_input(
        &mut self,
        object: ObjectIndex,
        function: FunctionIndex,
        range: Range,
    ) -> (String, Vec<PlannedUpdate>) {
        let refresh = self.refresh_copy(object);
        (
            refresh,
            self.plan_updates_of_object(object, function, range),
        )
    }

    /// Whether a call's effect is known neither to the program nor to backends.
    pub(crate) fn is_outside(&self, call: &Call, name: &str) -> bool {
        const OWN: [&str; 4] = ["__CPROVER_", "__ESBMC_", "__builtin_", "__atomic_"];
        // A function that ends the process returns nothing.
        let row = library::with_arguments(name);
        let known = row.is_some_and(|f| f.backend == Backend::Known);
        // A non-local jump is one even if the program declares the function itself.
        let jumps = row.is_some_and(|f| f.jump.is_some());
        if call.target.is_some() || call.exits || self.is_handled(name) || known || jumps {
            return false;
        }
        if OWN.iter().any(|prefix| name.starts_with(prefix)) || name.starts_with("__sync_") {
            return false;
        }
        // A preprocessed text may not tell which declarations are the library's; calls of such functions are
        // renamed.
        if !self.options.include_headers && library::passes_time(name) {
            return false;
        }
        if name.starts_with("__VERIFIER_") && !name.starts_with("__VERIFIER_nondet") {
            return false;
        }
        row.is_some_and(|f| f.reads) || !self.facts.declared.contains(name)
    }

    /// Replaces the callee of a call.
    pub(super) fn call_input(
        &mut self,
        call: &Call,
        types: &CallTypes,
        values: &InputValues,
        wanted: bool,
    ) {
        let name = call.callee.as_deref().unwrap_or_default();
        if !has_scalars(types) {
            if wanted {
                self.refuse(
                    call.range,
                    format!("`{name}` cannot be an input: it takes or gives a structure"),
                    "no scalar",
                    Some("make a function of scalars the input"),
                );
            }
            return;
        }
        let stores = types.arguments.iter().any(stores_through);
        if call.target.is_some() && stores {
            return self.refuse(
                call.range,
                format!(
                    "`{name}` has a body here and may write through the pointers that it is given"
                ),
                "cannot be an input",
                Some("make a function that it calls the input, or a variable"),
            );
        }
        self.replace_call(call, types, values, wanted);
    }

    /// The site of a choice that a call makes.
    pub(super) fn input_site(&mut self, call: &Call) -> usize {
        let event = match self.out.inputs.by_contract {
            true => SiteEvent::Contract,
            false => SiteEvent::Input,
        };
        self.add_site(call.range, call.function, event)
    }

    /// Replaces the callee of a call by a function that gives chosen values.
    fn replace_call(&mut self, call: &Call, types: &CallTypes, values: &InputValues, wanted: bool) {
        let site = self.input_site(call);
        let body = self.stores(call, types, values, site, wanted);
        // What is printed into memory is known where the program is executed.
        let name = call.callee.as_deref().unwrap_or_default();
        let printed = !wanted && matches!(name, "sprintf" | "vsprintf");
        let condition = match printed {
            true => {
                self.out.inputs.known.estimated.insert(name.to_owned());
                estimates::CONDITION
            }
            false => CHOOSES,
        };
        let bodies = body.map(|body| (condition.to_owned(), body));
        self.stand_in(call, types, bodies.into_iter().collect());
    }

    /// The body of the function that replaces a call; `None` if the call is refused.
    pub(super) fn stores(
        &mut self,
        call: &Call,
        types: &CallTypes,
        values: &InputValues,
        site: usize,
        wanted: bool,
    ) -> Option<String> {
        let name = call.callee.clone().unwrap_or_default();
        let block = block(&name, types.arguments.len());
        let read = match wanted {
            true => None,
            false => self.conversions(call, types.arguments.len()),
        };
        let mut body = String::new();
        for i in 0..types.arguments.len() {
            body.push_str(&format!("  (void)ba_a{i};\n"));
        }
        if !wanted && self.stores_further(call) {
            let missing = self.note_not_modelled(call, "further");
            body.push_str(&format!("  {missing}\n"));
        }
        let ends = match !wanted && call.used && types.result.is_some() {
            true => self.ends_of_input(call, types, block.as_ref(), read.as_ref()),
            false => Ends::default(),
        };
        body.push_str(&ends.first);
        let mut stored = 0;
        for (i, argument) in types.arguments.iter().enumerate() {
            let conversion = read.as_ref().and_then(|read| read.of_argument(i));
            let known =
                conversion.and_then(|c| self.store_conversion(call, c, (i, argument), site));
            let text = match (known, &block, &argument.target) {
                (Some(text), ..) => text,
                (_, Some(block), _) if block.pointer == i => {
                    self.store_block(call, block, &types.arguments, values, site)?
                }
                // Strings that the function only reads, although their type lets it write them.
                (_, Some(_), Some(ty)) if ty.spelling.ends_with("char") => continue,
                _ if !wanted && argument.rest && !reads(&name) => {
                    self.store_rest_of_object(call, i, argument, site)
                }
                (_, _, None) => match self.store_structure(call, i, argument, site) {
                    Some(text) => text,
                    None => continue,
                },
                (_, _, Some(_)) if is_string(&name, argument) => {
                    format!("  {}\n", self.note_not_stored(call))
                }
                (_, _, Some(ty)) if !wanted && argument.elements > Some(SINGLE) => {
                    let elements = argument.elements.unwrap_or(1);
                    self.store_long_array(call, i, ty, elements, site)
                }
                (_, _, Some(ty)) => {
                    self.store_elements(call, (i, argument), (ty, values), site, wanted)?
                }
            };
            let is_value = !matches!(conversion, Some(Conversion::Read(_)));
            if ends.counts {
                let least = stored + usize::from(is_value);
                body.push_str(&format!("  if (ba_count < {least}) return ba_count;\n"));
            }
            stored += usize::from(is_value);
            body.push_str(&text);
        }
        if let Some(ty) = &types.result {
            let result = match returned(&name, stored).filter(|_| stored > 0) {
                Some(result) => result,
                None => {
                    let (first, given) =
                        self.result(call, ty, values, site, (wanted, stored), &types.arguments)?;
                    body.push_str(&first);
                    given
                }
            };
            body.push_str(&format!("  return {result};\n"));
        }
        Some(body)
    }

    /// Statements that store chosen values in the elements that an argument points to; `None` if the call is
    /// refused.
    fn store_elements(
        &mut self,
        call: &Call,
        (i, argument): (usize, &Argument),
        (ty, values): (&Scalar, &InputValues),
        site: usize,
        wanted: bool,
    ) -> Option<String> {
        let choice = self.add_choice(call.range, ty, values)?;
        let elements = argument.elements.unwrap_or(1);
        if elements > MOST_ELEMENTS && wanted {
            self.too_many(call.range, elements);
            return None;
        }
        let value = format!("{}({site})", chooser(choice));
        let stored = (0..elements).map(|e| format!("  {} = {value};\n", element(i, e, elements)));
        Some(stored.collect())
    }

    pub(crate) fn too_many(&mut self, range: Range, elements: u64) {
        self.refuse(
            range,
            format!("an array of {elements} elements is too long for an input"),
            "each element is a choice",
            Some("make a shorter array the input"),
        );
    }

    /// The number of the function that chooses a value of a type. Refuses values outside the type.
    pub(crate) fn add_choice(
        &mut self,
        range: Range,
        ty: &Scalar,
        values: &InputValues,
    ) -> Option<usize> {
        let outside = |v: &i128| ty.bounds.is_some_and(|(low, high)| *v < low || *v > high);
        let wrong = match values {
            InputValues::Any => None,
            InputValues::Set(set) => set.iter().find(|v| outside(v)).copied(),
            InputValues::Range(low, high) => [*low, *high].into_iter().find(outside),
        };
        if let Some(value) = wrong {
            self.refuse(
                range,
                format!("the input value {value} is no value of `{}`", ty.spelling),
                "gets it",
                Some("correct the values of this input in the specification"),
            );
            return None;
        }
        let choice = Choice {
            ty: ty.clone(),
            values: values.clone(),
            within: None,
        };
        Some(self.add_known_choice(choice))
    }

    /// The number of the function that makes a choice.
    pub(crate) fn add_known_choice(&mut self, choice: Choice) -> usize {
        let choices = &mut self.out.inputs.choices;
        let known = choices.iter().position(|c| *c == choice);
        known.unwrap_or_else(|| {
            choices.push(choice);
            choices.len() - 1
        })
    }

    /// Declarations before the program.
    pub(crate) fn input_prototypes(&self) -> Vec<Item> {
        let emission = &self.out.inputs;
        if emission.choices.is_empty() && emission.calls.is_empty() {
            return Vec::new();
        }
        let macros = Conditional::when(
            "#if BA_CHOOSES /* values from the environment */",
            vec!["#define BA_INPUT(text) text".into()],
        )
        .otherwise(vec!["#define BA_INPUT(text)".into()]);
        let mut lines: Vec<Item> = Vec::new();
        let mut types: Vec<&str> = Vec::new();
        for (number, choice) in emission.choices.iter().enumerate() {
            let ty = choice.ty.spelling.as_str();
            if !types.contains(&ty) {
                types.push(ty);
                lines.push(format!("{ty} {}(void);", nondet(ty)).into());
            }
            lines.push(choice_signature(number, ty).into());
        }
        if let Some(read) = emission.bytes {
            lines.push(blocks::read().into());
            lines.extend(read.lines.then(|| blocks::line_signature().into()));
        }
        let chosen = Conditional::when(CHOOSES, lines);
        let mut lines = vec![macros.into(), chosen.into()];
        lines.extend(emission.calls.iter().cloned());
        lines
    }

    /// The functions that choose values, for a search that makes the choices.
    pub(crate) fn choosers(&self) -> Vec<Chooser> {
        let choices = self.out.inputs.choices.iter().enumerate();
        let chooser = |(number, choice): (usize, &Choice)| Chooser {
            function: chooser(number),
            numbers: match &choice.values {
                InputValues::Any => None,
                InputValues::Set(set) => Some(set.len() as u128),
                InputValues::Range(low, high) => Some(high.abs_diff(*low).saturating_add(1)),
            },
            within: choice.within,
        };
        choices.map(chooser).collect()
    }

    /// The functions that choose values and those that replace calls.
    pub(crate) fn input_functions(&self) -> Vec<Item> {
        let emission = &self.out.inputs;
        let choices = emission.choices.iter().enumerate();
        let mut functions: Vec<Item> = choices
            .map(|(n, c)| choosing(n, c, self.options.driven))
            .collect();
        if emission.partly {
            functions.push(blocks::macros());
        }
        if let Some(read) = emission.bytes {
            functions.push(blocks::function(read.choice));
            functions.extend(read.lines.then(|| blocks::line_function(read.choice)));
        }
        functions.extend(definitions::helpers(&emission.known.helpers));
        functions.extend(emission.functions.iter().cloned());
        functions
    }

    /// The text at the start of `main` that gives static objects their values.
    pub(crate) fn inputs_at_start(&self) -> &str {
        &self.out.inputs.start
    }

    /// Sentences for the report.
    pub(crate) fn input_assumptions(&self) -> &[String] {
        &self.out.inputs.assumptions
    }
}

/// Whether the replacing function stores through an argument.
fn stores_through(argument: &Argument) -> bool {
    argument.target.is_some() || argument.bytes.is_some() || argument.rest
}

/// Whether a call of `scanf` or a relative may store a string of unknown length through this argument.
fn is_string(name: &str, argument: &Argument) -> bool {
    let characters = argument
        .target
        .as_ref()
        .is_some_and(|t| t.spelling.ends_with("char"));
    name.ends_with("scanf") && characters && argument.elements.is_none() && !argument.address
}
