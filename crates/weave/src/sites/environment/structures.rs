//! Stores by functions without a body in structures and arrays that they get pointers to.
//!
//! Numbers may get any value. Pointers keep their values: the tool cannot choose which objects of the program
//! such a function would make them point to, and with a pointer to nowhere later writes of the program would be
//! lost. Stores through these pointers are not modelled, so a run is cut if one might change something that a
//! proposition reads.

use crate::facts::types::{Argument, MOST_POINTERS};
use crate::facts::Call;
use crate::items::Variable;
use crate::layout::weaver::Weaver;

/// The most elements of an array of structures with pointers that are modelled.
const MOST_STRUCTURES: usize = 16;

impl Weaver<'_> {
    /// The statements that store any bytes in the structure that an argument points to; `None` if its type is
    /// unknown.
    pub(crate) fn store_structure(
        &mut self,
        call: &Call,
        number: usize,
        argument: &Argument,
        site: usize,
    ) -> Option<String> {
        if argument.pointers.len() > MOST_POINTERS {
            return Some(format!("  {}\n", self.note_not_stored(call)));
        }
        let (size, offsets) = self.store_layout(call, number, argument);
        let size = size?;
        let text = self.store_rest(call, true, number, &size, site);
        let kept = Kept::new(number, &size, &offsets, 1);
        Some(format!("  {}{text}{}\n", kept.before, kept.after))
    }

    /// The statements that store any bytes from where an argument points to the end of the object, all of which
    /// a function without a body may write.
    pub(crate) fn store_rest_of_object(
        &mut self,
        call: &Call,
        number: usize,
        argument: &Argument,
        site: usize,
    ) -> String {
        if argument.pointers.len() > MOST_POINTERS {
            return format!("  {}\n", self.note_not_stored(call));
        }
        let (size, offsets) = self.store_layout(call, number, argument);
        let one = argument.target.as_ref();
        let one = one.map(|ty| format!("sizeof({})", ty.spelling));
        let one = one.or(size).unwrap_or("0".into());
        let bytes = format!("BA_REST(ba_a{number}, {one})");
        let text = self.store_rest(call, true, number, "ba_bytes", site);
        let elements = (MOST_POINTERS / offsets.len().max(1)).clamp(1, MOST_STRUCTURES);
        let kept = Kept::new(number, &one, &offsets, elements);
        let more = match offsets.is_empty() {
            true => String::new(),
            false => format!(
                "if (ba_bytes > {elements} * {one}) {} ",
                self.note_not_stored(call)
            ),
        };
        format!(
            "  if (ba_a{number}) {{ unsigned long ba_bytes = {bytes}; {more}{}{text}{} }}\n",
            kept.before, kept.after
        )
    }

    /// The size of the structure that an argument points to and the offsets of the pointers in it, as text in
    /// the replacing function. In a program of several files the type may be unknown there, so the call stores
    /// both in variables.
    fn store_layout(
        &mut self,
        call: &Call,
        number: usize,
        argument: &Argument,
    ) -> (Option<String>, Vec<String>) {
        let Some(size) = &argument.bytes else {
            return (None, Vec::new());
        };
        if !self.program.several_files() {
            return (Some(size.clone()), argument.pointers.clone());
        }
        let (mut names, mut text) = (Vec::new(), String::new());
        for (i, value) in [size].into_iter().chain(&argument.pointers).enumerate() {
            let name = format!("ba_bytes_{}_{number}_{i}", call.expr);
            self.out
                .global(Variable::unused(format!("unsigned long {name}")));
            text.push_str(&format!("{name} = {value}, "));
            names.push(name);
        }
        let open = format!("({text}");
        self.out
            .insertions
            .around(call.arguments[number], call.depth, 2, open, ")");
        let offsets = names.split_off(1);
        (names.pop(), offsets)
    }

    /// Whether a call of a function without a body may store something that a proposition reads, through a
    /// pointer found in the memory that an argument points to.
    pub(crate) fn stores_further(&self, call: &Call) -> bool {
        if call.target.is_some() {
            return false;
        }
        // Most propositions read no memory that pointers lead to: then the points-to analysis is not needed.
        let regions = self.bound.propositions.iter().flat_map(|p| &p.regions);
        let places = regions.map(|region| &region.place).filter(|place| {
            let taken = |o: usize| self.facts.objects[o].address_taken;
            place.root.is_none_or(taken)
        });
        let mut places = places.peekable();
        if places.peek().is_none() {
            return false;
        }
        let further = self.program.code.written_further(call.expr);
        places.any(|place| match place.root {
            Some(o) => self.program.code.location_of(o).meet(&further),
            None => self.program.code.designated(place.lvalue).meet(&further),
        })
    }
}

/// Whether the memory that an argument points to contains pointers.
pub(crate) fn finds_pointers(argument: &Argument) -> bool {
    let one = argument.target.is_none() && argument.bytes.is_none() && !argument.rest;
    !argument.pointers.is_empty() || (argument.writable && one)
}

/// The text that keeps the pointers in the elements of an array of structures.
struct Kept {
    before: String,
    after: String,
}

impl Kept {
    fn new(number: usize, size: &str, offsets: &[String], elements: usize) -> Kept {
        let (mut before, mut after) = (String::new(), String::new());
        for element in 0..elements {
            for (i, offset) in offsets.iter().enumerate() {
                let name = format!("ba_kept_{number}_{element}_{i}");
                let place = format!(
                    "*(ba_pointer *)((unsigned char *)ba_a{number} + {element} * {size} + {offset})"
                );
                let (first, last) = match elements {
                    1 => (place.clone(), format!("{place} = {name};")),
                    _ => {
                        let there = format!("ba_bytes >= {} * {size}", element + 1);
                        let last = format!("if ({there}) {place} = {name};");
                        (format!("{there} ? {place} : 0"), last)
                    }
                };
                before.push_str(&format!("void *{name} = {first}; "));
                after.push_str(&format!(" {last}"));
            }
        }
        Kept { before, after }
    }
}
