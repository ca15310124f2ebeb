//! Writes through pointers, as emitted programs make them: `ba_at = &object; ba_value = …; *ba_at = ba_value`.
//!
//! The last step stands in a trace as `*ba_at`, with a value that need not be the written one. So the object
//! and its value are taken from the steps before. A write may stand within the right-hand side of another.

use crate::answer::Location;
use std::borrow::Cow;

/// More writes are never within each other.
const MOST: usize = 64;

/// The writes that have begun, the inner ones last.
#[derive(Debug, Default)]
pub(super) struct Writes {
    begun: Vec<Begun>,
}

#[derive(Debug)]
struct Begun {
    thread: Option<u32>,
    function: Option<String>,
    object: Option<String>,
    value: Option<String>,
}

impl Writes {
    /// What a step assigns, to which object: for a step through a pointer what it stands for, and nothing
    /// where that is not known.
    pub(super) fn step<'a>(
        &mut self,
        lhs: &'a str,
        value: &'a str,
        thread: Option<u32>,
        location: &Location,
    ) -> Option<(Cow<'a, str>, Cow<'a, str>)> {
        let mut begun = self.begun.iter();
        let last = begun.rposition(|b| b.thread == thread && b.function == location.function);
        match (lhs, last) {
            ("ba_at", _) => {
                if self.begun.len() == MOST {
                    self.begun.remove(0);
                }
                self.begun.push(Begun {
                    thread,
                    function: location.function.clone(),
                    object: object(value).map(str::to_owned),
                    value: None,
                });
            }
            ("ba_value", Some(last)) => self.begun[last].value = Some(value.to_owned()),
            ("*ba_at", last) => {
                let write = self.begun.remove(last?);
                // Of a structure not all parts are shown.
                let value = write.value.filter(|value| !value.starts_with('{'))?;
                return Some((write.object?.into(), value.into()));
            }
            _ => {}
        }
        Some((lhs.into(), value.into()))
    }
}

/// The object or part of one that an address is of, if that is told by name.
fn object(address: &str) -> Option<&str> {
    let path = address.strip_prefix('&')?;
    let named = |c: char| c.is_ascii_alphanumeric() || "_.[]".contains(c);
    path.chars().all(named).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the steps assign.
    fn assigned(steps: &[(&str, &str)]) -> Vec<String> {
        let mut writes = Writes::default();
        let told = |(lhs, value): &(&str, &str)| {
            let (lhs, value) = writes.step(lhs, value, Some(0), &Location::default())?;
            (!lhs.starts_with("ba_")).then(|| format!("{lhs} = {value}"))
        };
        steps.iter().filter_map(told).collect()
    }

    #[test]
    fn a_write_through_a_pointer_is_one_to_its_object() {
        let steps = [("ba_at", "&b"), ("ba_value", "1"), ("*ba_at", "0")];
        assert_eq!(assigned(&steps), ["b = 1"]);
        let steps = [
            ("ba_at", "&s.n"),
            ("ba_value", "4"),
            ("*ba_at", "{ .m = 0 }"),
        ];
        assert_eq!(assigned(&steps), ["s.n = 4"]);
    }

    #[test]
    fn a_write_within_another_is_told_apart() {
        let steps = [
            ("ba_at", "&a"),
            ("ba_at", "&b"),
            ("ba_value", "1"),
            ("*ba_at", "0"),
            ("ba_value", "2"),
            ("*ba_at", "0"),
            ("c", "3"),
        ];
        assert_eq!(assigned(&steps), ["b = 1", "a = 2", "c = 3"]);
    }

    #[test]
    fn what_is_not_known_by_name_is_not_told() {
        let steps = [
            ("ba_at", "(unsigned char *)(&s) + 8"),
            ("ba_value", "1"),
            ("*ba_at", "{ .m = 1 }"),
            ("*ba_at", "1"),
        ];
        assert!(assigned(&steps).is_empty());
    }
}
