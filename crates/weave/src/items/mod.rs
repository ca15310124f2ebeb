//! The emitted text as values. At file scope: prototypes, variables, functions, and text that every file gets.
//! In functions: events ([`event`]), assertions ([`assertion`]), and the code of the monitors ([`code`]).
//!
//! Planners contribute items; templates order them and add the items of the runtime. In a template, marks
//! delimit an item (see [`marks`]). The tool asks the value what an item declares and in which file it is
//! defined, and never parses emitted C.

pub mod assertion;
pub(crate) mod code;
pub mod event;
mod marks;
mod template;
pub(crate) mod words;

use std::collections::BTreeMap;
use std::fmt::Display;

use crate::facts::names::{marked_names, replace_marked, MarkedName};

pub use marks::{alone, items};
pub(crate) use template::rendered;

/// Something at file scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// Text that every file gets as it is: directives, macros, types, functions of other sources.
    Text(String),
    /// A function that is defined elsewhere.
    Prototype(Signature),
    /// One or more variables of a type.
    Variable(Variable),
    /// A function with its body.
    Function(Function),
    /// Items for the preprocessor to choose from.
    Conditional(Conditional),
}

/// What the compiler is told about a name besides its type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Attribute {
    /// Nothing.
    #[default]
    None,
    /// It need not be used.
    Unused,
    /// Like `Unused`, where the macro for it is not defined yet.
    UnusedEarly,
    /// It runs before `main`.
    Constructor,
}

impl Attribute {
    fn text(self) -> &'static str {
        match self {
            Attribute::None => "",
            Attribute::Unused => "BA_UNUSED ",
            Attribute::UnusedEarly => "__attribute__((unused)) ",
            Attribute::Constructor => "__attribute__((constructor)) ",
        }
    }
}

/// A function's result, name and parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    attribute: Attribute,
    text: String,
}

impl Signature {
    /// The signature with this text, such as `void ba_f(int ba_x)`.
    pub fn new(text: impl Into<String>) -> Signature {
        Signature {
            attribute: Attribute::None,
            text: text.into(),
        }
    }

    /// The same for a function that need not be used.
    pub fn unused(text: impl Into<String>) -> Signature {
        Signature {
            attribute: Attribute::Unused,
            ..Signature::new(text)
        }
    }
}

/// A function with its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// What it is for: a comment before it.
    comment: Option<String>,
    signature: Signature,
    /// The text between its braces.
    body: String,
}

impl Function {
    /// The function with these lines, each with its end.
    pub fn new(signature: Signature, lines: impl Display) -> Function {
        Function {
            comment: None,
            signature,
            body: format!("\n{lines}"),
        }
    }

    /// With a comment.
    pub fn for_reason(self, comment: impl Into<String>) -> Function {
        Function {
            comment: Some(comment.into()),
            ..self
        }
    }
}

/// One or more variables of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    attribute: Attribute,
    /// The declarators and their initial values. The text of the first one begins with the type, the others
    /// with a comma.
    declared: Vec<(String, Option<String>)>,
    /// A comment after it.
    remark: Option<String>,
}

impl Variable {
    /// A variable, by its type and declarator, such as `unsigned ba_a[3]`.
    pub fn new(declaration: impl Into<String>) -> Variable {
        Variable {
            attribute: Attribute::None,
            declared: vec![(declaration.into(), None)],
            remark: None,
        }
    }

    /// The same for a variable that need not be used.
    pub fn unused(declaration: impl Into<String>) -> Variable {
        Variable {
            attribute: Attribute::Unused,
            ..Variable::new(declaration)
        }
    }

    /// Another variable of the type.
    pub fn and(mut self, declarator: impl Display) -> Variable {
        self.declared.push((format!(", {declarator}"), None));
        self
    }

    /// The initial value of the last variable.
    pub fn initially(mut self, value: impl Display) -> Variable {
        if let Some((_, initial)) = self.declared.last_mut() {
            *initial = Some(value.to_string());
        }
        self
    }

