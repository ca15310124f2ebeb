//! Functions of CBMC's own library that it could not use, because the program declares them with other types.
//!
//! CBMC (5.12 to 6.6) then says so in a warning and takes the function for one without a body: it returns any value
//! and writes nothing. `memset` with such a prototype sets no byte, and `malloc` returns null or a pointer to
//! anything, so neither what holds nor what fails says anything about the program.

use super::Output;

/// Why an answer says nothing about the program: a function of the library that it could not use, and the place of the
/// program's declaration. `None` if there is no such function.
pub(super) fn replaced(output: &Output, stderr: &str) -> Option<String> {
    let messages = || {
        let told = output.warnings.iter().chain(&output.errors);
        told.map(String::as_str).chain([stderr])
    };
    let name = messages().flat_map(str::lines).find_map(|line| {
        let (_, rest) = line.split_once("Linking library function '")?;
        Some(rest.split_once("' failed")?.0)
    })?;
    // The declaration that it names may be that of a function which this one calls.
    let place = messages().find_map(|text| {
        let (_, rest) = text.split_once("old definition in module '")?;
        let line = rest.lines().next()?;
        let (file, line) = line.split_once(" file ")?.1.rsplit_once(" line ")?;
        Some(format!(" at {file}:{line}"))
    });
    let place = place.unwrap_or_default();
    Some(format!(
        "the program declares `{name}`, or a function that `{name}` calls,{place} with other types than the C library has, and CBMC would let it \
         return any value and write nothing; include the header that declares it, or define the function"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recorded from CBMC 6.6.0.
    const TOLD: &str = "
reason for conflict at #this: conflict on POD

unsigned int
__CPROVER_size_t

file <builtin-library-malloc> line 11: conflicting function declarations 'malloc'
old definition in module 'm1' file src/m1.c line 7
void * (unsigned int)
new definition in module '<built-in-library>' file <builtin-library-malloc> line 11
void * (__CPROVER_size_t malloc_size)
typechecking main failed
Linking library function 'malloc' failed
";

    #[test]
    fn a_function_of_the_library_with_another_prototype_is_named_with_its_place() {
        let told = replaced(&Output::default(), TOLD).unwrap_or_default();
        assert!(told.contains("`malloc`"), "{told}");
        assert!(told.contains("at src/m1.c:7"), "{told}");
        assert_eq!(replaced(&Output::default(), "warning: something"), None);
        let json = Output {
            errors: vec![TOLD.lines().skip(6).take(4).collect::<Vec<_>>().join("\n")],
            warnings: vec!["Linking library function 'malloc' failed".into()],
            ..Output::default()
        };
        assert!(replaced(&json, "").is_some_and(|t| t.contains("src/m1.c:7")));
    }
}
