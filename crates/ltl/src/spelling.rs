//! What other languages call the operators: PSL, SystemVerilog's assertions, NuSMV, SPIN, UPPAAL and metric logics. They are
//! not read, because the same word means different things in them; who writes one is told what to write instead.

/// Advice on a word between two formulas.
pub(crate) fn infix(word: &str) -> Option<&'static str> {
    Some(match word {
        "until" | "𝒰" | "until_" => {
            "until is `p U q`; where `q` need not come, as in PSL and SystemVerilog, it is `p W q`"
        }
        "s_until" => "until is written `U`",
        "until_with" => "`q` need not come: `p W (p && q)`",
        "s_until_with" => "write `p U (p && q)`",
        "weakuntil" | "weak_until" | "unless" => "weak until is written `W`",
        "release" | "releases" => "release is written `R`",
        "since" => "since is written `S`",
        "triggered" | "T" => "the dual of since is written `B`",
        "before" => "`p` comes, and not behind `q`: `!q W (p && !q)`",
        "implies" | "imply" => "implication is written `->`",
        "iff" | "equiv" | "xnor" => "equivalence is written `<->`",
        "leadsto" | "leads_to" => "`p` leads to `q`: `G(p -> F q)`",
        "U_" | "R_" | "S_" => "bounds stand right behind the operator, as in `p U[2,5] q`",
        _ => return None,
    })
}

/// Advice on a word in front of a formula.
pub(crate) fn prefix(word: &str) -> Option<&'static str> {
    Some(match word {
        "always" | "globally" | "Globally" | "henceforth" => "always is written `G`",
        "eventually" | "s_eventually" | "finally" | "Finally" | "sometime" | "sometimes" => {
            "eventually is written `F`"
        }
        "next" | "Next" | "nexttime" | "s_nexttime" => {
            "next is written `X`, and three letters later `X[3]`"
        }
        "never" => "never is written `G !p`",
        "historically" => "up to now is written `H`",
        "once" | "past" => "once is written `O`",
        "previous" | "previously" | "prev" | "yesterday" => {
            "at the letter before is written `Y`, or `Z`, which is true at the first letter"
        }
        "rose" | "fell" | "stable" => {
            "`p` has become true: `p && !Y p`; false: `!p && Y p`; it is as before: `p <-> Y p`"
        }
        "A" | "E" | "AG" | "AF" | "AX" | "EG" | "EF" | "EX" => {
            "a formula here is about every run, without a sign for it: `G p` for `AG p`, `G F p` for `AG AF p`"
        }
        "LTLSPEC" | "SPEC" | "CTLSPEC" | "INVARSPEC" | "ltl" | "property" | "assert" | "assume" => {
            "a formula stands alone, without a word in front of it"
        }
        "if" => "`if p then q` is written `p -> q`",
        "forall" | "exists" => {
            "a value is remembered so: `G (p -> let v = msg in F (q && data == v))`"
        }
        "F_" | "G_" | "X_" | "O_" | "H_" => {
            "bounds stand right behind the operator, as in `F[2,5] p`"
        }
        _ => return None,
    })
}

/// Advice on a sign that no formula has.
pub(crate) fn sign(c: char) -> Option<&'static str> {
    Some(match c {
        '[' => "`[]` is always; a C condition is written in braces, as `{a[0] > 1}`",
        '<' | '>' | '=' | '-' | '+' | '*' | '%' | '.' | '\'' => {
            "a C condition is written in braces, as `{x > 1}`"
        }
        '/' | '\\' => "and is `/\\`, or is `\\/`",
        '}' => "a C condition begins with `{`",
        '#' => "one letter after the other is a sequence: `{a; b}`, and with two letters between them `{a; [*2]; b}`",
        '$' => "`$past(p)` is `Y p`, `$rose(p)` is `p && !Y p`, `$fell(p)` is `!p && Y p`, `$stable(p)` is `p <-> Y p`",
        '@' => "a formula has no clock: its letters are those that `trace` in the specification says",
        '?' => "`p ? q : r` is written `(p -> q) && (!p -> r)`",
        ',' => "formulas are joined by `&&`; bounds are in square brackets, as in `F[2,5] p`",
        _ => return None,
    })
}
