//! The arguments of the command line in sequential programs.

use cfront::arguments::{parameter, ArgumentRead};

use crate::facts::Facts;
use crate::options::Options;

/// What gives an argument by its index.
pub(crate) const READ: &str = "ba_seq_argument";

/// The reads `argv[i]` of `main`'s second parameter, if these are all its uses.
pub(crate) fn reads(facts: &Facts) -> Option<Vec<ArgumentRead>> {
    let argv = parameter(facts.tree)?;
    let all = cfront::arguments::reads(facts.tree, facts.idents_of(argv));
    all.filter(|all| !all.is_empty())
}

/// The number of arguments, and what gives one. In step form they are places that cannot be read, since functions of the library
/// have contracts there; by rounds, the first ones are strings of any length, the same wherever they are read.
pub(crate) fn text(options: &Options) -> String {
    let number = "static int ba_seq_arguments; /* the number of the program's arguments */\n";
    let place = format!("#define {READ}(at) ((at) < ba_seq_arguments ? (char *)16 : (char *)0)\n");
    match options.steps {
        true => format!("{number}{place}"),
        false => format!("{number}#ifdef BA_SEQ_NATIVE\n{place}#else\n{STRINGS}#endif\n"),
    }
}

/// Strings that exist from their first read on.
const STRINGS: &str = r"static char *ba_seq_strings[8];
static char *ba_seq_argument(long at) {
  if (at < 0 || at >= ba_seq_arguments) return 0;
  if (at >= 8) return (char *)16; /* not followed */
  if (!ba_seq_strings[at]) {
    unsigned long size = nondet_ba_seq();
    BA_SEQ_ASSUME(size > 0 && size <= 131072);
#ifdef __CPROVER__
    char *string = __CPROVER_allocate(size, 0);
#else
    void *malloc(__SIZE_TYPE__);
    char *string = malloc(size);
    BA_SEQ_ASSUME(string != 0);
#endif
    BA_SEQ_ASSUME(string[size - 1] == 0);
    ba_seq_strings[at] = string;
  }
  return ba_seq_strings[at];
}
";
