//! What a thread says in front of an access that may be a part of a race, as text.

/// The name of the function of the model that is told of accesses.
pub(crate) const WATCH: &str = "__VERIFIER_atomic_memmodel_watch";

/// What a program says of its accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Which accesses can be next: exact where atomic operations are sequentially consistent.
    Next,
    /// What happens after one access that is chosen, by way of the model of the memory of C11 (`templates/memory/races.c`).
    Past,
}

/// An access that may be a part of a race.
pub(super) struct Says<'a> {
    /// The beginning of the names of what is added.
    pub name: &'a str,
    /// Its number.
    pub number: usize,
    /// The number of its group.
    pub group: usize,
    pub writes: bool,
    pub atomic: bool,
    /// The place and the size of what it accesses; `None` if all accesses of the group access the same object.
    pub memory: Option<(&'a str, &'a str)>,
    /// Whether some thread has to watch from it.
    pub watching: bool,
}

impl Says<'_> {
    /// The statements, as an expression. They stand where the access stands, so that runs show its line.
    pub fn text(&self, form: Form) -> String {
        match form {
            Form::Next => self.next(),
            Form::Past => self.past(),
        }
    }

    fn kind(&self) -> u8 {
        u8::from(self.writes) + 2 * u8::from(!self.atomic)
    }

    fn next(&self) -> String {
        let (name, number, group, kind) = (self.name, self.number, self.group, self.kind());
        // A write or an access that is not atomic races with any, others with those only.
        let mut same = format!("{name}_group == {group}");
        for (bit, has) in [(1, self.writes), (2, !self.atomic)] {
            if !has {
                same.push_str(&format!(" && ({name}_kind & {bit})"));
            }
        }
        let (mut locals, mut set, mut clear) = (String::new(), String::new(), String::new());
        if let Some((at, size)) = self.memory {
            locals =
                format!("char *{name}_here = (char *){at}; unsigned long {name}_bytes = {size}; ");
            same.push_str(&format!(
                " && (unsigned long){name}_here < (unsigned long){name}_at + {name}_size && (unsigned long){name}_at < (unsigned long){name}_here + {name}_bytes"
            ));
            set = format!("{name}_at = {name}_here; {name}_size = {name}_bytes; ");
            clear = format!("{name}_at = 0; {name}_size = 0; ");
        }
        let (begin, end) = ("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();");
        let found = format!("{name}_second = {number};");
        match self.watching {
            false => format!("({{ {locals}{begin} if ({name}_first != 0 && {same}) {found} {end} }})"),
            true => format!(
                "({{ {locals}int {name}_mine = 0; {begin} if ({name}_first == 0) {{ {name}_mine = 1; {set}{name}_kind = {kind}; {name}_group = {group}; {name}_first = {number}; }} \
                 else if ({same}) {found} {end} {begin} if ({name}_mine) {{ {clear}{name}_kind = 0; {name}_group = 0; {name}_first = 0; }} {end} }})"
            ),
        }
    }

    /// The model says whether the access is the chosen one, or one that races with it.
    fn past(&self) -> String {
        let (name, number, group, kind) = (self.name, self.number, self.group, self.kind());
        let (at, size) = self.memory.unwrap_or(("0", "0"));
        format!(
            "({{ int {name}_is = {WATCH}({at}, {size}, {group}, {kind}); \
             if ({name}_is == 1) {name}_first = {number}; else if ({name}_is == 2) {name}_second = {number}; }})"
        )
    }
}

/// The variables that say which access a thread is about to make. What the model does stands in place of an empty function.
pub(super) fn declarations(name: &str, form: Form) -> String {
    match form {
        Form::Next => format!(
            "static int {name}_first, {name}_second, {name}_group, {name}_kind; static char *{name}_at; static unsigned long {name}_size; "
        ),
        Form::Past => format!(
            "static int {name}_first, {name}_second; int {WATCH}(const volatile void *at, unsigned long size, int group, int kind) {{ return 0; }} "
        ),
    }
}
