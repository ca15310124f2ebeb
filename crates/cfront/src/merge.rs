//! One text for a program of several files, so that what follows only single files can follow it.
//!
//! The texts stand one behind the other. Declarations that a header brings into several files stand
//! once. A static function or object gets another name where a further file has the name, too. Each
//! change stays within its line, so places are the same.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::Diagnostic;
use crate::parse::Unit;
use crate::source::Source;
use crate::span::{FunctionId, Id, ObjectId, Offset, Span};
use crate::tree::{Entity, ExprKind, Item, Resolved, Storage};

/// The text of a program, and its new names.
pub struct Merged {
    /// The text.
    pub source: Source,
    /// Each new name with the one that the program has.
    pub renamed: BTreeMap<String, String>,
}

/// A text with the names that the program has, which `renamed` gives for the new ones.
pub fn restored(renamed: &BTreeMap<String, String>, text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut word = String::new();
    for c in text.chars().chain(['\0']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        out += renamed.get(&word).unwrap_or(&word);
        word.clear();
        out.extend((c != '\0').then_some(c));
    }
    out
}

/// Makes one text of a unit of several files. `own` is the number of the program's own expressions;
/// `keeps` tells whether a static object keeps its name in any case, by its file and name.
///
/// # Errors
/// A name of file scope that means different things in two files, and cannot be renamed.
pub fn merged(
    unit: &Unit,
    own: usize,
    keeps: &dyn Fn(&str, &str) -> bool,
) -> Result<Merged, Diagnostic> {
    let mut merge = Merge {
        unit,
        own,
        removed: Vec::new(),
        renamed: BTreeMap::new(),
    };
    merge.rename(keeps)?;
    merge.remove();
    merge.check()?;
    let renamed = merge.renamed.iter();
    let renamed = renamed.map(|(linked, fresh)| (fresh.clone(), merge.name(*linked).to_string()));
    Ok(Merged {
        renamed: renamed.collect(),
        source: merge.source(),
    })
}

/// A unit of one file for one of several, with the names that the program has for those that are new.
///
/// # Errors
/// Why the files cannot stand in one, with its place.
pub fn as_one(unit: Unit) -> Result<(Unit, BTreeMap<String, String>), Box<Diagnostic>> {
    if unit.parts.len() < 2 {
        return Ok((unit, BTreeMap::new()));
    }
    let own = unit.tree.exprs.iter().count();
    let told = |d: Diagnostic| Box::new(unit.source.resolve(d));
    let merged = merged(&unit, own, &|_, _| false).map_err(told)?;
    let one = Unit::parse(merged.source).map_err(|all| {
        let first = all.into_iter().next();
        let message = first.map(|d| d.message).unwrap_or_default();
        let message = format!("the files cannot be read as one: {message}");
        told(Diagnostic::error(Span::empty(0), message))
    })?;
    Ok((one, merged.renamed))
}

/// A function or an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Linked {
    Function(usize),
    Object(usize),
}

struct Merge<'a> {
    unit: &'a Unit,
    own: usize,
    /// The items that an earlier file has, too.
    removed: Vec<Span>,
    /// The new names.
    renamed: BTreeMap<Linked, String>,
}

