//! State machines over calls and returns as code of the program: their guards read parameters, results, variables at file scope
//! and variables of the machine.
//!
//! Each call of an observed function begins with a call of a step, and each return ends with one. Each change stays within
//! its line, so places are the same.

use crate::diag::Diagnostic;
use crate::flow::Flow;
use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::span::{FunctionId, ObjectId, Span};
use crate::tree::{Body, Entity, StmtKind, Tree};
use crate::types::{Class, QualType, Type};

/// A machine. Its state has a bit for each state that it may be in; none stands for a run that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    /// What the names of its parts begin with.
    pub name: String,
    /// The name of its state.
    pub state: String,
    /// The bits of the states in which it begins.
    pub first: u64,
    /// The bits of the states in which `main` may return.
    pub accepted: u64,
    /// Its variables, with their types. Where it has some, the first transition that can be taken is taken, else all.
    pub variables: Vec<(String, String)>,
    /// What happens at calls and returns.
    pub events: Vec<Event>,
}

/// What happens at the calls of a function, or at its returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The function.
    pub function: String,
    /// Whether it returns.
    pub returns: bool,
    /// The transitions.
    pub moves: Vec<Move>,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The number of the state that it leaves.
    pub from: u32,
    /// The number of the state that it enters.
    pub to: u32,
    /// The condition; nothing stands for one that always holds.
    pub condition: Vec<Piece>,
    /// What is assigned then: the number of a variable, and the value.
    pub actions: Vec<(usize, Vec<Piece>)>,
}

/// A piece of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Operators, numbers, members.
    Text(String),
    /// A variable at file scope, or a constant of an enumeration.
    Name(String),
    /// A parameter of the event's function, or else what the name is at file scope.
    Local(String),
    /// A parameter of the event's function.
    Parameter(String),
    /// What the event's function returns.
    Result(String),
    /// The variable of a number.
    Variable(usize),
}

/// The file that the lines of the steps are from.
const FILE: &str = "machines";

type Made<T> = Result<T, Diagnostic>;

/// The text of a program of one file in which code follows these machines. Linear in the program, for each machine.
///
/// # Errors
/// A function, parameter or variable that the program does not have, or that has no value that can be read. The place of
/// the diagnostic is nowhere, since a specification names it, which it quotes.
pub fn followed(unit: &Unit, machines: &[Machine]) -> Made<Source> {
    let mut text = Text::of(unit);
    let mut behind = String::new();
    for machine in machines {
        Follower { unit, machine }.follow(&mut text, &mut behind)?;
    }
    let mut sources = text.sources().into_iter();
    let source = sources.next().unwrap_or_else(|| unit.source.clone());
    Ok(source.and_file(FILE, behind))
}

fn lacks(message: String, help: &str) -> Diagnostic {
    Diagnostic::error(Span::empty(0), message).help(help)
}

struct Follower<'a> {
    unit: &'a Unit,
    machine: &'a Machine,
}

/// A parameter of a step: the object that it is given, and its name.
type Given = (ObjectId, String);