    /// With a comment after it.
    pub fn remark(self, text: impl Into<String>) -> Variable {
        Variable {
            remark: Some(text.into()),
            ..self
        }
    }
}

/// A variable with a copy for each thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfThread {
    attribute: Attribute,
    /// The type, with the space or star before a name.
    ty: String,
    objects: Vec<ThreadObject>,
    remark: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct ThreadObject {
    name: String,
    extent: String,
    initial: Option<String>,
}

impl OfThread {
    /// A variable by its type (which ends with a space or a star), name, and extent if it is an array.
    pub fn new(ty: &str, name: &str, extent: &str) -> OfThread {
        OfThread {
            attribute: Attribute::None,
            ty: ty.into(),
            objects: Vec::new(),
            remark: None,
        }
        .object(name, extent, None)
    }

    /// A variable that need not be used.
    pub fn unused(ty: &str, name: &str) -> OfThread {
        OfThread {
            attribute: Attribute::Unused,
            ..OfThread::new(ty, name, "")
        }
    }

    /// Another variable of the type, with its initial value.
    pub fn and(self, name: &str, initial: impl Display) -> OfThread {
        self.object(name, "", Some(initial.to_string()))
    }

    /// The initial value of the last variable.
    pub fn initially(mut self, value: impl Display) -> OfThread {
        if let Some(object) = self.objects.last_mut() {
            object.initial = Some(value.to_string());
        }
        self
    }

    /// With a comment after it.
    pub fn remark(self, text: &str) -> OfThread {
        OfThread {
            remark: Some(text.into()),
            ..self
        }
    }

    fn object(mut self, name: &str, extent: &str, initial: Option<String>) -> OfThread {
        self.objects.push(ThreadObject {
            name: name.into(),
            extent: extent.into(),
            initial,
        });
        self
    }
}

impl From<OfThread> for Conditional {
    /// Some versions of ESBMC give all threads one copy of a thread-local variable. For these, with
    /// `BA_ONE_COPY` defined, it is an array with an element for each thread, under the same name.
    fn from(own: OfThread) -> Conditional {
        let mut copies = Vec::new();
        let mut declared = Vec::new();
        for (number, object) in own.objects.into_iter().enumerate() {
            let (
                ty,
                ThreadObject {
                    name,
                    extent,
                    initial,
                },
            ) = (&own.ty, object);
            let all = Variable {
                attribute: own.attribute,
                ..Variable::new(format!("{ty}ba_all_{name}[BA_COPIES]{extent}"))
            };
            let all = match &initial {
                Some(value) => all.initially(format!("{{ [0 ... BA_COPIES - 1] = {value} }}")),
                None => all,
            };
            copies.push(all.into());
            copies.push(Item::Text(format!("#define {name} ba_all_{name}[BA_ME]")));
            let ty = match number {
                0 => format!("BA_THREAD_LOCAL {ty}"),
                _ => ", ".into(),
            };
            declared.push((format!("{ty}{name}{extent}"), initial));
        }
        let own = Variable {
            attribute: own.attribute,
            declared,
            remark: own.remark,
        };
        Conditional::when("#ifdef BA_ONE_COPY", copies).otherwise(vec![own.into()])
    }
}

/// Items for the preprocessor to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditional {
    /// The directive before them.
    condition: String,
    items: Vec<Item>,
    otherwise: Vec<Item>,
    /// What it is for: a comment before it.
    comment: Option<String>,
}

impl Conditional {
    /// Items after a directive, such as `#if BA_MODEL`.
    pub fn when(condition: &str, items: Vec<Item>) -> Conditional {
        Conditional {
            condition: condition.into(),
            items,
            otherwise: Vec::new(),
            comment: None,
        }
    }

    /// Adds items for the case that the condition does not hold.
    pub fn otherwise(self, otherwise: Vec<Item>) -> Conditional {
        Conditional { otherwise, ..self }
    }

