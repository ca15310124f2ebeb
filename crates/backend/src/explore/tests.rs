use super::parts;
use std::process::Command;

/// Searches are linked from objects; where these do not fit, the sources are compiled.
#[test]
fn all_parts_have_objects_and_compile() {
    let directory = crate::Scratch::new().expect("there is a place for temporary files");
    for (name, text) in parts::HEADERS {
        std::fs::write(directory.path().join(name), text).expect("it can be written");
    }
    let mains = [parts::EXPLORE, parts::REFINE, parts::WALK, parts::SAMPLE];
    for part in parts::COMMON.into_iter().chain(mains) {
        assert!(part.object.starts_with(b"\x7fELF"), "{}", part.name);
        let source = format!("{}.c", part.name);
        std::fs::write(directory.path().join(&source), part.text).expect("it can be written");
        let compiled = Command::new("gcc")
            .args(["-w", "-c", &source, "-o", "part.o"])
            .current_dir(directory.path())
            .status();
        assert!(compiled.expect("gcc is installed").success(), "{source}");
    }
}
