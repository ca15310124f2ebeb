//! Tests that comments cite only headings that the documentation has.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

/// The cited pages. A citation is the page, a comma, and the heading in quotes.
const PAGES: [&str; 2] = ["docs/semantics.md", "docs/results.md"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn cited_sections_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = Vec::new();
    for (_, folder) in testing::crates() {
        sources(&folder, &mut all);
    }
    let mut cited = 0;
    for page in PAGES {
        let text = std::fs::read_to_string(root.join(page)).unwrap();
        let headings: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("## ")).collect();
        for path in &all {
            // A citation may continue in the next line of its comment.
            let text = std::fs::read_to_string(path).unwrap();
            let text = text.replace("\n//! ", " ").replace("\n/// ", " ");
            for part in text.split(&format!("{page}, \"")).skip(1) {
                let heading = part.split('"').next().unwrap();
                assert!(headings.contains(&heading), "{}: {heading}", path.display());
                cited += 1;
            }
        }
    }
    assert!(cited > 10, "{cited}");
}