    /// With a comment.
    pub fn for_reason(self, comment: impl Into<String>) -> Conditional {
        Conditional {
            comment: Some(comment.into()),
            ..self
        }
    }
}

impl From<Signature> for Item {
    fn from(signature: Signature) -> Item {
        Item::Prototype(signature)
    }
}

impl From<Variable> for Item {
    fn from(variable: Variable) -> Item {
        Item::Variable(variable)
    }
}

impl From<Function> for Item {
    fn from(function: Function) -> Item {
        Item::Function(function)
    }
}

impl From<Conditional> for Item {
    fn from(conditional: Conditional) -> Item {
        Item::Conditional(conditional)
    }
}

impl From<OfThread> for Item {
    fn from(variable: OfThread) -> Item {
        Item::Conditional(variable.into())
    }
}

impl From<&str> for Item {
    fn from(text: &str) -> Item {
        Item::Text(text.into())
    }
}

impl From<String> for Item {
    fn from(text: String) -> Item {
        Item::Text(text)
    }
}

/// Which files see a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// Only the defining file.
    Internal,
    /// All files.
    External,
}

impl Item {
    /// The item in the file that defines it.
    pub fn definition(&self, linkage: Linkage) -> String {
        let storage = match linkage {
            Linkage::Internal => "static ",
            Linkage::External => "",
        };
        let head = |attribute: &Attribute| format!("{}{storage}", attribute.text());
        match self {
            Item::Text(text) => text.clone(),
            Item::Prototype(Signature { attribute, text }) => {
                format!("{}{text};", head(attribute))
            }
            Item::Variable(variable) => {
                let values = variable.declared.iter().map(|(text, value)| match value {
                    Some(value) => format!("{text} = {value}"),
                    None => text.clone(),
                });
                let values: String = values.collect();
                format!("{}{values};", head(&variable.attribute))
            }
            Item::Function(function) => {
                let Signature { attribute, text } = &function.signature;
                format!("{}{text} {{{}}}", head(attribute), function.body)
            }
            Item::Conditional(conditional) => {
                let items = items(&conditional.to_string()).into_iter();
                items.map(|item| item.definition(linkage)).collect()
            }
        }
    }

    /// The item in other files, or before its definition.
    pub fn declaration(&self) -> String {
        match self {
            Item::Function(Function { signature, .. }) => {
                Item::Prototype(signature.clone()).definition(Linkage::External)
            }
            Item::Variable(variable) => {
                let declared = variable.declared.iter().map(|(text, _)| text.as_str());
                let declared: String = declared.collect();
                format!("extern {}{declared};", variable.attribute.text())
            }
            _ => self.definition(Linkage::External),
        }
    }

    /// The signature of a function or of its prototype.
    pub fn signature(&self) -> Option<&str> {
        match self {
            Item::Prototype(signature) | Item::Function(Function { signature, .. }) => {
                Some(&signature.text)
            }
            _ => None,
        }
    }

    /// The user's names in a definition.
    pub fn names(&self) -> Vec<MarkedName> {
        match self {
            Item::Function(Function {
                signature, body, ..
            }) => [marked_names(&signature.text), marked_names(body)].concat(),
            Item::Variable(variable) => {
                let texts = variable.declared.iter();
                let texts = texts.flat_map(|(text, value)| [Some(text), value.as_ref()]);
                texts
                    .flatten()
                    .flat_map(|text| marked_names(text))
                    .collect()
            }
            Item::Text(_) | Item::Prototype(_) | Item::Conditional(_) => Vec::new(),
        }
    }

