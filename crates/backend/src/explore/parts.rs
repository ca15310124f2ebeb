//! The parts of a search, which are the same for every program: their texts, and their objects as `build.rs` has compiled them.

/// A source of `templates/explicit`.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its name without an ending.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// Its object; empty if there was no compiler when this crate was built.
    pub object: &'static [u8],
}

macro_rules! part {
    ($name:literal) => {
        Part {
            name: $name,
            text: include_str!(concat!("../../../../templates/explicit/", $name, ".c")),
            object: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".o")),
        }
    };
}

const STEPPER: Part = part!("stepper");
const MARKS: Part = part!("marks");
const AGES: Part = part!("ages");
const ORDERS: Part = part!("orders");
const WRITTEN: Part = part!("written");
const RANGES: Part = part!("ranges");
const TERMS: Part = part!("terms");

/// The parts of every search.
pub const COMMON: [Part; 7] = [STEPPER, MARKS, AGES, ORDERS, WRITTEN, RANGES, TERMS];

/// The parts that follow the program where SPIN searches.
pub const FOLLOW: [Part; 6] = [STEPPER, MARKS, AGES, ORDERS, RANGES, TERMS];

/// The parts with a `main`: what visits states.
pub const EXPLORE: Part = part!("explore");
pub const REFINE: Part = part!("refine");
pub const WALK: Part = part!("walk");
pub const SAMPLE: Part = part!("sample");

macro_rules! header {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../../../../templates/explicit/", $name)),
        )
    };
}

/// The headers of the parts, by name.
pub const HEADERS: [(&str, &str); 5] = [
    header!("stepper.h"),
    header!("orders.h"),
    header!("written.h"),
    header!("ranges.h"),
    header!("terms.h"),
];
