//! The arguments of the command line: values from outside that traces show and replays repeat.
//!
//! Model checkers choose the number of `main`'s arguments, but have no memory for their characters: what a program reads there
//! is another value each time. So `main` begins by giving the arguments that it may read their strings, of any length, if it
//! reads them at constant places only.

use super::values::{chooser, CHOOSES};
use crate::bind::environment::Receiver;
use crate::facts::names::user;
use crate::facts::record::SiteEvent;
use crate::facts::{Lifetime, ObjectIndex};
use crate::items::{Conditional, Function, Signature};
use crate::layout::weaver::Weaver;

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
        let Some((object, ty)) = self.number_of_arguments() else {
            return;
        };
        let facts = self.facts;
        let site = self.add_site(
            facts.objects[object].place,
            self.analysis.main,
            SiteEvent::Arguments,
        );
        let name = user(&facts.objects[object].name);
        let head = format!("{ty} ba_arguments(unsigned ba_site, {ty} ba_number)");
        let head = Signature::unused(head);
        let emission = &mut self.out.inputs;
        emission.arguments = format!("BA_INPUT({name} = ba_arguments({site}, {name}); ) ");
        let declared = Conditional::when(CHOOSES, vec![head.clone().into()]);
        emission.calls.push(declared.into());
        let body = format!(
            "  BA_SHOW(ba_site);\n#if BA_MODEL\n  {ty} ba_given = ba_number;\n#else\n  (void)ba_number;\n  {ty} ba_given = ({ty})BA_CHOICE(ba_site);\n#endif\n  return ba_given;\n"
        );
        let function = Conditional::when(CHOOSES, vec![Function::new(head, body).into()])
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
        let (shown, mut calls) = (user(&array.name), String::new());
        // Strings at all places that a program may compute cost model checkers more than they have.
        for (place, &read) in &facts.arguments_read {
            let site = self.add_site(read, main, SiteEvent::Input);
            calls += &format!("ba_argument({site}, (void *){shown}, {count}, {place}); ");
        }
        if calls.is_empty() {
            return;
        }
        let choice = self.add_byte_choice();
        let head = Signature::unused(format!(
            "void ba_argument(unsigned ba_given_at, void *ba_all, {ty} ba_number, {ty} ba_at)"
        ));
        let none = "#define ba_argument(site, all, number, at) ((void)0)";
        let emission = &mut self.out.inputs;
        emission.arguments += &format!("BA_INPUT({calls}) ");
        let declared = Conditional::when(STRINGS, vec![head.clone().into()]);
        emission
            .calls
            .push(declared.otherwise(vec![none.into()]).into());
        let function = Function::new(head, body(&chooser(choice)));
        let function = Conditional::when(STRINGS, vec![function.into()])
            .for_reason("An argument of main is a string, the same wherever it is read.");
        emission.functions.push(function.into());
    }

    /// The first parameter of `main` with the C text of its type, if it is a named, writable integer for which
    /// the specification gives no values.
    fn number_of_arguments(&self) -> Option<(ObjectIndex, String)> {
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
        wanted.then(|| (object, scalar.spelling.clone()))
    }
}

/// The condition under which arguments get strings here. A proof does without: any bytes at each read are more runs.
const STRINGS: &str =
    "#if BA_CHOOSES && !defined BA_ROUNDS && !defined BA_DRIVER && !defined BA_CONTRACTS";

/// The statements that give an argument its string.
fn body(chooser: &str) -> String {
    let each = |text: &dyn Fn(usize) -> String| (0..SHOWN).map(text).collect::<Vec<_>>();
    let chosen = each(&|i| format!("(ba_given[{i}] = {chooser}(ba_given_at)) && ++ba_length"));
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
#else
  char *ba_text = __builtin_calloc(1, {SHOWN} + 1);
#endif
{}  ((char **)ba_all)[ba_at] = ba_text;
",
        chosen.join(" && "),
        copied.concat()
    )
}