    /// Replaces some of the user's names.
    pub fn replace(&mut self, by: &BTreeMap<MarkedName, String>) {
        if by.is_empty() {
            return;
        }
        let replace = |text: &mut String| *text = replace_marked(text, by);
        match self {
            Item::Function(function) => {
                replace(&mut function.signature.text);
                replace(&mut function.body);
            }
            Item::Variable(variable) => {
                for (text, value) in &mut variable.declared {
                    replace(text);
                    value.as_mut().map(replace);
                }
            }
            Item::Text(_) | Item::Prototype(_) | Item::Conditional(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An item's internal definition, external definition, and declaration.
    fn forms(item: impl Into<Item>) -> [String; 3] {
        let item = item.into();
        [
            item.definition(Linkage::Internal),
            item.definition(Linkage::External),
            item.declaration(),
        ]
    }

    #[test]
    fn definitions_become_declarations() {
        let function = Function::new(
            Signature::unused("int ba_f(void)"),
            "  static int x;\n  return x;\n",
        );
        assert_eq!(
            forms(function),
            [
                "BA_UNUSED static int ba_f(void) {\n  static int x;\n  return x;\n}",
                "BA_UNUSED int ba_f(void) {\n  static int x;\n  return x;\n}",
                "BA_UNUSED int ba_f(void);",
            ]
        );
        let variable = Variable::new("unsigned ba_a")
            .and("ba_b[3]")
            .initially("{ 1, 2 }");
        assert_eq!(
            forms(variable.and("*ba_c")),
            [
                "static unsigned ba_a, ba_b[3] = { 1, 2 }, *ba_c;",
                "unsigned ba_a, ba_b[3] = { 1, 2 }, *ba_c;",
                "extern unsigned ba_a, ba_b[3], *ba_c;",
            ]
        );
    }

    #[test]
    fn each_variable_of_a_thread_is_an_array_under_its_name() {
        let flags = OfThread::unused("_Bool ", "ba_a")
            .initially(0)
            .and("ba_b", 1);
        assert_eq!(
            forms(flags)[0],
            "#ifdef BA_ONE_COPY\n\
             BA_UNUSED static _Bool ba_all_ba_a[BA_COPIES] = { [0 ... BA_COPIES - 1] = 0 };\n\
             #define ba_a ba_all_ba_a[BA_ME]\n\
             BA_UNUSED static _Bool ba_all_ba_b[BA_COPIES] = { [0 ... BA_COPIES - 1] = 1 };\n\
             #define ba_b ba_all_ba_b[BA_ME]\n\
             #else\n\
             BA_UNUSED static BA_THREAD_LOCAL _Bool ba_a = 0, ba_b = 1;\n\
             #endif"
        );
        let counters = OfThread::new("unsigned char ", "ba_mine", "[BA_CODES]");
        assert!(forms(counters)[0].contains("ba_all_ba_mine[BA_COPIES][BA_CODES];\n"));
    }

    #[test]
    fn what_stands_in_a_template_comes_out_of_it() {
        let written: Vec<Item> = vec![
            "#if BA_MODEL /* static, } and ; mean nothing here */\n".into(),
            Signature::new("void ba_g(void)").into(),
            Variable::unused("int ba_v").initially(1).and("ba_w").into(),
            Function::new(Signature::new("int ba_f(int ba_x)"), "  return '}';\n").into(),
        ];
        let text: String = written.iter().map(Item::to_string).collect();
        assert_eq!(items(&text), written);
        let mut plain = String::new();
        for item in &written {
            plain.push_str(&item.definition(Linkage::Internal));
        }
        assert_eq!(alone(&text), plain);
    }

    /// A declaration of a template at file scope has to be an item; otherwise each file of a program would have
    /// its own copy.
    #[test]
    fn templates_name_their_items() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../templates");
        for name in [
            "prologue", "epilogue", "threads", "sync", "endings", "lasso", "longjmp", "signals",
        ] {
            let path = format!("{folder}/{name}.c");
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(!text.is_empty(), "{path} is missing");
            for (number, line) in text.lines().enumerate() {
                let behind = line.rsplit("%}").next().unwrap_or(line);
                let wrong =
                    behind.starts_with("static ") || behind.starts_with("BA_UNUSED static ");
                assert!(!wrong, "{name}.c:{}: {line}", number + 1);
            }
        }
    }
}
