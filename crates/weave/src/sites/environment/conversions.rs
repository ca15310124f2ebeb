//! What `scanf` and relatives store from input: each conversion of their format says how much, and which values.

use std::fmt::Write;

use spec::InputValues;

use super::definitions::formats::taken;
use super::stored::element;
use super::values::chooser;
use crate::facts::heads::{CONTRACTS, DRIVER};
use crate::facts::record::SiteEvent;
use crate::facts::types::{Argument, Scalar};
use crate::facts::Call;
use crate::layout::weaver::Weaver;
use cfront::library::{self, Input, Writes};

/// The assumption about words that are read without a width.
const FITS: &str = "a word that is read without a width fits into its array";

/// The most characters of a word that are chosen one by one.
const MOST: u64 = 255;

/// What a conversion stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Conversion {
    /// At least one character of a set, at most as many as the width, and a null character behind them.
    Word(Set, Option<u64>),
    /// As many characters, of any value.
    Characters(u64),
    /// A decimal number with a sign, of at most as many characters.
    Decimal(u32),
    /// A value of the target's type.
    Any,
    /// How many characters the call has read: that is no value of the input. Whether it is stored as soon as the values before
    /// it are, since no text stands between.
    Read(bool),
}

/// The conversions of a call whose format is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Conversions {
    /// The first argument that something is stored through.
    first: usize,
    each: Vec<Conversion>,
    /// Whether the input has the form of the first conversion unless it ends.
    begins: bool,
}

/// The characters that a word has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Set {
    members: Box<[bool; 256]>,
}

impl Set {
    /// What `%s` reads: all but white space.
    fn word() -> Set {
        let white = |c: u8| c == b' ' || (9..=13).contains(&c);
        Set {
            members: Box::new(std::array::from_fn(|c| !white(c as u8))),
        }
    }

    /// The set of `%[…]`, whose opening bracket is taken from the format already.
    fn taken(rest: &mut impl Iterator<Item = u8>) -> Option<Set> {
        let mut listed: Vec<u8> = Vec::new();
        let mut next = rest.next()?;
        let others = next == b'^';
        if others {
            next = rest.next()?;
        }
        // A bracket that stands first is a member.
        loop {
            listed.push(next);
            next = rest.next()?;
            if next == b']' {
                break;
            }
        }
        let mut members = Box::new([false; 256]);
        let mut at = 0;
        while at < listed.len() {
            let (low, high, many) = match listed.get(at..at + 3) {
                Some(&[low, b'-', high]) => (low, high, 3),
                _ => (listed[at], listed[at], 1),
            };
            at += many;
            (low..=high).for_each(|c| members[usize::from(c)] = true);
        }
        if others {
            members.iter_mut().for_each(|m| *m = !*m);
        }
        Some(Set { members })
    }

    /// One of its characters that can be seen, else any.
    fn one(&self) -> Option<u8> {
        let mut all = (0..=255u8).filter(|c| self.members[usize::from(*c)]);
        let seen = all.clone().find(u8::is_ascii_alphanumeric);
        seen.or_else(|| all.next())
    }

    /// The condition in C that a character is a member.
    fn condition(&self, place: &str) -> String {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        // A set with the null character is written by what it leaves out.
        let inside = self.members[0];
        for c in (0..256).filter(|c| self.members[*c] != inside) {
            match ranges.last_mut() {
                Some((_, high)) if *high + 1 == c => *high = c,
                _ => ranges.push((c, c)),
            }
        }
        let place = format!("(unsigned char){place}");
        let each = ranges.iter().map(|(low, high)| match low == high {
            true => format!("{place} == {low}"),
            false => format!("({place} >= {low} && {place} <= {high})"),
        });
        let any = each.collect::<Vec<_>>().join(" || ");
        match (inside, any.is_empty()) {
            (_, true) => u8::from(inside).to_string(),
            (true, false) => format!("!({any})"),
            (false, false) => format!("({any})"),
        }
    }
}

