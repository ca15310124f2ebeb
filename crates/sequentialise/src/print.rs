//! Copies parts of the program's text with names and other parts replaced.

use cfront::Span;

use crate::facts::Facts;

/// A replacement of a span, which may be empty.
pub(crate) type Patch = (Span, String);

/// The text of a span on one line, with patches. A patch wins over those inside it; at one offset,
/// empty spans come first, in their order.
pub(crate) fn print(facts: &Facts, span: Span, mut patches: Vec<Patch>) -> String {
    let inside = |p: &&Patch| span.encloses(p.0);
    patches.extend(facts.sync_inits.iter().filter(inside).cloned());
    let types = facts.local_types.mentioned_in(span);
    patches.extend(types.filter_map(|r| Some((r.at, r.text.clone()?))));
    patches.sort_by_key(|(s, _)| (s.start, !s.is_empty(), std::cmp::Reverse(s.len())));
    let mut out = String::new();
    let mut at = span.start;
    for (place, text) in &patches {
        if place.start < at || place.end > span.end {
            continue;
        }
        copy(facts, Span::new(at, place.start), &mut out);
        out.push_str(text);
        at = place.end;
    }
    copy(facts, Span::new(at, span.end), &mut out);
    out.trim().to_string()
}

/// Copies text without directives and line ends.
fn copy(facts: &Facts, span: Span, out: &mut String) {
    let directives = &facts.unit.tokens.directives;
    let mut at = span.start;
    let first = directives.partition_point(|d| d.end <= span.start);
    for directive in directives[first..]
        .iter()
        .take_while(|d| d.start < span.end)
    {
        one_line(
            Span::new(at, directive.start.max(at)).of(facts.unit.text()),
            out,
        );
        at = directive.end.min(span.end).max(at);
    }
    one_line(Span::new(at, span.end).of(facts.unit.text()), out);
}

fn one_line(text: &str, out: &mut String) {
    let mut lines = text.split('\n');
    if let Some(first) = lines.next() {
        out.push_str(first);
    }
    for line in lines {
        if !out.ends_with(' ') && !out.is_empty() {
            out.push(' ');
        }
        out.push_str(line.trim_start());
    }
}
