//! Boolean expressions, and numeric ones that become C conditions.

use super::cursor::Cursor;
use super::predicates;
use crate::error::SentenceError;
use crate::expression::{Expression, Leaf};
use crate::lexer::Kind;
use crate::previous::FUNCTIONS;

type Read<T> = Result<T, SentenceError>;

/// Words that are no names; a variable of such a name stands in braces.
const RESERVED: [&str; 26] = [
    "shall",
    "satisfy",
    "the",
    "when",
    "whenever",
    "unless",
    "upon",
    "where",
    "while",
    "within",
    "until",
    "immediately",
    "eventually",
    "always",
    "never",
    "and",
    "or",
    "in",
    "during",
    "only",
    "except",
    "for",
    "after",
    "before",
    "then",
    "else",
];

/// The comparisons of FRET and C, and how C writes them.
const COMPARISONS: [(&str, &str); 7] = [
    ("<=", "<="),
    (">=", ">="),
    ("<", "<"),
    (">", ">"),
    ("==", "=="),
    ("=", "=="),
    ("!=", "!="),
];

/// Words behind `is` that are no values.
const SIZES: [&str; 14] = [
    "true", "false", "less", "greater", "more", "below", "above", "at", "between", "under", "over",
    "smaller", "larger", "a",
];

/// The words that begin a condition, also behind `and` and `or`.
pub(super) const QUALIFIERS: [&str; 7] =
    ["upon", "whenever", "when", "once", "unless", "where", "if"];

/// Reads an expression: from weak to strong `-> <->`, `| xor`, `&`, `!`. Implications do not group: FRET groups them to
/// the left, and formulas to the right.
pub(super) fn read(cursor: &mut Cursor) -> Read<Expression> {
    cursor.enter()?;
    let left = disjunction(cursor)?;
    let make: fn(Box<Expression>, Box<Expression>) -> Expression = match cursor.peek() {
        Some(Kind::Sign("->" | "=>")) => Expression::Implies,
        Some(Kind::Sign("<->" | "<=>")) => Expression::Iff,
        _ => {
            cursor.leave();
            return Ok(left);
        }
    };
    cursor.advance();
    let right = disjunction(cursor)?;
    if ["->", "=>", "<->", "<=>"]
        .iter()
        .any(|sign| cursor.is_sign(sign))
    {
        let help = "write parentheses, such as `a => (b => c)`";
        let message = "implications and equivalences in a row can be read in two ways";
        return Err(SentenceError::new(message, cursor.place()).help(help));
    }
    cursor.leave();
    Ok(make(Box::new(left), Box::new(right)))
}

fn disjunction(cursor: &mut Cursor) -> Read<Expression> {
    let mut all = conjunction(cursor)?;
    loop {
        let or = cursor.skip_sign("|") || cursor.skip_sign("||") || link(cursor, "or");
        if or {
            all = Expression::Or(Box::new(all), Box::new(conjunction(cursor)?));
        } else if cursor.skip_word("xor") {
            all = Expression::Xor(Box::new(all), Box::new(conjunction(cursor)?));
        } else {
            return Ok(all);
        }
    }
}

fn conjunction(cursor: &mut Cursor) -> Read<Expression> {
    let mut all = primary(cursor)?;
    while cursor.skip_sign("&") || cursor.skip_sign("&&") || link(cursor, "and") {
        all = Expression::And(Box::new(all), Box::new(primary(cursor)?));
    }
    Ok(all)
}

/// Skips `and` or `or` between expressions; between conditions it stays.
fn link(cursor: &mut Cursor, word: &str) -> bool {
    let there = cursor.is_word(word) && !cursor.is_ahead(1, &QUALIFIERS);
    if there {
        cursor.advance();
    }
    there
}

/// Reads a negation, a constant, a name, a comparison, a C condition, or an expression in parentheses.
pub(super) fn primary(cursor: &mut Cursor) -> Read<Expression> {
    cursor.enter()?;
    let read = operand(cursor)?;
    cursor.leave();
    Ok(read)
}