impl Follower<'_> {
    fn tree(&self) -> &Tree {
        &self.unit.tree
    }

    fn own(&self, what: &str) -> String {
        format!("{}_{what}", self.machine.name)
    }

    fn follow(&self, text: &mut Text<'_>, behind: &mut String) -> Made<()> {
        let machine = self.machine;
        let taken = self.unit.tokens.tokens.iter();
        let own = |t: &str| {
            t.strip_prefix(&machine.name)
                .is_some_and(|t| t.starts_with('_'))
        };
        if let Some(token) = taken.map(|t| self.unit.text_of(t.span)).find(|t| own(t)) {
            let message =
                format!("the program has `{token}`, which the machine's own names begin with");
            return Err(lacks(message, "give the machine's file another name"));
        }
        let state = &machine.state;
        behind.push_str(&format!(
            "unsigned long long {state} = {}ull;\n",
            machine.first
        ));
        for (name, ty) in &machine.variables {
            behind.push_str(&format!("{ty} {} = 0;\n", self.own(name)));
        }
        let mut functions: Vec<&str> = machine.events.iter().map(|e| e.function.as_str()).collect();
        functions.dedup();
        for name in functions {
            let (function, body) = self.function(name)?;
            for event in machine.events.iter().filter(|e| e.function == name) {
                self.event(event, (function, &body), text, behind)?;
            }
        }
        Ok(())
    }

    fn function(&self, name: &str) -> Made<(FunctionId, Body)> {
        let tree = self.tree();
        let mut all = tree.functions.iter().filter(|(_, f)| f.name == name);
        let found = all.find_map(|(id, f)| Some((id, f.body.clone()?)));
        let defined = || tree.functions.iter().any(|(_, f)| f.name == name);
        found.ok_or_else(|| match defined() {
            true => lacks(
                format!("`{name}` has no body in the program"),
                "observe a function that calls it",
            ),
            false => lacks(
                format!("the program has no function `{name}`"),
                "name one of its functions",
            ),
        })
    }

    /// The text of an expression at an event, and the parameters of the function that it reads.
    fn expression(
        &self,
        pieces: &[Piece],
        (function, body): (FunctionId, &Body),
        given: &mut Vec<Given>,
    ) -> Made<String> {
        let tree = self.tree();
        let mut out = String::new();
        let parameter = |name: &str| {
            let mut all = body.params.iter().copied();
            all.find(|p| tree.objects[*p].name == name)
        };
        for piece in pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Variable(number) => {
                    out.push_str(&self.own(&self.machine.variables[*number].0))
                }
                Piece::Result(name) => {
                    if self.result(function).is_none() {
                        let message =
                            format!("`{name}`: the function returns no number and no pointer");
                        return Err(lacks(message, "read a variable that it writes instead"));
                    }
                    out.push_str(&self.own("result"));
                }
                Piece::Name(name) => out.push_str(self.at_file_scope(name)?),
                Piece::Local(name) | Piece::Parameter(name) => match (parameter(name), piece) {
                    (Some(object), _) => out.push_str(&self.given(object, given)),
                    (None, Piece::Local(name)) => out.push_str(self.at_file_scope(name)?),
                    (None, _) => {
                        let function = &tree.functions[function].name;
                        let message = format!("`{function}` has no parameter `{name}`");
                        return Err(lacks(message, "name one of its parameters"));
                    }
                },
            }
        }
        Ok(out)
    }

    fn given(&self, object: ObjectId, given: &mut Vec<Given>) -> String {
        let name = self.own(&format!("given_{}", self.tree().objects[object].name));
        if given.iter().all(|(known, _)| *known != object) {
            given.push((object, name.clone()));
        }
        name
    }

    fn at_file_scope<'n>(&self, name: &'n str) -> Made<&'n str> {
        let tree = self.tree();
        let all = tree.scopes[tree.file_scope()].names.get(name);
        match all.and_then(|all| all.last()) {
            Some((_, Entity::Object(_) | Entity::EnumConst(..))) => Ok(name),
            _ => Err(lacks(
                format!("the program has no variable `{name}` at file scope"),
                "a machine that reads data names variables at file scope, parameters as `f().x`, and no macros",
            )),
        }
    }

    /// The declaration of something of a type.
    fn declared(&self, ty: QualType, name: &str) -> Made<String> {
        let tree = self.tree();
        let ty = QualType {
            quals: Default::default(),
            ..ty
        };
        tree.types
            .declare(ty, name, tree.file_scope())
            .ok_or_else(|| {
                let message = "the type of a parameter or of a result has no name at file scope";
                let function = &self
                    .machine
                    .events
                    .first()
                    .map_or("", |e| e.function.as_str());
                lacks(
                    format!("`{function}`: {message}"),
                    "declare the type at file scope",
                )
            })
    }

    /// The type of a function's result, if it is a number or a pointer.
    fn result(&self, function: FunctionId) -> Option<QualType> {
        let ty = self.returned(function)?;
        (!matches!(self.tree().types.class(ty), Class::Record | Class::Void)).then_some(ty)
    }

    fn returned(&self, function: FunctionId) -> Option<QualType> {
        match self.tree().types.get(self.tree().functions[function].ty) {
            Type::Function(of) => Some(of.ret),
            _ => None,
        }
    }

    fn event(
        &self,
        event: &Event,
        (function, body): (FunctionId, &Body),
        text: &mut Text<'_>,
        behind: &mut String,
    ) -> Made<()> {
        let mut given = Vec::new();
        let steps = self.steps(event, (function, body), &mut given)?;
        let when = if event.returns { "returns" } else { "calls" };
        let step = self.own(&format!("{when}_{}", event.function));
        let returned = self
            .returned(function)
            .filter(|ty| self.tree().types.class(*ty) != Class::Void);
        let returned = returned.filter(|_| event.returns);
        let result = self.own("result");
        let mut parameters = Vec::new();
        if let Some(ty) = returned {
            parameters.push(self.declared(ty, &result)?);
        }
        for (object, name) in &given {
            parameters.push(self.declared(self.tree().objects[*object].ty, name)?);
        }
        let parameters = match parameters.is_empty() {
            true => "void".to_owned(),
            false => parameters.join(", "),
        };
        let head = match returned {
            Some(ty) => self.declared(ty, &format!("{step}({parameters})"))?,
            None => format!("void {step}({parameters})"),
        };
        text.open(body.span, &format!("static {head}; "));
        let back = match returned {
            Some(_) => format!("  return {result};\n"),
            None => String::new(),
        };
        behind.push_str(&format!("static {head} {{\n{steps}{back}}}\n"));
        match event.returns {
            true => self.at_returns((function, body), &step, &given, text),
            false => {
                let arguments: Vec<&str> = given
                    .iter()
                    .map(|(o, _)| self.tree().objects[*o].name.as_str())
                    .collect();
                self.at_start(body, &format!(" {step}({});", arguments.join(", ")), text);
                Ok(())
            }
        }
    }

    fn at_start(&self, body: &Body, statements: &str, text: &mut Text<'_>) {
        let start = self.tree().stmts[body.block].span.start;
        text.close(Span::new(start, start + 1), statements);
    }

    fn steps(
        &self,
        event: &Event,
        of: (FunctionId, &Body),
        given: &mut Vec<Given>,
    ) -> Made<String> {
        let (state, now, next) = (&self.machine.state, self.own("now"), self.own("next"));
        let ordered = !self.machine.variables.is_empty();
        let mut out = format!("  unsigned long long {now} = {state}, {next} = 0;\n");
        let mut els = "";
        for step in &event.moves {
            let condition = match self.expression(&step.condition, of, given)? {
                always if always.is_empty() => String::new(),
                condition => format!(" && {condition}"),
            };
            let mut actions = String::new();
            for (variable, value) in &step.actions {
                let value = self.expression(value, of, given)?;
                let variable = self.own(&self.machine.variables[*variable].0);
                actions.push_str(&format!(" {variable} = {value};"));
            }
            out.push_str(&format!(
                "  {els}if ({now} >> {} & 1{condition}) {{{actions} {next} |= {}ull; }}\n",
                step.from,
                1u64 << step.to
            ));
            els = if ordered { "else " } else { "" };
        }
        if event.returns && event.function == "main" {
            out.push_str(&format!("  {next} &= {}ull;\n", self.machine.accepted));
        }
        out.push_str(&format!("  {state} = {next};\n"));
        Ok(out)
    }

    fn at_returns(
        &self,
        (function, body): (FunctionId, &Body),
        step: &str,
        given: &[Given],
        text: &mut Text<'_>,
    ) -> Made<()> {
        let tree = self.tree();
        // A parameter is what it was at the call, whatever the function assigns to it.
        let mut kept = String::new();
        let mut arguments = Vec::new();
        for (object, name) in given {
            let object = &tree.objects[*object];
            kept.push_str(&format!(
                " {} = {};",
                self.declared(object.ty, name)?,
                object.name
            ));
            arguments.push(name.as_str());
        }
        if !kept.is_empty() {
            self.at_start(body, &kept, text);
        }
        let arguments = arguments.join(", ");
        let void = self
            .returned(function)
            .is_some_and(|ty| tree.types.class(ty) == Class::Void);
        let returns = tree
            .stmts
            .iter()
            .filter(|(_, s)| s.function == Some(function));
        for (_, stmt) in returns {
            match stmt.kind {
                StmtKind::Return(Some(value)) if void => {
                    let value = tree.exprs[value].span;
                    text.around(value, "((", &format!("), {step}({arguments}))"));
                }
                StmtKind::Return(Some(value)) => {
                    let more = if arguments.is_empty() { "" } else { ", " };
                    let value = tree.exprs[value].span;
                    text.around(value, &format!("{step}(("), &format!("){more}{arguments})"));
                }
                StmtKind::Return(None) => {
                    text.around(stmt.span, &format!("{{ {step}({arguments}); "), " }")
                }
                _ => {}
            }
        }
        let falls_off = match Flow::new(tree, function) {
            Ok(flow) => flow.falls_off(tree),
            Err(_) => true,
        };
        let main = tree.functions[function].name == "main";
        match (falls_off, void || main) {
            (false, _) => Ok(()),
            (true, false) => {
                let name = &tree.functions[function].name;
                let message = format!("`{name}` may end without a `return`");
                Err(lacks(message, "return a value at its end"))
            }
            (true, true) => {
                let end = tree.stmts[body.block].span.end;
                let first = match (void, arguments.is_empty()) {
                    (true, _) => "",
                    (false, true) => "0",
                    (false, false) => "0, ",
                };
                text.open(
                    Span::new(end.saturating_sub(1), end),
                    &format!("{step}({first}{arguments}); "),
                );
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(condition: Vec<Piece>) -> Move {
        Move {
            from: 0,
            to: 1,
            condition,
            actions: Vec::new(),
        }
    }

    fn event(function: &str, returns: bool, condition: Vec<Piece>) -> Event {
        Event {
            function: function.into(),
            returns,
            moves: vec![step(condition)],
        }
    }

    fn made(program: &str, events: Vec<Event>) -> Made<String> {
        let machine = Machine {
            name: "m".into(),
            state: "m_state".into(),
            first: 1,
            accepted: 2,
            variables: Vec::new(),
            events,
        };
        let source = Source::from_bytes(program.as_bytes().to_vec());
        let unit = Unit::parse(source).expect("it is C");
        Ok(followed(&unit, &[machine])?.text)
    }

    #[test]
    fn calls_begin_and_returns_end_with_a_step() {
        let read = vec![
            Piece::Parameter("n".into()),
            Piece::Text(" == ".into()),
            Piece::Result("result".into()),
        ];
        let called = vec![Piece::Local("n".into())];
        let program =
            "int f(int n) { n++; if (n) return n; return 0; }\nint x; void g(void) { if (x) return; }\n";
        let events = vec![
            event("f", false, called),
            event("f", true, read),
            event("g", true, Vec::new()),
        ];
        let text = made(program, events).expect("it can be followed");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "static void m_calls_f(int m_given_n); static int m_returns_f(int m_result, int m_given_n); \
             int f(int n) { m_calls_f(n); int m_given_n = n; n++; if (n) return m_returns_f((n), m_given_n); \
             return m_returns_f((0), m_given_n); }"
        );
        assert_eq!(
            lines[1],
            "int x; static void m_returns_g(void); void g(void) { if (x) { m_returns_g(); return; } m_returns_g(); }"
        );
        assert!(text.contains("if (m_now >> 0 & 1 && m_given_n == m_result) { m_next |= 2ull; }"));
    }

    #[test]
    fn what_the_program_lacks_is_refused() {
        let refused = |program: &str, event: Event| match made(program, vec![event]) {
            Ok(text) => panic!("{text}"),
            Err(error) => error.message,
        };
        let unknown = vec![Piece::Name("x".into())];
        let program = "int f(int n) { if (n) return 1; }";
        assert_eq!(
            refused(program, event("f", false, unknown)),
            "the program has no variable `x` at file scope"
        );
        assert_eq!(
            refused(program, event("f", true, Vec::new())),
            "`f` may end without a `return`"
        );
        assert_eq!(
            refused("int f(void);", event("f", true, Vec::new())),
            "`f` has no body in the program"
        );
        assert_eq!(
            refused("int m_x; void f(void) {}", event("f", true, Vec::new())),
            "the program has `m_x`, which the machine's own names begin with"
        );
    }
}
