//! Marks around items in the text of a template.
//!
//! A template is readable C, with marks in place of `static`, braces and semicolons around its declarations at
//! file scope:
//!
//! ```text
//! {{ VARIABLE }}_Bool ba_over{{ END }}
//! {{ UNUSED_FUNCTION }}void ba_cut(unsigned ba_site) {{ BODY }}
//!   …
//! {{ END }}
//! ```
//!
//! The marks are characters that no other text contains. [`alone`] and [`items`] look only at the marks, not at
//! the C between them. `static`, braces and semicolons depend on the number of files, so they are written when
//! the marks are replaced. A test fails on a template that says `static` at file scope by itself.

use std::fmt::{self, Display, Formatter};

use super::{Attribute, Conditional, Function, Item, Linkage, OfThread, Signature, Variable};

const START: char = '\u{3}';
const HAS_BODY: char = '\u{4}';
const STOP: char = '\u{5}';
/// Around an initial value.
const VALUE: char = '\u{6}';

impl Attribute {
    fn mark(self) -> char {
        match self {
            Attribute::None => '-',
            Attribute::Unused => 'u',
            Attribute::UnusedEarly => 'e',
            Attribute::Constructor => 'c',
        }
    }

    fn of_mark(mark: Option<char>) -> Attribute {
        match mark {
            Some('u') => Attribute::Unused,
            Some('e') => Attribute::UnusedEarly,
            Some('c') => Attribute::Constructor,
            _ => Attribute::None,
        }
    }
}

impl Display for Item {
    /// Writes the item with its marks, for a template.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Item::Text(text) => f.write_str(text),
            Item::Prototype(Signature { attribute, text }) => {
                write!(f, "{START}p{}{text}{STOP}", attribute.mark())
            }
            Item::Variable(variable) => variable.fmt(f),
            Item::Function(function) => function.fmt(f),
            Item::Conditional(conditional) => conditional.fmt(f),
        }
    }
}

impl Display for Variable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{START}v{}", self.attribute.mark())?;
        for (text, value) in &self.declared {
            f.write_str(text)?;
            if let Some(value) = value {
                write!(f, "{VALUE}{value}{VALUE}")?;
            }
        }
        write!(f, "{STOP}")?;
        match &self.remark {
            Some(remark) => write!(f, " /* {remark} */"),
            None => Ok(()),
        }
    }
}

impl Display for OfThread {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Conditional::from(self.clone()).fmt(f)
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(comment) = &self.comment {
            writeln!(f, "/* {comment} */")?;
        }
        let Signature { attribute, text } = &self.signature;
        let (mark, body) = (attribute.mark(), &self.body);
        write!(f, "{START}f{mark}{text}{HAS_BODY}{body}{STOP}")
    }
}

impl Display for Conditional {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(comment) = &self.comment {
            writeln!(f, "/* {comment} */")?;
        }
        writeln!(f, "{}", self.condition)?;
        for item in &self.items {
            writeln!(f, "{item}")?;
        }
        if !self.otherwise.is_empty() {
            writeln!(f, "#else")?;
        }
        for item in &self.otherwise {
            writeln!(f, "{item}")?;
        }
        f.write_str("#endif")
    }
}

/// The items of a rendered template. Linear in its length.
pub fn items(rendered: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut pieces = rendered.split(START);
    let text = |items: &mut Vec<Item>, text: &str| {
        if !text.is_empty() {
            items.push(Item::Text(text.into()));
        }
    };
    text(&mut items, pieces.next().unwrap_or_default());
    for piece in pieces {
        let (marked, behind) = piece.split_once(STOP).unwrap_or((piece, ""));
        items.push(item(marked));
        text(&mut items, behind);
    }
    items
}

fn item(marked: &str) -> Item {
    let mut marked = marked.chars();
    let kind = marked.next();
    let attribute = Attribute::of_mark(marked.next());
    let text = marked.as_str();
    let signature = |text: &str| Signature {
        attribute,
        text: text.trim_end().into(),
    };
    match (kind, text.split_once(HAS_BODY)) {
        (Some('f'), Some((head, body))) => Item::Function(Function {
            comment: None,
            signature: signature(head),
            body: body.into(),
        }),
        (Some('v'), _) => {
            let mut declared = Vec::new();
            for (number, piece) in text.split(VALUE).enumerate() {
                match (number % 2, declared.last_mut()) {
                    (1, Some((_, value))) => *value = Some(piece.to_string()),
                    _ if piece.is_empty() => {}
                    _ => declared.push((piece.to_string(), None)),
                }
            }
            Item::Variable(Variable {
                attribute,
                declared,
                remark: None,
            })
        }
        _ => Item::Prototype(signature(text)),
    }
}

/// The text of a rendered template for a program of one file: all its definitions are internal. Linear in its
/// length.
pub fn alone(rendered: &str) -> String {
    let items = items(rendered).into_iter();
    items
        .map(|item| item.definition(Linkage::Internal))
        .collect()
}