fn operand(cursor: &mut Cursor) -> Read<Expression> {
    let start = cursor.mark();
    if cursor.skip_sign("!") || cursor.skip_sign("~") {
        return Ok(primary(cursor)?.negated());
    }
    if cursor.is_word("not") && cursor.next_is_no_operator() {
        cursor.advance();
        return Ok(primary(cursor)?.negated());
    }
    if cursor.is_word("if") {
        return conditional(cursor);
    }
    if let Some(predicate) = predicates::read(cursor, read)? {
        return Ok(predicate);
    }
    if let Some(comparison) = comparison(cursor)? {
        return Ok(comparison);
    }
    cursor.back_to(start);
    if cursor.skip_sign("(") {
        let inner = read(cursor)?;
        if !cursor.skip_sign(")") {
            return Err(cursor.unexpected("an operator or `)`"));
        }
        return Ok(inner);
    }
    let place = cursor.place();
    let leaf = match cursor.peek() {
        Some(Kind::Word(word)) if word.eq_ignore_ascii_case("true") => {
            cursor.advance();
            return Ok(Expression::Constant(true));
        }
        Some(Kind::Word(word)) if word.eq_ignore_ascii_case("false") => {
            cursor.advance();
            return Ok(Expression::Constant(false));
        }
        Some(Kind::Word(_)) if cursor.one_of(&RESERVED).is_none() => Leaf::Name(variable(cursor)?),
        Some(Kind::Quoted(text)) => {
            let leaf = Leaf::Name(text.clone());
            cursor.advance();
            leaf
        }
        Some(Kind::Braces(text)) => {
            let leaf = Leaf::Condition(text.clone());
            cursor.advance();
            leaf
        }
        Some(Kind::Word(word)) if word.eq_ignore_ascii_case("the") => {
            let help = "names have no article: `door_open`, or `\"door open\"` for a proposition of several words";
            return Err(cursor.unexpected("an expression").help(help));
        }
        _ => return Err(cursor.unexpected("an expression")),
    };
    let end = cursor.since(start).end;
    Ok(Expression::Leaf(leaf, place.start..end))
}

/// `if a then b`, perhaps with `else c`.
fn conditional(cursor: &mut Cursor) -> Read<Expression> {
    cursor.advance();
    let premise = read(cursor)?;
    if !cursor.skip_word("then") {
        return Err(cursor.unexpected("`then`"));
    }
    let conclusion = Box::new(read(cursor)?);
    let then = Expression::Implies(Box::new(premise.clone()), conclusion);
    if !cursor.skip_word("else") {
        return Ok(then);
    }
    let otherwise = Box::new(read(cursor)?);
    let otherwise = Expression::Implies(Box::new(premise.negated()), otherwise);
    Ok(Expression::And(Box::new(then), Box::new(otherwise)))
}

/// A comparison of numeric expressions; `None`, perhaps behind some tokens, if there is none here.
fn comparison(cursor: &mut Cursor) -> Read<Option<Expression>> {
    let start = cursor.mark();
    let number = matches!(cursor.peek(), Some(Kind::Number(_) | Kind::Sign("-")));
    let Some(left) = sum(cursor)? else {
        return Ok(None);
    };
    let sign = COMPARISONS
        .iter()
        .find(|(written, _)| cursor.is_sign(written));
    if let (None, Some(sign)) = (sign, equality(cursor)) {
        return compared(cursor, start, &left, sign).map(Some);
    }
    let Some((_, sign)) = sign else {
        // A number is no Boolean expression; a name may be one.
        return match number {
            true => Err(cursor.unexpected("a comparison, such as `> 0`")),
            false => Ok(None),
        };
    };
    let place = cursor.since(start);
    cursor.advance();
    // `x = false` of a Boolean `x` is a literal.
    if let (Some(value), "==" | "!=") = (cursor.one_of(&["true", "false"]), *sign) {
        cursor.advance();
        let leaf = Expression::Leaf(Leaf::Name(left), place);
        let positive = (value == "true") == (*sign == "==");
        return Ok(Some(if positive { leaf } else { leaf.negated() }));
    }
    compared(cursor, start, &left, sign).map(Some)
}

/// The comparison of a numeric expression, which began at the mark, with the one that follows.
pub(super) fn compared(
    cursor: &mut Cursor,
    start: usize,
    left: &str,
    sign: &str,
) -> Read<Expression> {
    let Some(right) = sum(cursor)? else {
        return Err(cursor.unexpected("a number or a variable"));
    };
    let leaf = Leaf::Condition(format!("{left} {sign} {right}"));
    Ok(Expression::Leaf(leaf, cursor.since(start)))
}

/// Skips `is`, `is not` or `equals` in front of a number or a name; the comparison in C. That something is true or false
/// is said of whole conditions.
fn equality(cursor: &mut Cursor) -> Option<&'static str> {
    let start = cursor.mark();
    let is = cursor.skip_word("is");
    if !is && !cursor.skip_word("equals") {
        return None;
    }
    let not = is && cursor.skip_word("not");
    cursor.skip_word("equal");
    cursor.skip_word("to");
    let value = match cursor.peek() {
        Some(Kind::Number(_) | Kind::Sign("-" | "(")) => true,
        Some(Kind::Word(_)) => {
            cursor.one_of(&RESERVED).is_none() && cursor.one_of(&SIZES).is_none()
        }
        _ => false,
    };
    if !value {
        cursor.back_to(start);
        return None;
    }
    Some(if not { "!=" } else { "==" })
}

