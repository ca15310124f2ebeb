//! Families of formulas that are hard for translators (Geldenhuys & Hansen 2006; Rozier & Vardi
//! 2007; Gastin & Oddoux 2001; Cichoń, Czubak & Jasiński 2009; Sickert et al. 2016; Müller & Sickert
//! 2017).

fn join(parts: impl Iterator<Item = String>, by: &str) -> String {
    parts.collect::<Vec<_>>().join(by)
}

fn counter(n: usize) -> String {
    // Rozier & Vardi's counter: m marks the least significant bit, b is the counter's bit.
    let x = |k: usize| "X".repeat(k);
    let marks = format!("(m && G(m -> ({}))", {
        let no = join((1..n).map(|k| format!("{} !m", x(k))), " && ");
        if no.is_empty() {
            format!("{} m", x(n))
        } else {
            format!("{no} && {} m", x(n))
        }
    });
    let zero = join((0..n).map(|k| format!("{} !b", x(k))), " && ");
    format!(
        "{marks}) && ({zero}) && G((m && !b) -> ({xn} b && X((!m && (b <-> {xn} b)) U m))) && G((m && b) -> ({xn} !b && X((b && !m && {xn} !b) U (m || (!m && !b && {xn} b && X((!m && (b <-> {xn} b)) U m))))))",
        xn = x(n)
    )
}

/// The formulas of size `n`, by the name of their family.
pub fn families(n: usize) -> Vec<(&'static str, String)> {
    let p = |i: usize| format!("p{i}");
    vec![
        (
            "u-right",
            (1..=n).rev().fold(p(n + 1), |f, i| format!("(p{i} U {f})")),
        ),
        (
            "u-left",
            (2..=n + 1).fold(p(1), |f, i| format!("({f} U p{i})")),
        ),
        (
            "r-right",
            (1..=n).rev().fold(p(n + 1), |f, i| format!("(p{i} R {f})")),
        ),
        (
            "r-left",
            (2..=n + 1).fold(p(1), |f, i| format!("({f} R p{i})")),
        ),
        ("gf-and", join((1..=n).map(|i| format!("G F p{i}")), " && ")),
        ("gf-or", join((1..=n).map(|i| format!("G F p{i}")), " || ")),
        ("fg-and", join((1..=n).map(|i| format!("F G p{i}")), " && ")),
        ("f-and", join((1..=n).map(|i| format!("F p{i}")), " && ")),
        ("g-or", join((1..=n).map(|i| format!("G p{i}")), " || ")),
        (
            "gh-q",
            join((1..=n).map(|i| format!("(F p{i} || G p{})", i + 1)), " && "),
        ),
        (
            "gh-r",
            join(
                (1..=n).map(|i| format!("(GF p{i} || FG p{})", i + 1)),
                " && ",
            ),
        ),
        (
            "fair-theta",
            format!(
                "!(({}) -> G(q -> F r))",
                join((1..=n).map(|i| format!("GF p{i}")), " && ")
            ),
        ),
        (
            "go-fair",
            format!(
                "({}) -> G(q -> F r)",
                join((1..=n).map(|i| format!("GF p{i}")), " && ")
            ),
        ),
        (
            "responses",
            join((1..=n).map(|i| format!("G(p{i} -> F q{i})")), " && "),
        ),
        (
            "strong-fair",
            join((1..=n).map(|i| format!("(GF p{i} -> GF q{i})")), " && "),
        ),
        (
            "ccj-alpha",
            format!(
                "{} && {}",
                (1..n)
                    .rev()
                    .fold(format!("F p{n}"), |f, i| format!("F(p{i} && {f})")),
                (1..n)
                    .rev()
                    .fold(format!("F q{n}"), |f, i| format!("F(q{i} && {f})"))
            ),
        ),
        (
            "ccj-beta",
            format!(
                "F({}) && F({})",
                join((0..n).map(|i| format!("{} p", "X ".repeat(i))), " && "),
                join((0..n).map(|i| format!("{} q", "X ".repeat(i))), " && ")
            ),
        ),
        ("x-chain", format!("G(p -> {} q)", "X ".repeat(n))),
        ("fx", format!("F(p && {} q)", "X ".repeat(n))),
        ("gx-or", format!("G(p || {} q)", "X ".repeat(n))),
        (
            "gf-equiv",
            format!(
                "({}) <-> GF z",
                join((1..=n).map(|i| format!("GF p{i}")), " && ")
            ),
        ),
        ("counter", counter(n)),
        (
            "invariant",
            format!("G({})", join((1..=n).map(|i| format!("r{i}")), " || ")),
        ),
        (
            "sejk-k",
            join((1..=n).map(|i| format!("(GF p{i} || FG q{i})")), " && "),
        ),
        (
            "sejk-f",
            (1..=n).rev().fold("GF p0".to_string(), |f, i| {
                format!("G(F p{i} && ({f}) U q{i})")
            }),
        ),
        (
            "ms-phi-r",
            (1..=n).fold("FG p0 || GF q0".to_string(), |f, i| {
                if i % 2 == 1 {
                    format!("({f}) && (FG p{i} || GF q{i})")
                } else {
                    format!("({f}) || (FG p{i} && GF q{i})")
                }
            }),
        ),
    ]
}
