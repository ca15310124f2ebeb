//! What compilers write down for the checks of `-fsanitize` lies among the program's variables, though nothing writes it. Each state is a
//! copy of the variables, and this may be ten times as large: it goes where memory is read-only once the program has been loaded.

/// How gcc names the sections of these descriptions, one for each with `-fdata-sections`.
const AMONG_VARIABLES: &[u8] = b".data.rel.local..Lubsan_";
/// A name of the same length, of a section that linkers put beside those that are read-only after relocation.
const READ_ONLY: &[u8] = b".data.rel.ro.ba..Lubsan_";

/// Renames these sections in an object file; the number of those that were found.
pub(super) fn apart(object: &mut [u8]) -> usize {
    let mut found = 0;
    let mut at = 0;
    while let Some(rest) = object.get_mut(at..at + AMONG_VARIABLES.len()) {
        match rest == AMONG_VARIABLES {
            true => {
                rest.copy_from_slice(READ_ONLY);
                found += 1;
                at += AMONG_VARIABLES.len();
            }
            false => at += 1,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_long_as_before() {
        assert_eq!(AMONG_VARIABLES.len(), READ_ONLY.len());
        let mut object =
            b"\0.rela.data.rel.local..Lubsan_data7\0.data.rel.local.x\0.data.rel.local..Lubsan_"
                .to_vec();
        assert_eq!(apart(&mut object), 2);
        assert_eq!(
            object,
            b"\0.rela.data.rel.ro.ba..Lubsan_data7\0.data.rel.local.x\0.data.rel.ro.ba..Lubsan_"
        );
        assert_eq!(apart(&mut []), 0);
    }
}