/// A sum as C text; `None` where no numeric expression begins.
pub(super) fn sum(cursor: &mut Cursor) -> Read<Option<String>> {
    let Some(mut text) = product(cursor)? else {
        return Ok(None);
    };
    while let Some(Kind::Sign(sign @ ("+" | "-"))) = cursor.peek() {
        let sign = *sign;
        cursor.advance();
        let Some(more) = product(cursor)? else {
            return Err(cursor.unexpected("a number or a variable"));
        };
        text = format!("{text} {sign} {more}");
    }
    Ok(Some(text))
}

fn product(cursor: &mut Cursor) -> Read<Option<String>> {
    let Some(mut text) = factor(cursor)? else {
        return Ok(None);
    };
    loop {
        let sign = match cursor.peek() {
            Some(Kind::Sign(sign @ ("*" | "/" | "%"))) => sign,
            _ if cursor.is_word("mod") => "%",
            _ => return Ok(Some(text)),
        };
        cursor.advance();
        let Some(more) = factor(cursor)? else {
            return Err(cursor.unexpected("a number or a variable"));
        };
        text = format!("{text} {sign} {more}");
    }
}

/// The largest exponent that is written out as a product.
const MOST_FACTORS: usize = 16;

/// A factor. A power binds more tightly than a sign in front of it.
fn factor(cursor: &mut Cursor) -> Read<Option<String>> {
    let signed = cursor.is_sign("-");
    let Some(base) = base(cursor)? else {
        return Ok(None);
    };
    if signed || !cursor.skip_sign("^") {
        return Ok(Some(base));
    }
    let exponent = match cursor.peek() {
        Some(Kind::Number(number)) => number.parse::<usize>().ok(),
        _ => None,
    };
    let Some(exponent @ 1..=MOST_FACTORS) = exponent else {
        let help = "C has no power: write a product, or a C condition in braces";
        let expected = format!("a whole number from 1 to {MOST_FACTORS}");
        return Err(cursor.unexpected(&expected).help(help));
    };
    cursor.advance();
    Ok(Some(format!("({})", vec![base; exponent].join(" * "))))
}

fn base(cursor: &mut Cursor) -> Read<Option<String>> {
    if cursor.skip_sign("-") {
        cursor.enter()?;
        let Some(inner) = factor(cursor)? else {
            return Err(cursor.unexpected("a number or a variable"));
        };
        cursor.leave();
        return Ok(Some(format!("-{inner}")));
    }
    if cursor.is_sign("(") {
        cursor.enter()?;
        cursor.advance();
        // What is no number in parentheses is Boolean, and read again as such.
        let inner = sum(cursor)?;
        let closed = inner.is_some() && cursor.skip_sign(")");
        cursor.leave();
        return Ok(inner.filter(|_| closed).map(|inner| format!("({inner})")));
    }
    match cursor.peek() {
        Some(Kind::Number(number)) => {
            let number = number.clone();
            cursor.advance();
            Ok(Some(number))
        }
        Some(Kind::Word(word))
            if cursor.one_of(&RESERVED).is_none()
                && !["true", "false"]
                    .iter()
                    .any(|c| word.eq_ignore_ascii_case(c)) =>
        {
            variable(cursor).map(Some)
        }
        _ => Ok(None),
    }
}

/// A call of a function with numbers, from its parenthesis on.
fn call(cursor: &mut Cursor, function: &str) -> Read<String> {
    let start = cursor.mark();
    let help = format!("the operands of `{function}` are numbers; write a C condition in braces, or declare a proposition");
    cursor.enter()?;
    cursor.advance();
    let mut operands = Vec::new();
    while !cursor.skip_sign(")") {
        let separated = operands.is_empty() || cursor.skip_sign(",");
        match sum(cursor)? {
            Some(operand) if separated => operands.push(operand),
            _ => return Err(cursor.unexpected("a number or a variable").help(help)),
        }
    }
    cursor.leave();
    let looks_back = |text: &str| FUNCTIONS.iter().any(|name| text.contains(name));
    if looks_back(function) && (operands.len() != 2 || operands.iter().any(|o| looks_back(o))) {
        let message =
            format!("`{function}` has two operands, which are no numbers of the letter before");
        let help = format!("`{function}(0, x)` is 0 at the first letter, and then what `x` was at the letter before");
        return Err(SentenceError::new(message, cursor.since(start)).help(help));
    }
    Ok(format!("{function}({})", operands.join(", ")))
}

/// A variable, with the indices that follow it, or a call.
fn variable(cursor: &mut Cursor) -> Read<String> {
    let Some(Kind::Word(word)) = cursor.peek().cloned() else {
        return Err(cursor.unexpected("a variable"));
    };
    cursor.advance();
    let mut text = match cursor.is_sign("(") {
        true => call(cursor, &word)?,
        false => word,
    };
    while cursor.skip_sign("[") {
        let Some(index) = sum(cursor)? else {
            return Err(cursor.unexpected("an index"));
        };
        if !cursor.skip_sign("]") {
            return Err(cursor.unexpected("`]`"));
        }
        text = format!("{text}[{index}]");
    }
    Ok(text)
}
