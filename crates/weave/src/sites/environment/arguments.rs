//! The arguments of the command line: values from outside that traces show and replays repeat.
//!
//! Model checkers choose the number of `main`'s arguments, but have no memory for their characters: what a program reads there
//! is another value each time. So `main` begins by giving the arguments that it may read their strings, of any length, if it
//! reads them at constant places only.

use spec::InputValues;

use super::values::{chooser, CHOOSES};
use crate::bind::environment::Receiver;
use crate::facts::heads::Head;
use crate::facts::names::user;
use crate::facts::record::SiteEvent;
use crate::facts::types::Scalar;
use crate::facts::{Lifetime, ObjectIndex, Range};
use crate::items::{Conditional, Function, Signature};
use crate::layout::weaver::Weaver;
use crate::plan::inputs::Choice;

/// The characters of an argument that traces show; those behind them are any.
const SHOWN: usize = 16;
/// The most bytes of an argument, with the null character: what Linux allows.
const MOST_BYTES: u32 = 131_072;
/// The arguments that a replay hands to the program at most.
const MOST: u32 = 1000;

impl Weaver<'_> {
    /// Reports the number of arguments at the start of `main`, if the program names it. The model checker
    /// chooses the value, since it knows the bounds.
    pub(crate) fn plan_arguments(&mut self) {
        let Some((object, number)) = self.number_of_arguments() else {
            return;
        };
        let ty = number.spelling.clone();
        let facts = self.facts;
        let site = self.add_site(
            facts.objects[object].place,
            self.analysis.main,
            SiteEvent::Arguments,
        );
        let name = user(&facts.objects[object].name);
        let head = format!("{ty} ba_arguments(unsigned ba_site, {ty} ba_number)");
        let head = Signature::unused(head);
        let driven = self.is_proof().then(|| {
            let choice = self.add_known_choice(Choice {
                ty: number,
                values: InputValues::Any,
                within: Some((0, MOST_GIVEN)),
            });
            let chosen = format!(
                "#define ba_arguments(site, number) {}(site)",
                chooser(choice)
            );
            vec![chosen.into()]
        });
        let emission = &mut self.out.inputs;
        emission.arguments = format!("BA_INPUT({name} = ba_arguments({site}, {name}); ) ");
        let elsewhere = match driven.is_some() {
            true => UNDRIVEN,
            false => CHOOSES,
        };
        let mut declared = Conditional::when(elsewhere, vec![head.clone().into()]);
        if let Some(driven) = driven {
            declared = Conditional::when(DRIVER, driven).otherwise(vec![declared.into()]);
        }
        emission.calls.push(declared.into());
        let body = format!(
            "  BA_SHOW(ba_site);\n#if BA_MODEL\n  {ty} ba_given = ba_number;\n#else\n  (void)ba_number;\n  {ty} ba_given = ({ty})BA_CHOICE(ba_site);\n#endif\n  return ba_given;\n"
        );
        let function = Conditional::when(elsewhere, vec![Function::new(head, body).into()])
            .for_reason("How many arguments main gets.");
        emission.functions.push(function.into());
        self.plan_strings(&name, &ty);
    }

    /// Gives the arguments that the program may read their strings, at the start of `main`. Sequentialised programs and drivers
    /// have arguments of their own.
    fn plan_strings(&mut self, count: &str, ty: &str) {
        let facts = self.facts;
        let main = self.analysis.main;
        let local = |o: &&crate::facts::Object| {
            o.parameter && matches!(o.lifetime, Lifetime::Local(f) if f == main)
        };
        let Some(array) = facts.objects.iter().filter(local).nth(1) else {
            return;
        };
        let (shown, proves) = (user(&array.name), self.is_proof());
        // Strings at all places that a program may compute cost model checkers more than they have.
        let read = facts.arguments_read.iter();
        let read = read.filter_map(|(place, all)| Some((*place, *all.first()?)));
        let read: Vec<(u32, Range)> = read.filter(|(place, _)| *place < MOST).collect();
        let Some(&(last, _)) = read.last() else {
            return;
        };
        let mut calls = format!("ba_arguments_at({shown}); ");
        for (place, at) in read {
            let site = self.add_site(at, main, SiteEvent::Input);
            calls += &format!("ba_argument({site}, {shown}, {count}, {place}); ");
        }
        let choice = self.add_byte_choice();
        let head = Signature::unused(format!(
            "void ba_string(unsigned ba_given_at, void *ba_all, {ty} ba_number, {ty} ba_at)"
        ));
        let emission = &mut self.out.inputs;
        emission.arguments += &format!("BA_INPUT({calls}) ");
        let no_array = "#define ba_arguments_at(all) ((void)0)";
        let own = vec![
            no_array.into(),
            "#define ba_argument(site, all, number, at) ba_string(site, (void *)(all), number, at)"
                .into(),
            head.clone().into(),
        ];
        let none = vec![
            no_array.into(),
            "#define ba_argument(site, all, number, at) ((void)0)".into(),
        ];
        let chosen = Conditional::when(STRINGS, own).otherwise(none);
        let driven = vec![
            format!("static char *{DRIVEN}[{}];", last + 1).into(),
            format!("#define ba_arguments_at(all) ((void)((all) = (void *){DRIVEN}))").into(),
            format!(
                "#define ba_argument(site, all, number, at) ((number) > (at) ? (void)({}, (all)[at] = BA_ARGUMENT(site)) : (void)0)",
                vec![format!("{}(site)", chooser(choice)); SHOWN].join(" && ")
            )
            .into(),
        ];
        let declared = match proves {
            true => Conditional::when(DRIVER, driven).otherwise(vec![chosen.into()]),
            false => chosen,
        };
        emission.calls.push(declared.into());
        let function = Function::new(head, body(&chooser(choice)));
        let function = Conditional::when(STRINGS, vec![function.into()])
            .for_reason("An argument of main is a string, the same wherever it is read.");
        emission.functions.push(function.into());
    }

    /// The statement that forgets the arguments of a driven program, at each cut in `main`: no cycle of `main` reads any, nor does
    /// anything behind the first one.
    pub(crate) fn forgets_arguments(&self, cuts: &[Head]) -> Option<String> {
        let read = &self.facts.arguments_read;
        let last = read.values().flatten().map(|read| read.end).max()?;
        let main = &self.facts.functions[self.analysis.main].name;
        let mut cuts = cuts.iter().filter(|head| head.function == *main);
        let planned = !self.out.inputs.arguments.is_empty();
        let early = cuts.all(|head| last <= head.range.0);
        (planned && early).then(|| format!("__builtin_memset({DRIVEN}, 0, sizeof {DRIVEN});"))
    }

    /// The first parameter of `main` with its type, if it is a named, writable integer for which
    /// the specification gives no values.
    fn number_of_arguments(&self) -> Option<(ObjectIndex, Scalar)> {
        let facts = self.facts;
        let mut objects = facts.objects.iter();
        let object = objects.position(|o| {
            o.parameter && matches!(o.lifetime, Lifetime::Local(f) if f == self.analysis.main)
        })?;
        let ty = &facts.variable_types[object];
        let scalar = ty.scalar.as_ref().filter(|s| !s.pointer && !ty.constant)?;
        let given = self
            .bound
            .environment
            .inputs
            .iter()
            .any(|i| i.receiver == Receiver::Variable(object));
        let wanted = facts.objects[object].named && scalar.bounds.is_some() && !given;
        wanted.then(|| (object, scalar.clone()))
    }
}

