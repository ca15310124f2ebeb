//! Variables that are inputs: globals get their values at the start of `main`, parameters at the entry of their
//! function, other locals after their declarations.

use spec::InputValues;

use super::stored::MOST_ELEMENTS;
use super::values::{chooser, words};
use crate::facts::names::user;
use crate::facts::record::SiteEvent;
use crate::facts::{FunctionIndex, Lifetime, ObjectIndex};
use crate::layout::weaver::Weaver;

impl Weaver<'_> {
    /// Gives a variable, or every element of an array, a chosen value where it begins.
    pub(crate) fn variable_input(&mut self, object: ObjectIndex, values: &InputValues) {
        let facts = self.facts;
        let (name, place) = (&facts.objects[object].name, facts.objects[object].place);
        let sentence = format!("the variable `{name}` begins with {}", words(values));
        self.out.inputs.assumptions.push(sentence);
        let ty = facts.variable_types[object].clone();
        let scalar = ty.scalar.clone().filter(|s| !s.pointer);
        let (Some(scalar), false) = (scalar, ty.constant) else {
            return self.refuse(
                place,
                format!("`{name}` cannot be an input"),
                if ty.constant {
                    "it is constant"
                } else {
                    "no arithmetic type"
                },
                Some("name a variable, or an array of numbers, that can be written"),
            );
        };
        let Some(choice) = self.add_choice(place, &scalar, values) else {
            return;
        };
        if ty.elements.is_some_and(|n| n > MOST_ELEMENTS) {
            return self.too_many(place, ty.elements.unwrap_or(0));
        }
        let function = match facts.objects[object].lifetime {
            Lifetime::Local(f) | Lifetime::StaticLocal(f) => f,
            Lifetime::Static | Lifetime::ThreadLocal | Lifetime::Prototype => self.analysis.main,
        };
        let site = self.add_site(place, function, SiteEvent::Input);
        let assign = |target: String| format!("{target} = {}({site}); ", chooser(choice));
        let text = match ty.elements {
            None => assign(user(name)),
            Some(n) => (0..n)
                .map(|i| assign(format!("{}[{i}]", user(name))))
                .collect(),
        };
        match facts.objects[object].lifetime {
            Lifetime::Static => self
                .out
                .inputs
                .start
                .push_str(&format!("BA_INPUT({text}) ")),
            Lifetime::Prototype => {}
            Lifetime::ThreadLocal => self.refuse(
                place,
                format!("`{name}` is one variable for each thread"),
                "cannot be an input",
                Some("make what it is assigned an input"),
            ),
            _ => self.local_input(object, function, &text),
        }
    }

    fn local_input(&mut self, object: ObjectIndex, function: FunctionIndex, text: &str) {
        let facts = self.facts;
        let place = facts.objects[object].place;
        let name = facts.objects[object].name.clone();
        if facts.objects[object].parameter {
            self.out.declare(function, &format!("BA_INPUT({text}) "));
            return;
        }
        let declaration = facts.declarations.iter().find(|d| d.object == object);
        let Some(declaration) = declaration.filter(|d| d.in_block) else {
            return self.refuse(
                place,
                format!("`{name}` is declared where no statement can follow"),
                "cannot be an input here",
                Some("declare it in front of the statement"),
            );
        };
        let once = matches!(facts.objects[object].lifetime, Lifetime::StaticLocal(_));
        let site = self.add_site(place, function, SiteEvent::Write);
        let (refresh, updates) = self.plan_written_by_input(object, function, declaration.range);
        let text = format!("BA_INPUT({text}) ");
        let text = match updates.is_empty() && refresh.is_empty() {
            true => text,
            false => text + &self.event(site, &refresh, updates, "").to_string(),
        };
        let text = match once {
            true => {
                format!("{{ static _Bool ba_given; if (!ba_given) {{ ba_given = 1; {text}}} }} ")
            }
            false => text,
        };
        self.out.insertions.close(
            declaration.range.end,
            declaration.depth,
            0,
            format!(" {text}"),
        );
    }
}
