//! The calls of entries in a run of a program without `main`, with their arguments.

use std::collections::BTreeMap;

use cfront::entries::{Argument, Calls, Form, CHOICE, FILE, INPUT};
use weave::record::EntryRecord;

use crate::result::{Event, TraceStep};

/// The choices of a call, by the words of their names, in their order.
type Chosen = Vec<(String, i128)>;

/// Tells in the step that chooses a call which one it is, and leaves out the choices of its arguments.
pub(crate) fn mark(entry: &EntryRecord, trace: &mut [TraceStep]) {
    let Ok(calls) = Calls::of(&entry.calls) else {
        return;
    };
    let mut state = 0;
    let mut at = 0;
    while at < trace.len() {
        let Some((first, value)) = choice(&trace[at]) else {
            at += 1;
            continue;
        };
        let end = (at + 1..trace.len()).find(|next| !is_argument(&trace[*next]));
        let end = end.unwrap_or(trace.len());
        let chosen: Chosen = trace[at..end].iter().filter_map(choice).collect();
        let text = match first == CALL {
            false => at_first(&chosen),
            true => {
                let next = calls.chosen(state, u64::try_from(value).unwrap_or(u64::MAX));
                match next {
                    None => "the calls end".to_string(),
                    Some((function, to)) => {
                        state = to;
                        let arguments =
                            entry.arguments.get(function).map_or(&[][..], Vec::as_slice);
                        let arguments: Vec<String> = arguments
                            .iter()
                            .map(|a| shown(a, arguments, &chosen))
                            .collect();
                        format!("{}({})", calls.functions[function], arguments.join(", "))
                    }
                }
            }
        };
        let number = trace[at].step;
        trace[at].what.clone_from(&text);
        trace[at].call = Some(text);
        for step in &mut trace[at + 1..end] {
            step.argument_of = Some(number);
        }
        at = end;
    }
}

/// The word of the choice of a call.
const CALL: &str = "call";

/// The word and value of a choice that the callers make.
fn choice(step: &TraceStep) -> Option<(String, i128)> {
    let input = step
        .input
        .as_ref()
        .filter(|_| step.event == Event::Input && step.file == FILE)?;
    let word = input.name.strip_prefix(INPUT)?;
    Some((word.to_string(), input.value))
}

/// Whether a step is a choice, and not that of a call.
fn is_argument(step: &TraceStep) -> bool {
    let name = step.input.as_ref().map(|input| input.name.as_str());
    choice(step).is_some() && name != Some(CHOICE)
}

/// The contents of objects at first.
fn at_first(chosen: &Chosen) -> String {
    let all = chosen
        .iter()
        .map(|(word, value)| format!("{word} = {value}"));
    format!("at first: {}", all.collect::<Vec<_>>().join(", "))
}

/// An argument as a reader would write it.
fn shown(argument: &Argument, all: &[Argument], chosen: &Chosen) -> String {
    let known: BTreeMap<&str, i128> = chosen.iter().map(|(w, v)| (w.as_str(), *v)).collect();
    let own = known.get(argument.word.as_str()).copied();
    let Some(value) = own else {
        return match &argument.form {
            Form::Structure => braced(&contents(argument, chosen)),
            Form::OneOf(texts) => texts.first().cloned().unwrap_or_default(),
            // Without a choice a pointer is never null, unless it has no contents.
            Form::Contents(_) | Form::Text if contents(argument, chosen).is_empty() => {
                "NULL".into()
            }
            Form::Contents(_) | Form::Text => pointed(argument, all, chosen),
            Form::Value | Form::Length(_) => "?".into(),
        };
    };
    match &argument.form {
        Form::Value | Form::Structure => value.to_string(),
        Form::Length(most) => elements(value, *most).to_string(),
        Form::OneOf(texts) => {
            let at = usize::try_from(value).unwrap_or(usize::MAX);
            let text = texts.get(at).or(texts.last());
            text.cloned().unwrap_or_default()
        }
        Form::Contents(_) | Form::Text if value == 0 => "NULL".into(),
        Form::Contents(_) | Form::Text => pointed(argument, all, chosen),
    }
}

/// What a pointer points to.
fn pointed(argument: &Argument, all: &[Argument], chosen: &Chosen) -> String {
    let contents = contents(argument, chosen);
    let length = match argument.form {
        Form::Text => {
            let values = contents.into_iter().map(|(_, v)| v);
            return string(&values.take_while(|v| *v != 0).collect::<Vec<_>>());
        }
        Form::Contents(Some(length)) => all.get(length),
        _ => None,
    };
    let Some((length, Form::Length(most))) = length.map(|l| (l, &l.form)) else {
        return format!("&{}", braced(&contents));
    };
    let value = chosen.iter().find(|(word, _)| *word == length.word);
    // The last elements of the array are what the length counts.
    let first = most.saturating_sub(elements(value.map_or(0, |(_, v)| *v), *most));
    let counted = contents.into_iter().filter(|(name, _)| {
        let number = name.split('_').next().and_then(|n| n.parse::<u32>().ok());
        number.is_none_or(|number| number >= first)
    });
    let values: Vec<String> = counted.map(|(_, v)| v.to_string()).collect();
    format!("{{{}}}", values.join(", "))
}

/// The number of elements that a choice means.
fn elements(value: i128, most: u32) -> u32 {
    let value = u32::try_from(value).unwrap_or(0);
    if (1..most).contains(&value) {
        value
    } else {
        most
    }
}

/// The choices of what an argument points to, by what follows its word.
fn contents(argument: &Argument, chosen: &Chosen) -> Vec<(String, i128)> {
    let prefix = format!("{}_", argument.word);
    let of =
        |(word, value): &(String, i128)| Some((word.strip_prefix(&prefix)?.to_string(), *value));
    chosen.iter().filter_map(of).collect()
}

fn braced(contents: &[(String, i128)]) -> String {
    match contents {
        [(_, value)] => value.to_string(),
        all => {
            let all = all.iter().map(|(name, value)| format!("{name} = {value}"));
            format!("{{{}}}", all.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Characters as a string of C.
fn string(values: &[i128]) -> String {
    let character = |value: &i128| match u8::try_from(*value & 0xff) {
        Ok(byte @ (b'"' | b'\\')) => format!("\\{}", char::from(byte)),
        Ok(byte @ 0x20..=0x7e) => char::from(byte).to_string(),
        Ok(byte) => format!("\\{byte:03o}"),
        Err(_) => String::new(),
    };
    format!("\"{}\"", values.iter().map(character).collect::<String>())
}