/// The greatest number of arguments.
const MOST_GIVEN: i128 = i32::MAX as i128;
/// The array of the arguments of a driven program.
const DRIVEN: &str = "ba_strings";
/// The condition under which a program of its own makes the runs.
const DRIVER: &str = "#if BA_CHOOSES && defined BA_DRIVER";
/// The condition under which a model checker or a replay makes them.
const UNDRIVEN: &str = "#if BA_CHOOSES && !defined BA_DRIVER";

/// The condition under which arguments get strings here. A proof does without: any bytes at each read are more runs.
const STRINGS: &str =
    "#if BA_CHOOSES && !defined BA_ROUNDS && !defined BA_DRIVER && !defined BA_CONTRACTS";

/// The statements that give an argument its string.
fn body(chooser: &str) -> String {
    let each = |text: &dyn Fn(usize) -> String| (0..SHOWN).map(text).collect::<Vec<_>>();
    let chosen = each(&|i| format!("(ba_given[{i}] = {chooser}(ba_given_at)) && ++ba_length"));
    // Each write would make another array, and an array without a known length costs a model checker something for each two
    // places that are read.
    let assumed = each(&|i| {
        format!("  BA_ASSUME({i} >= ba_length || ba_text[{i}] == (char)ba_given[{i}]);\n")
    });
    let copied = each(&|i| format!("  if ({i} < ba_length) ba_text[{i}] = (char)ba_given[{i}];\n"));
    format!(
        "  unsigned char ba_given[{SHOWN}];
  unsigned long ba_length = 0;
  if (ba_at < 0 || ba_at >= ba_number || ba_at >= {MOST}) return;
  (void)({});
#if BA_MODEL
  unsigned long nondet_ba_unsigned_long(void);
  unsigned long ba_size = nondet_ba_unsigned_long();
  BA_ASSUME(ba_length < {SHOWN} ? ba_size == ba_length + 1 : ba_size > {SHOWN} && ba_size <= {MOST_BYTES});
#ifdef __CPROVER__
  char *ba_text = __CPROVER_allocate(ba_size, 0);
#else
  void *malloc(__SIZE_TYPE__);
  char *ba_text = malloc(ba_size);
  BA_ASSUME(ba_text != 0);
#endif
  BA_ASSUME(ba_text[ba_size - 1] == 0);
{}#else
  char *ba_text = __builtin_calloc(1, {SHOWN} + 1);
{}#endif
  ((char **)ba_all)[ba_at] = ba_text;
",
        chosen.join(" && "),
        assumed.concat(),
        copied.concat()
    )
}
