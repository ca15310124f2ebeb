//! The documentation is true: every code block runs and gives the shown output, every link has a
//! target, and the references list exactly what the program has.
//!
//! The first word of a block says its kind. `c`, `json`, `text` and others with `file=NAME` are
//! written into the page's directory; `console` has commands after `$ ` and below each its output:
//! lines in order, where `…` stands for omitted lines and white space counts as one space; `ltl`
//! has one formula per line; `text` without a name is not checked.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::support::{cbmc, ran, repository, Dir};

/// The pages: the README, and those of the book.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = std::fs::read_dir(repository("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    pages.push(repository("README.md"));
    pages.sort();
    pages
}

fn text(page: &str) -> String {
    std::fs::read_to_string(repository(page)).unwrap()
}

/// A fenced block.
struct Block {
    /// The words after the fence.
    info: Vec<String>,
    lines: Vec<String>,
    /// The line number of its fence.
    at: usize,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut open = false;
    for (number, line) in text.lines().enumerate() {
        if let Some(info) = line.trim_start().strip_prefix("```") {
            if !open {
                let words = info.split_whitespace().map(str::to_owned).collect();
                found.push(Block {
                    info: words,
                    lines: Vec::new(),
                    at: number + 1,
                });
            }
            open = !open;
        } else if open {
            found.last_mut().unwrap().lines.push(line.to_owned());
        }
    }
    assert!(!open, "a block is not closed");
    found
}

/// Runs the blocks of a page and reports what is wrong.
fn run_page(page: &str) {
    let dir = Dir::new();
    let mut wrong = Vec::new();
    for block in blocks(&text(page)) {
        let place = format!("{page}:{}", block.at);
        let kind = block.info.first().map_or("", String::as_str);
        let named = block.info.iter().find_map(|w| w.strip_prefix("file="));
        match (kind, named) {
            (_, Some(name)) => dir.write(name, block.lines.join("\n") + "\n"),
            ("console", None) => console(&dir, &block, &place, &mut wrong),
            ("ltl", None) => formulas(&dir, &block, &place, &mut wrong),
            ("text", None) => {}
            // Blocks that are shown but not run, in any language.
            ("sh" | "makefile" | "c" | "json" | "yaml" | "rust" | "cmake" | "toml", None)
                if block.info.iter().any(|w| w == "shown") => {}
            _ => wrong.push(format!("{place}: a block of no known kind: `{kind}`; one that does not run is `text`, or has the word `shown`")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn formulas(dir: &Dir, block: &Block, place: &str, wrong: &mut Vec<String>) {
    let lines = block.lines.iter().filter(|l| !l.trim().is_empty());
    let list: String = lines.map(|l| format!("{l}\n")).collect();
    dir.write("formulas.txt", &list);
    let ran = dir.run(&["ltl", "-F", "formulas.txt"]);
    if ran.status != 0 {
        wrong.push(format!("{place}: {}", ran.stderr));
    }
}

/// Runs the commands of a block and compares their output.
fn console(dir: &Dir, block: &Block, place: &str, wrong: &mut Vec<String>) {
    let mut commands: Vec<(String, Vec<&str>)> = Vec::new();
    for line in &block.lines {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_owned(), Vec::new())),
            (None, Some((command, _))) if command.ends_with('\\') => {
                command.pop();
                command.push_str(line.trim());
            }
            (None, Some((_, output))) => output.push(line),
            (None, None) => wrong.push(format!("{place}: output without a command")),
        }
    }
    for (command, output) in commands {
        let printed = shell(dir, &command);
        if let Err(line) = holds(&output, &printed) {
            wrong.push(format!(
                "{place}: `{command}` does not print `{line}`, but\n{printed}"
            ));
        }
    }
}

/// The output of a command on both streams, in a shell with the program on its path.
fn shell(dir: &Dir, command: &str) -> String {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_baproduct"));
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .current_dir(dir.path(""));
    ran(&mut shell).stdout
}

/// Whether lines occur in a text in order, or else the first line that does not; white space counts
/// as one space, and at `…` other lines may intervene. The first line may occur anywhere, since
/// times and versions are left out.
fn holds<'a>(lines: &[&'a str], printed: &str) -> Result<(), &'a str> {
    let plain = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let printed: Vec<String> = printed
        .lines()
        .map(plain)
        .filter(|l| !l.is_empty())
        .collect();
    let mut at = 0;
    for line in lines {
        let wanted = plain(line);
        if wanted.is_empty() || wanted == "…" {
            continue;
        }
        // A line that ends in `…` shows only the start.
        let same = |found: &String| match wanted.strip_suffix('…') {
            Some(start) => found.starts_with(start.trim_end()),
            None => *found == wanted,
        };
        match printed[at..].iter().position(same) {
            Some(found) => at += found + 1,
            None => return Err(line),
        }
    }
    Ok(())
}