impl Conversions {
    /// The conversions of a format that store something; `None` if it has others than the standard's.
    fn of(format: &[u8], first: usize) -> Option<Conversions> {
        let mut out = Conversions {
            first,
            ..Conversions::default()
        };
        let mut rest = format.iter().copied().peekable();
        // Whether nothing but white space stands since the last conversion, or the beginning.
        let mut bare = true;
        let mut none_before = true;
        while let Some(byte) = rest.next() {
            match byte {
                0 => break,
                b' ' | 9..=13 => continue,
                b'%' => {}
                _ => {
                    bare = false;
                    continue;
                }
            }
            let ignored = rest.next_if_eq(&b'*').is_some();
            let digits = taken(&mut rest, b"0123456789");
            let width: Option<u64> = match digits.is_empty() {
                true => None,
                false => Some(digits.parse().ok().filter(|w| *w > 0)?),
            };
            let length = taken(&mut rest, b"hlqjztL");
            let plain = length.is_empty();
            let conversion = match rest.next()? {
                b'%' => {
                    bare = false;
                    continue;
                }
                b's' if plain => Conversion::Word(Set::word(), width),
                b'[' if plain => {
                    let set = Set::taken(&mut rest)?;
                    set.one()?;
                    Conversion::Word(set, width)
                }
                b'c' if plain => Conversion::Characters(width.unwrap_or(1)),
                b'n' => Conversion::Read(bare),
                b'd' => match width.and_then(|w| u32::try_from(w).ok()) {
                    Some(width) if width <= 18 => Conversion::Decimal(width),
                    _ => Conversion::Any,
                },
                b'i' | b'u' | b'o' | b'x' | b'X' | b'p' => Conversion::Any,
                b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => Conversion::Any,
                _ => return None,
            };
            let surely = conversion == Conversion::Word(Set::word(), width)
                || matches!(conversion, Conversion::Characters(1));
            out.begins |= none_before && bare && surely;
            none_before = false;
            // What is skipped may be missing, too.
            bare = !ignored;
            if !ignored {
                out.each.push(conversion);
            }
        }
        Some(out)
    }

    /// How many values of the input are stored.
    pub(super) fn values(&self) -> usize {
        let values = self.each.iter();
        values.filter(|c| !matches!(c, Conversion::Read(_))).count()
    }

    /// Whether the call reads its first value unless the input ends.
    pub(super) fn begins(&self) -> bool {
        self.begins
    }

    /// What is stored through an argument.
    pub(super) fn of_argument(&self, argument: usize) -> Option<&Conversion> {
        self.each.get(argument.checked_sub(self.first)?)
    }
}

impl Weaver<'_> {
    /// The conversions of a call of `scanf` or a relative; `None` if its format is not known, or is not that of the arguments.
    pub(super) fn conversions(&self, call: &Call, given: usize) -> Option<Conversions> {
        let row = library::with_arguments(call.callee.as_deref()?)?;
        let (Some(Input::Values), Some(Writes::From(first))) = (row.input, row.writes) else {
            return None;
        };
        let format = self.literal(call, first.checked_sub(1)?)?;
        let out = Conversions::of(&format, first)?;
        (first + out.each.len() == given).then_some(out)
    }

    /// The statements that store what a conversion reads; `None` if it stores as if its format were unknown.
    pub(super) fn store_conversion(
        &mut self,
        call: &Call,
        conversion: &Conversion,
        (number, argument): (usize, &Argument),
        site: usize,
    ) -> Option<String> {
        let ty = argument.target.as_ref()?;
        let characters = ty.spelling.ends_with("char");
        let place = |e: u64| element(number, e, argument.elements.unwrap_or(2));
        let single = element(number, 0, argument.elements.unwrap_or(1));
        match conversion {
            Conversion::Word(set, width) if characters => {
                let room = argument.elements.map(|n| n.saturating_sub(1));
                let most = width.unwrap_or(MOST + 1).min(room.unwrap_or(MOST + 1));
                if most > MOST {
                    return None;
                }
                let choice = self.add_choice(call.range, ty, &InputValues::Any)?;
                if *width != Some(most) {
                    self.assume_of(call, FITS);
                }
                let value = |site: usize| format!("{}({site})", chooser(choice));
                let exact = word(set, most, number, &value(site), ty, place)?;
                if !self.options.proves {
                    return Some(exact);
                }
                // The bytes of a proof have values where the program reads them. Runs that take them count as those that take what
                // a contract gives: they may be none of the program's.
                let by_contract = self.out.inputs.by_contract;
                // Only a site that gives nothing else may leave bytes without values.
                let own = self.add_site(call.range, call.function, SiteEvent::Contract);
                let any = (0..most).map(|e| format!("  {} = {};\n", place(e), value(own)));
                let any = any.collect::<String>() + &format!("  {} = 0;\n", place(most));
                Some(match by_contract {
                    true => any,
                    false => format!(
                        "#if defined {CONTRACTS} || defined {DRIVER}\n{any}#else\n{exact}#endif\n"
                    ),
                })
            }
            Conversion::Characters(many) if characters && *many <= MOST => {
                let value = self.any_of(call, ty, &InputValues::Any, site)?;
                let each = (0..*many).map(|e| format!("  {} = {value};\n", place(e)));
                Some(each.collect())
            }
            Conversion::Decimal(width) => {
                let values = decimal(*width, ty).unwrap_or(InputValues::Any);
                Some(format!(
                    "  {single} = {};\n",
                    self.any_of(call, ty, &values, site)?
                ))
            }
            Conversion::Any => Some(format!(
                "  {single} = {};\n",
                self.any_of(call, ty, &InputValues::Any, site)?
            )),
            Conversion::Read(surely) => {
                let most = ty.bounds.map_or(0, |(_, high)| high.min(i32::MAX.into()));
                let value = self.any_of(call, ty, &InputValues::Range(0, most), site)?;
                let when = match surely {
                    true => String::new(),
                    false => format!("if ({}) ", self.result_within(call, 0, 1)),
                };
                Some(format!("  {when}{single} = {value};\n"))
            }
            Conversion::Word(..) | Conversion::Characters(_) => None,
        }
    }

    /// A value that is chosen at a site.
    fn any_of(
        &mut self,
        call: &Call,
        ty: &Scalar,
        values: &InputValues,
        site: usize,
    ) -> Option<String> {
        let choice = self.add_choice(call.range, ty, values)?;
        Some(format!("{}({site})", chooser(choice)))
    }
}

