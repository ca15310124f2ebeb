//! The number of `main`'s arguments: a value from outside that traces show and replays repeat.

use super::values::CHOOSES;
use crate::bind::environment::Receiver;
use crate::facts::names::user;
use crate::facts::record::SiteEvent;
use crate::facts::{Lifetime, ObjectIndex};
use crate::items::{Conditional, Function, Signature};
use crate::layout::weaver::Weaver;

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