macro_rules! run {
    ($($name:ident: $page:literal),* $(,)?) => {
        $(#[test] fn $name() {
            if cbmc() {
                run_page($page);
            }
        })*

        /// Checks all pages that have no test of their own.
        #[test]
        fn all_other_pages() {
            let run: Vec<PathBuf> = [$($page),*].iter().map(|p| repository(p)).collect();
            let others = pages().into_iter().filter(|page| !run.contains(page));
            for page in others.collect::<Vec<_>>() {
                if cbmc() {
                    run_page(&format!("docs/{}", page.file_name().unwrap().to_string_lossy()));
                }
            }
        }
    };
}

run! {
    readme: "README.md",
    summary: "docs/SUMMARY.md",
    overview: "docs/overview.md",
    tutorial: "docs/tutorial.md",
    guide: "docs/guide.md",
    specification: "docs/specification.md",
    libraries: "docs/libraries.md",
    firmware: "docs/firmware.md",
    memory_models: "docs/memory-models.md",
    requirements: "docs/requirements.md",
    commands: "docs/commands.md",
    results: "docs/results.md",
    semantics: "docs/semantics.md",
    patterns: "docs/patterns.md",
    comparison: "docs/comparison.md",
    formats: "docs/formats.md",
    troubleshooting: "docs/troubleshooting.md",
    integration: "docs/integration.md",
}

/// The pages of the book and all other pages of the repository for people.
fn all_pages() -> Vec<PathBuf> {
    let mut all = pages();
    all.extend(["ARCHITECTURE.md", "CHANGELOG.md", "tests/README.md"].map(repository));
    for folder in std::fs::read_dir(repository("spec-examples")).unwrap() {
        all.push(folder.unwrap().path().join("README.md"));
    }
    all.retain(|page| page.exists());
    all
}

/// The anchors that code hosts and mdBook generate for the headings of a page.
fn anchors(text: &str) -> Vec<String> {
    let mut code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        code ^= line.trim_start().starts_with("```");
        if code || !line.starts_with('#') {
            continue;
        }
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        let kept = heading
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        found.push(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
    }
    found
}

#[test]
fn links_lead_somewhere() {
    let mut wrong = Vec::new();
    for page in all_pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let directory = page.parent().unwrap();
        for part in text.split("](").skip(1) {
            let target = part.split(')').next().unwrap_or_default();
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            // A target with a space is a formula: `[](p && q)`.
            if target.starts_with("http") || target.contains(' ') {
                continue;
            }
            let goal = match file {
                "" => page.clone(),
                file => directory.join(file),
            };
            let missing = match anchor {
                "" => !goal.exists(),
                anchor => {
                    let there = std::fs::read_to_string(&goal).unwrap_or_default();
                    !anchors(&there).iter().any(|known| known == anchor)
                }
            };
            if missing {
                wrong.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = text("docs/SUMMARY.md");
    for page in pages() {
        let name = page.file_name().unwrap().to_string_lossy().into_owned();
        if name != "SUMMARY.md" && name != "README.md" {
            assert!(summary.contains(&format!("({name})")), "{name}");
        }
    }
}

#[test]
fn the_reference_of_options_is_the_programs_own() {
    let page = repository("docs/commands.md");
    let own = Dir::new().run(&["manual", "markdown"]);
    assert_eq!(own.status, 0, "{own:?}");
    if std::env::var_os("BAPRODUCT_UPDATE_DOCS").is_some() {
        std::fs::write(&page, &own.stdout).unwrap();
    }
    let there = std::fs::read_to_string(&page).unwrap();
    assert!(
        there == own.stdout,
        "docs/commands.md is not what `baproduct manual markdown` writes; BAPRODUCT_UPDATE_DOCS=1 with this test writes it"
    );
}

/// The names of all properties of a schema, definitions included.
fn names(schema: &Value, found: &mut BTreeMap<String, ()>) {
    match schema {
        Value::Object(members) => {
            for (key, value) in members {
                match value.as_object().filter(|_| key == "properties") {
                    Some(own) => {
                        found.extend(own.keys().map(|name| (name.clone(), ())));
                        own.values().for_each(|value| names(value, found));
                    }
                    None => names(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| names(item, found)),
        _ => {}
    }
}

#[test]
fn the_references_have_every_key_of_their_schemas() {
    for (option, page) in [
        ("--schema", "docs/specification.md"),
        ("--result-schema", "docs/results.md"),
    ] {
        let schema = Dir::new().run(&["init", option]).stdout;
        let mut keys = BTreeMap::new();
        names(&serde_json::from_str(&schema).unwrap(), &mut keys);
        let page_text = text(page);
        let missing: Vec<_> = keys
            .keys()
            .filter(|key| !page_text.contains(&format!("`{key}`")))
            .collect();
        assert!(missing.is_empty(), "{page} lacks {missing:?}");
    }
}

#[test]
fn man_pages_and_completions_are_written() {
    let dir = Dir::new();
    assert_eq!(dir.run(&["manual", "man", "-o", "man1"]).status, 0);
    let page = dir.read("man1/baproduct-verify.1");
    assert!(page.contains("\\-\\-unwind"), "{page}");
    for (shell, part) in [
        ("bash", "complete -F"),
        ("zsh", "#compdef baproduct"),
        ("fish", "complete -c baproduct"),
    ] {
        let ran = dir.run(&["manual", shell]);
        assert!(ran.status == 0 && ran.stdout.contains(part), "{shell}");
    }
}