/// The statements that store a word: any character that is not in the set ends it.
fn word(
    set: &Set,
    most: u64,
    number: usize,
    value: &str,
    ty: &Scalar,
    place: impl Fn(u64) -> String,
) -> Option<String> {
    let (c, more) = (format!("ba_c{number}"), format!("ba_more{number}"));
    let member = set.condition(&c);
    if most == 0 {
        return Some(format!("  {} = 0;\n", place(0)));
    }
    let mut text = format!(
        "  {} {c} = {value};\n  _Bool {more} = 1;\n  {} = {c} = {member} ? {c} : {};\n",
        ty.spelling,
        place(0),
        set.one()?
    );
    for e in 1..most {
        let _ = writeln!(
            text,
            "  if ({more}) {{ {c} = {value}; {more} = {member}; {} = {more} ? {c} : 0; }}",
            place(e)
        );
    }
    let _ = writeln!(text, "  if ({more}) {} = 0;", place(most));
    Some(text)
}

/// The values of a decimal number of at most so many characters, if the type has all of them.
fn decimal(width: u32, ty: &Scalar) -> Option<InputValues> {
    let high = 10i128.checked_pow(width)? - 1;
    let low = -(10i128.checked_pow(width - 1)? - 1);
    let fits = |(least, most): (i128, i128)| least <= low && high <= most;
    ty.bounds
        .is_some_and(fits)
        .then_some(InputValues::Range(low, high))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{Conversion, Conversions, Set};

    fn each(format: &str) -> Vec<Conversion> {
        Conversions::of(format.as_bytes(), 1).unwrap().each
    }

    #[test]
    fn conversions_are_those_that_store() {
        let word = |width| Conversion::Word(Set::word(), width);
        assert_eq!(
            each("%9s %*d%3d %c%4c"),
            [
                word(Some(9)),
                Conversion::Decimal(3),
                Conversion::Characters(1),
                Conversion::Characters(4),
            ]
        );
        assert_eq!(each("%lf%%%n"), [Conversion::Any, Conversion::Read(false)]);
        assert_eq!(each("%d %n"), [Conversion::Any, Conversion::Read(true)]);
        assert!(Conversions::of(b"%ms", 1).is_none());
        assert!(Conversions::of(b"%1$d", 1).is_none());
        assert!(Conversions::of(b"%[a-", 1).is_none());
    }

    #[test]
    fn what_can_only_end_is_known() {
        let begins = |format: &str| Conversions::of(format.as_bytes(), 1).unwrap().begins;
        assert!(begins("%c") && begins(" %c%d") && begins("%9s"));
        assert!(!begins("%d%c") && !begins("x%c") && !begins("%*d%s") && !begins("%[a-z]"));
    }

    #[test]
    fn sets_have_their_members() {
        let set = |format: &str| match &each(format)[0] {
            Conversion::Word(set, _) => set.condition("c"),
            other => panic!("{other:?}"),
        };
        assert_eq!(set("%[^\n]"), "!((unsigned char)c == 10)");
        assert_eq!(
            set("%[]a-c-]"),
            "((unsigned char)c == 45 || (unsigned char)c == 93 || ((unsigned char)c >= 97 && (unsigned char)c <= 99))"
        );
        assert_eq!(
            set("%[-x]"),
            "((unsigned char)c == 45 || (unsigned char)c == 120)"
        );
        assert_eq!(
            set("%s"),
            "!(((unsigned char)c >= 9 && (unsigned char)c <= 13) || (unsigned char)c == 32)"
        );
    }
}