impl Merge<'_> {
    /// Functions and objects with linkage by their names, each with whether it is static and the place of its
    /// first declaration.
    fn linked(&self) -> BTreeMap<&str, Vec<(Linked, bool, Offset)>> {
        let mut out: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for (id, function) in self.unit.tree.functions.iter() {
            let at = function.names.first().map_or(0, |s| s.start);
            let entry = out.entry(&function.name).or_default();
            entry.push((Linked::Function(id.index()), function.is_static, at));
        }
        for (id, object) in self.unit.tree.objects.iter() {
            if matches!(object.storage, Storage::Global | Storage::FileStatic) {
                let is_static = object.storage == Storage::FileStatic;
                let at = object.name_span.start;
                let entry = out.entry(&object.name).or_default();
                entry.push((Linked::Object(id.index()), is_static, at));
            }
        }
        out
    }

    /// Finds new names for static functions and objects whose names others have, too.
    fn rename(&mut self, keeps: &dyn Fn(&str, &str) -> bool) -> Result<(), Diagnostic> {
        let text = self.unit.text();
        let words = self.unit.tokens.tokens.iter();
        let mut taken: BTreeSet<String> = words.map(|t| t.span.of(text).to_string()).collect();
        let mut renamed = BTreeMap::new();
        for (name, all) in self.linked() {
            let files: BTreeSet<usize> = all.iter().map(|l| self.unit.part_of(l.2)).collect();
            if all.len() < 2 || files.len() < 2 {
                continue;
            }
            let kept = |l: &(Linked, bool, Offset)| {
                let (file, _) = self.unit.source.lines.line(l.2);
                !l.1 || keeps(file, name)
            };
            let first = all.iter().position(kept).unwrap_or(0);
            let others = all.iter().enumerate().filter(|(n, _)| *n != first);
            for (_, one) in others {
                if kept(one) {
                    return Err(several(name, one.2));
                }
                let fresh = (2..)
                    .map(|n| format!("{name}_{n}"))
                    .find(|f| !taken.contains(f))
                    .unwrap_or_default();
                taken.insert(fresh.clone());
                renamed.insert(one.0, fresh);
            }
        }
        self.renamed = renamed;
        Ok(())
    }

    /// The span of an item, if a copy of it in another file says nothing new: it defines no object.
    fn repeatable(&self, item: Item) -> Option<Span> {
        let tree = &self.unit.tree;
        match item {
            Item::Decl(id) => {
                let decl = &tree.decls[id];
                let defines = |e: Entity| match e {
                    Entity::Object(o) => tree.objects[o].storage == Storage::FileStatic,
                    _ => false,
                };
                let mut told = decl.declared.iter();
                let new = told.any(|d| d.init.is_some() || defines(d.entity));
                (!new).then_some(decl.span)
            }
            Item::Function(f) => {
                let body = tree.functions[f].body.as_ref()?;
                let holds = tree.objects_of(f);
                let mut holds = holds.iter().map(|o| tree.objects[*o].storage);
                let keeps = holds.any(|s| s == Storage::StaticLocal);
                (!keeps).then_some(body.span)
            }
        }
    }

    /// The tokens of a span.
    fn tokens(&self, span: Span) -> Vec<&str> {
        let tokens = &self.unit.tokens;
        let from = tokens.at_or_after(span.start);
        let within = tokens.tokens[from..].iter();
        let within = within.take_while(|t| t.span.end <= span.end);
        within.map(|t| t.span.of(self.unit.text())).collect()
    }

    /// Finds the items that an earlier file has word by word, with the same meaning of each word.
    fn remove(&mut self) {
        let mut seen: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
        let mut copies: Vec<(Item, Span)> = Vec::new();
        for item in &self.unit.tree.items {
            let Some(span) = self.repeatable(*item) else {
                continue;
            };
            let part = self.unit.part_of(span.start);
            if *seen.entry(self.tokens(span)).or_insert(part) < part {
                copies.push((*item, span));
            }
        }
        let mut renamed = self.renamed.clone();
        loop {
            // A function that is removed needs no other name: the copy that stays has its name.
            let gone = copies.iter().filter_map(|(item, _)| match item {
                Item::Function(f) => Some(Linked::Function(f.index())),
                Item::Decl(_) => None,
            });
            let gone: BTreeSet<Linked> = gone.collect();
            renamed.clone_from(&self.renamed);
            renamed.retain(|linked, _| !gone.contains(linked));
            let names: BTreeSet<&str> = renamed.keys().map(|l| self.name(*l)).collect();
            let before = copies.len();
            copies.retain(|(_, span)| !self.tokens(*span).iter().any(|t| names.contains(t)));
            if copies.len() == before {
                break;
            }
        }
        self.renamed = renamed;
        self.removed = copies.into_iter().map(|(_, span)| span).collect();
    }

    fn name(&self, linked: Linked) -> &str {
        match linked {
            Linked::Function(f) => &self.unit.tree.functions[FunctionId::from_index(f)].name,
            Linked::Object(o) => &self.unit.tree.objects[ObjectId::from_index(o)].name,
        }
    }

    fn is_removed(&self, at: Offset) -> bool {
        self.removed.iter().any(|s| s.start <= at && at <= s.end)
    }

    /// Refuses names of types and constants that are left with two meanings.
    fn check(&self) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let mut names: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
        let mut tags: BTreeMap<&str, usize> = BTreeMap::new();
        let scopes = tree.scopes.iter().filter(|(_, s)| s.parent.is_none());
        for (part, (_, scope)) in scopes.enumerate() {
            for (name, meanings) in &scope.names {
                for (at, entity) in meanings {
                    let linked = matches!(entity, Entity::Object(_) | Entity::Function(_));
                    if self.is_removed(*at) || self.has_other_name(*entity) {
                        continue;
                    }
                    let (first, both) = *names.entry(name).or_insert((part, linked));
                    if first != part && !(both && linked) {
                        return Err(several(name, *at));
                    }
                }
            }
            for (tag, (at, meaning)) in &scope.tags {
                if self.is_removed(*at) || !self.completes(*meaning) {
                    continue;
                }
                if *tags.entry(tag).or_insert(part) != part {
                    return Err(several(tag, *at));
                }
            }
        }
        let renamed = self.unit.tree.assembler_words.first();
        match renamed.filter(|_| !self.renamed.is_empty()) {
            Some((word, span)) => Err(several(word, span.start)),
            None => Ok(()),
        }
    }

    fn has_other_name(&self, entity: Entity) -> bool {
        let linked = match entity {
            Entity::Object(o) => Linked::Object(o.index()),
            Entity::Function(f) => Linked::Function(f.index()),
            _ => return false,
        };
        self.renamed.contains_key(&linked)
    }

    /// Whether a tag has a definition, so that a second one would not be legal.
    fn completes(&self, tag: crate::tree::Tag) -> bool {
        match tag {
            crate::tree::Tag::Record(r) => self.unit.tree.types.records[r].members.is_some(),
            crate::tree::Tag::Enum(_) => true,
        }
    }

    /// The places of names that change, with the new names.
    fn changes(&self) -> BTreeMap<Span, &str> {
        let tree = &self.unit.tree;
        let mut out: BTreeMap<Span, &str> = BTreeMap::new();
        for (linked, fresh) in &self.renamed {
            if let Linked::Function(f) = linked {
                let names = &tree.functions[FunctionId::from_index(*f)].names;
                out.extend(names.iter().map(|s| (*s, fresh.as_str())));
            }
        }
        let new = |linked| self.renamed.get(&linked).map(String::as_str);
        for (_, decl) in tree.decls.iter() {
            for declared in &decl.declared {
                if let Entity::Object(o) = declared.entity {
                    out.extend(new(Linked::Object(o.index())).map(|f| (declared.name, f)));
                }
            }
        }
        for (_, expr) in tree.exprs.iter().take(self.own) {
            let fresh = match &expr.kind {
                ExprKind::Ident(Resolved::Object(o)) => new(Linked::Object(o.index())),
                ExprKind::Ident(Resolved::Function(f)) => new(Linked::Function(f.index())),
                _ => None,
            };
            out.extend(fresh.map(|f| (expr.bare, f)));
        }
        out
    }

    fn source(&self) -> Source {
        let whole = &self.unit.source;
        let mut bytes = whole.bytes.clone();
        for span in &self.removed {
            let directives: Vec<&Span> = self.unit.tokens.directives_in(*span).collect();
            let within = bytes.iter_mut().enumerate();
            for (at, byte) in within.take(span.end).skip(span.start) {
                let kept = directives.iter().any(|d| d.contains(at));
                if !kept && *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
        let mut out = Vec::with_capacity(bytes.len());
        let mut done = 0;
        for (span, fresh) in self.changes() {
            if span.start < done || self.is_removed(span.start) {
                continue;
            }
            out.extend_from_slice(&bytes[done..span.start]);
            out.extend_from_slice(fresh.as_bytes());
            done = span.end;
        }
        out.extend_from_slice(&bytes[done..]);
        Source {
            files: whole.files.clone(),
            ..Source::from_bytes(out)
        }
    }
}

fn several(name: &str, at: Offset) -> Diagnostic {
    let span = Span::new(at, at + name.len());
    Diagnostic::error(
        span,
        format!("`{name}` has different meanings in two files of the program"),
    )
    .label("the second meaning")
    .help("give one of the two a name of its own")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(parts: [&str; 2]) -> Result<String, String> {
        let names = ["a.c", "b.c"];
        let source = |(text, name)| {
            let marked = format!("# 1 \"{name}\"\n{text}");
            Source::from_bytes(marked.into_bytes())
        };
        let sources = parts.into_iter().zip(names).map(source).collect();
        let unit = Unit::parse_all(sources).map_err(|e| e[0].message.clone())?;
        let own = unit.tree.exprs.iter().count();
        let keeps = |file: &str, name: &str| file == "b.c" && name == "kept";
        let source = merged(&unit, own, &keeps).map_err(|d| d.message)?.source;
        Unit::parse(source.clone()).map_err(|e| e[0].message.clone())?;
        Ok(source.text)
    }

    #[test]
    fn a_static_of_a_second_file_gets_another_name() {
        let text = read([
            "static int n; int get(void); int main(void) { n = 1; return get() + n; }\n",
            "static int n;\nint get(void) { int *p = &n; { int n = 2; *p = (n); } return sizeof(n) + n; }\n",
        ]);
        let expected = "# 1 \"a.c\"\nstatic int n; int get(void); int main(void) { n = 1; return get() + n; }\n\
                        # 1 \"b.c\"\nstatic int n_2;\nint get(void) { int *p = &n_2; { int n = 2; *p = (n); } return sizeof(n_2) + n_2; }\n";
        assert_eq!(text.unwrap(), expected);
    }

    #[test]
    fn an_external_name_stays_and_so_does_one_that_is_to_be_kept() {
        let text = read([
            "static int f(void) { return 1; } static int kept; int main(void) { return f() + kept; }\n",
            "static int kept; int f(void) { return kept; }\n",
        ]);
        let expected = "# 1 \"a.c\"\nstatic int f_2(void) { return 1; } static int kept_2; int main(void) { return f_2() + kept_2; }\n\
                        # 1 \"b.c\"\nstatic int kept; int f(void) { return kept; }\n";
        assert_eq!(text.unwrap(), expected);
    }

    #[test]
    fn what_a_header_declares_stands_once() {
        let header = "typedef struct s { int a; } s_t; enum e { one, two };\nextern s_t all;\nint next(enum e);\n";
        let main = format!("{header}int main(void) {{ return next(one) + all.a; }}\n");
        let other = format!("{header}s_t all;\nint next(enum e e) {{ return e == two; }}\n");
        let text = read([&main, &other]).unwrap();
        assert_eq!(text.matches("one, two").count(), 1, "{text}");
        assert!(text.contains("s_t all;\nint next(enum e e)"), "{text}");
    }

    #[test]
    fn a_function_stands_once_if_its_words_mean_the_same() {
        let header =
            "static int least(int a) { return a; }\nstatic int both(void) { return least(1); }\n";
        let main = format!("{header}int main(void) {{ return both(); }}\n");
        let same = format!("{header}int use(void) {{ return both(); }}\n");
        let text = read([&main, &same]).unwrap();
        assert_eq!(text.matches("static").count(), 2, "{text}");
        let other = format!(
            "static int least(int a) {{ return -a; }}\n{}",
            "static int both(void) { return least(1); }\nint use(void) { return both(); }\n"
        );
        let text = read([&main, &other]).unwrap();
        let end = "static int least_2(int a) { return -a; }\nstatic int both_2(void) { return least_2(1); }\nint use(void) { return both_2(); }\n";
        assert!(text.ends_with(end), "{text}");
    }

    #[test]
    fn a_static_function_keeps_its_declaration() {
        let text = read([
            "static int f(void);\nint main(void) { return f(); }\nstatic int f(void) { return 1; }\n",
            "static int f(void);\nint g(void) { return f(); }\nstatic int f(void) { return 2; }\n",
        ]);
        let end = "static int f_2(void);\nint g(void) { return f_2(); }\nstatic int f_2(void) { return 2; }\n";
        assert!(text.as_ref().is_ok_and(|t| t.ends_with(end)), "{text:?}");
    }

    #[test]
    fn names_are_restored_word_by_word() {
        let renamed = BTreeMap::from([("f_2".to_string(), "f".to_string())]);
        assert_eq!(
            restored(&renamed, "x = f_2(af_2, f_2);f_2"),
            "x = f(af_2, f);f"
        );
    }

    #[test]
    fn a_type_with_two_meanings_is_refused() {
        let of = |ty: &str| format!("struct s {{ {ty} a; }}; struct s v_{ty};");
        let main = format!("{}int main(void) {{ return v_int.a; }}\n", of("int"));
        let why = read([&main, &of("long")]);
        assert_eq!(
            why.unwrap_err(),
            "`s` has different meanings in two files of the program"
        );
        let why = read(["enum { n = 1 }; int main(void) { return n; }\n", "int n;\n"]);
        assert_eq!(
            why.unwrap_err(),
            "`n` has different meanings in two files of the program"
        );
    }
}
