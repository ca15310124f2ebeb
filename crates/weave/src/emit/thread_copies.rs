//! Thread-local objects for model checkers that give all threads one copy of them.
//!
//! Such a version of ESBMC is told so by `-DBA_ONE_COPY`. Each emitted object of a thread is then an
//! array with an element for each thread, under the same name.

/// What a declaration of an object of a thread contains.
const MARK: &str = "BA_THREAD_LOCAL ";

/// The emitted text, with the second form beside each declaration of an object of a thread.
pub fn with_copies(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match second_form(line) {
            Some(second) => {
                let first = line.trim_end_matches('\n');
                out.push_str(&format!(
                    "#ifdef BA_ONE_COPY\n{second}#else\n{first}\n#endif\n"
                ));
            }
            None => out.push_str(line),
        }
    }
    out
}

/// The arrays that a line's objects are, and the macros that give a thread's elements.
fn second_form(line: &str) -> Option<String> {
    let (before, rest) = line.split_once(MARK)?;
    if line.trim_start().starts_with('#') {
        return None;
    }
    let declaration = rest.split_once(';')?.0;
    let name_at = declaration.find("ba_")?;
    let (kind, objects) = declaration.split_at(name_at);
    let mut second = String::new();
    for object in objects.split(", ") {
        let (declarator, value) = match object.split_once(" = ") {
            Some((declarator, value)) => (declarator, Some(value)),
            None => (object, None),
        };
        let name_end = declarator.find('[').unwrap_or(declarator.len());
        let (name, extent) = declarator.split_at(name_end);
        let values = match value {
            Some(value) => format!(" = {{ [0 ... BA_COPIES - 1] = {value} }}"),
            None => String::new(),
        };
        second.push_str(&format!(
            "{before}{kind}ba_all_{name}[BA_COPIES]{extent}{values};\n#define {name} ba_all_{name}[BA_ME]\n"
        ));
    }
    Some(second)
}

#[cfg(test)]
mod tests {
    use super::with_copies;

    #[test]
    fn each_object_of_a_thread_is_an_array_under_its_name() {
        let text = "BA_UNUSED static BA_THREAD_LOCAL unsigned ba_depth_f; /* deep */\n\
                    static BA_THREAD_LOCAL _Bool ba_a = 0, ba_b = 1;\n\
                    static BA_THREAD_LOCAL unsigned char ba_mine[BA_CODES];\n\
                    extern BA_UNUSED BA_THREAD_LOCAL const volatile void *ba_at;\n";
        let out = with_copies(text);
        for part in [
            "BA_UNUSED static unsigned ba_all_ba_depth_f[BA_COPIES];\n#define ba_depth_f ba_all_ba_depth_f[BA_ME]\n",
            "static _Bool ba_all_ba_b[BA_COPIES] = { [0 ... BA_COPIES - 1] = 1 };\n",
            "static unsigned char ba_all_ba_mine[BA_COPIES][BA_CODES];\n#define ba_mine ba_all_ba_mine[BA_ME]\n",
            "extern BA_UNUSED const volatile void *ba_all_ba_at[BA_COPIES];\n#define ba_at ",
            "#else\nBA_UNUSED static BA_THREAD_LOCAL unsigned ba_depth_f; /* deep */\n#endif\n",
        ] {
            assert!(out.contains(part), "{part} in {out}");
        }
    }

    #[test]
    fn all_else_stays() {
        let text = "#define BA_THREAD_LOCAL _Thread_local\nstatic int ba_x;\nint f(void);";
        assert_eq!(with_copies(text), text);
    }
}
