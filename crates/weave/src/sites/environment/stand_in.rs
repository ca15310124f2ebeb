//! Functions that stand for calls of functions outside the program: one for each call, by contract, by a definition, or by
//! choices of what it gives.

use cfront::library::plain_name;
use spec::InputValues;

use super::contracts;
use super::definitions::{self, Definition};
use crate::facts::names::user;
use crate::facts::record::SiteEvent;
use crate::facts::types::{Argument, CallTypes};
use crate::facts::Call;
use crate::items::{Conditional, Function, Item, Signature};
use crate::layout::weaver::Weaver;
use crate::library::{self, Contract};

impl Weaver<'_> {
    /// The body of the function that stands for a call by contract, and the condition under which it does; none if it cannot.
    pub(super) fn body_by_contract(
        &mut self,
        call: &Call,
        types: &CallTypes,
        contract: Contract,
    ) -> Option<(String, String)> {
        self.out.inputs.by_contract = true;
        let site = self.input_site(call);
        let body = match contract {
            Contract::Values => self.stores(call, types, &InputValues::Any, site, false),
            _ => self.contract_body(call, types, contract, site),
        };
        self.out.inputs.by_contract = false;
        let name = call.callee.as_deref().unwrap_or_default();
        let copies = matches!(contract, Contract::Copy { .. });
        let computes = copies || contract.is_number();
        let computed = (computes || library::function(name).is_some_and(|f| f.defined))
            && !self.out.inputs.known.reads_bytes;
        if body.is_some() && self.options.proves {
            let known = &mut self.out.inputs.known;
            known.contracts.insert(name.to_owned());
            known.computed.extend(computed.then(|| name.to_owned()));
        }
        Some((self.condition(call, types, contract), body?))
    }

    /// What [`crate::plan::inputs::Known::reads_bytes`] says.
    pub(super) fn reads_bytes(&self) -> bool {
        let main = self.facts.functions.iter().find(|f| f.name == "main");
        main.is_some_and(|f| f.parameters > Some(0))
            || self.facts.calls.iter().any(|call| {
                let name = call.callee.as_deref().and_then(library::function);
                name.is_some_and(|f| {
                    matches!(f.input, Some(library::Input::Bytes(..))) && !f.defined
                })
            })
    }

    /// Replaces the callee of a call whose meaning is written out in C. In a proof, what is known by contract is enough.
    pub(super) fn define_call(
        &mut self,
        call: &Call,
        types: &CallTypes,
        contract: Option<Contract>,
        definition: Definition,
    ) {
        let name = call.callee.as_deref().unwrap_or_default();
        let in_proofs = match contract {
            Some(contract) => self.body_by_contract(call, types, contract),
            None if self.options.proves && self.is_outside(call, name) => {
                let site = self.input_site(call);
                let body = self.stores(call, types, &InputValues::Any, site, false);
                body.map(|body| (contracts::IN_PROOFS.to_owned(), body))
            }
            None => None,
        };
        let mut bodies: Vec<_> = in_proofs.into_iter().collect();
        // A length that is computed without a loop is one that proofs follow, too.
        if !matches!(contract, Some(Contract::Span(_))) {
            let numbers = definition.helpers.contains(&definitions::NUMBER);
            let cut = numbers.then(|| self.cut_in_number(call));
            let body = cut.unwrap_or_default() + &definition.body;
            bodies.push((definitions::CONDITION.to_owned(), body));
            self.out.inputs.known.helpers.extend(definition.helpers);
            let assumed = definition.assumes.map(str::to_owned);
            let known = &mut self.out.inputs.assumptions;
            known.extend(assumed.filter(|sentence| !known.contains(sentence)));
        }
        self.stand_in(call, types, bodies);
    }

    /// The statement that says where a run is cut that reads a number from an argument of the program.
    fn cut_in_number(&mut self, call: &Call) -> String {
        let of_any_length = !self.is_proof() && !self.facts.arguments_read.is_empty();
        let site = match of_any_length {
            true => self.add_site(call.range, call.function, SiteEvent::Cut),
            false => 0,
        };
        if of_any_length {
            let helpers = &mut self.out.inputs.known.helpers;
            helpers.insert(definitions::FOLLOWED);
        }
        format!("  const unsigned ba_site = {site};\n")
    }

    /// Puts functions for a call in the place of its callee: the first whose condition holds; else the callee itself.
    pub(super) fn stand_in(
        &mut self,
        call: &Call,
        types: &CallTypes,
        bodies: Vec<(String, String)>,
    ) {
        if bodies.is_empty() {
            return;
        }
        let name = call.callee.clone().unwrap_or_default();
        let number = self.out.inputs.functions.len();
        let parameters: Vec<String> = types
            .arguments
            .iter()
            .enumerate()
            .map(|(i, argument)| {
                let list = i + 1 == types.arguments.len() && takes_list(&name);
                let ty = match list {
                    true => "__builtin_va_list ".to_owned(),
                    false => parameter(argument),
                };
                format!("{ty}ba_a{i}")
            })
            .collect();
        let parameters = match parameters.is_empty() {
            true => "void".to_string(),
            false => parameters.join(", "),
        };
        let ty = types.result.as_ref().map_or("void", |r| &r.spelling);
        let (file, line) = (self.program.locate)(call.range.start);
        let place = file.rsplit('/').next().unwrap_or(&file).replace("*/", "");
        let emission = &mut self.out.inputs;
        let signature = Signature::unused(format!("{ty} ba_input_{number}({parameters})"));
        let called = user(&name);
        let mut declared: Vec<Item> = vec![format!("#define ba_input_{number} {called}").into()];
        let mut functions: Vec<Item> = Vec::new();
        for (condition, body) in bodies.into_iter().rev() {
            let declaration = Conditional::when(&condition, vec![signature.clone().into()]);
            declared = vec![declaration.otherwise(declared).into()];
            let function = Function::new(signature.clone(), body);
            let mut function = Conditional::when(&condition, vec![function.into()])
                .for_reason(format!("{called} at {place}:{line}."));
            if !functions.is_empty() {
                function = function.otherwise(functions);
            }
            functions = vec![function.into()];
        }
        emission.calls.extend(declared);
        emission.functions.extend(functions);
        if let Some(alias) = self.out.replaced.names.get(&call.expr) {
            self.out.replaced.by_input.insert(call.expr);
            emission
                .calls
                .push(format!("#define {alias} ba_input_{number}").into());
            return;
        }
        self.out.insertions.around(
            call.callee_range,
            call.depth,
            0,
            format!("ba_input_{number} /* "),
            " */",
        );
    }
}

/// Whether the last argument of a function of the library is a list of arguments.
fn takes_list(name: &str) -> bool {
    let plain = plain_name(name);
    plain.starts_with('v') && (plain.ends_with("printf") || plain.ends_with("scanf"))
}

/// A parameter's type with the space or star before the name.
fn parameter(argument: &Argument) -> String {
    match (&argument.target, &argument.scalar) {
        (Some(target), _) => format!("{} *", target.spelling),
        (None, Some(scalar)) if scalar.pointer => "const void *".into(),
        (None, Some(scalar)) => format!("{} ", scalar.spelling),
        (None, None) if argument.function => "const void *".into(),
        (None, None) => "int ".into(),
    }
}
