//! Writes through pointers in emitted programs: `ba_at = &object; ba_value = …; *ba_at = ba_value`.
//!
//! A trace shows the last step as `*ba_at`, with a value that may differ from the written one. The
//! object and its value are therefore taken from the steps before. A write may occur in the
//! right-hand side of another one.

use crate::answer::Location;
use std::borrow::Cow;

/// The greatest nesting of writes.
const MOST: usize = 64;

/// The unfinished writes, inner ones last.
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
    /// The object and value that a step assigns. For a step through a pointer, the object behind
    /// the pointer; `None` if it is unknown.
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
                // The value of a structure lacks some of its parts.
                let value = write.value.filter(|value| !value.starts_with('{'))?;
                return Some((write.object?.into(), value.into()));
            }
            _ => {}
        }
        Some((lhs.into(), value.into()))
    }
}

/// The object or part whose address this is, if the address names it.
fn object(address: &str) -> Option<&str> {
    let path = address.strip_prefix('&')?;
    let named = |c: char| c.is_ascii_alphanumeric() || "_.[]".contains(c);
    path.chars().all(named).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The assignments that the steps yield.
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
