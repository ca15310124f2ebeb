//! What the server says while a program is being read: the host reads it when the test lets it.
#![allow(missing_docs, clippy::unwrap_used)]

use lsp::{Checked, Finding, Host, Job, Outcome, Stop, Where};
use serde_json::{json, Value};
use spec::{Diagnostic, Severity};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

const FILE: &str = "/w/p.c";

const TEXT: &str =
    "//@ ltl G p\nint a;\nint f(void)\n{\n    return 1;\n}\nint g(void)\n{\n    return 2;\n}\n";

/// The first reading tells a warning of `f`; each later one waits until the test says go.
struct Slow {
    asked: Sender<()>,
    go: Mutex<Receiver<()>>,
    /// The texts of which errors were asked.
    excerpts: Arc<Mutex<Vec<String>>>,
}

fn finding(line: u32, bytes: std::ops::Range<usize>, title: &str) -> Finding {
    Finding {
        file: Some(PathBuf::from(FILE)),
        place: Where::Line(line, bytes),
        diagnostic: Diagnostic::error(title, 0..0),
    }
}

impl Host for Slow {
    fn read(&self, _: &Path) -> Option<String> {
        None
    }

    fn siblings(&self, _: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    fn check(&self, _: &Job, _: &Stop, _: &dyn Fn(Checked)) -> Option<Checked> {
        self.asked.send(()).unwrap();
        self.go.lock().unwrap().recv().unwrap();
        let mut warning = finding(4, 4..10, "slow");
        warning.diagnostic.severity = Severity::Warning;
        Some(Checked {
            findings: vec![warning],
            ..Checked::default()
        })
    }

    fn errors(&self, job: &Job) -> Vec<Finding> {
        let text = &job.unsaved[Path::new(FILE)];
        self.excerpts.lock().unwrap().push(text.clone());
        let lines = text.lines().enumerate();
        let wrong = lines.filter(|(_, line)| line.contains("oops"));
        let found = wrong.map(|(at, line)| finding(at as u32, 4..line.len(), "wrong"));
        // One that is told where the first line is edited, and not where only a function is.
        found.chain([finding(0, 0..1, "elsewhere")]).collect()
    }

    fn verify(&self, _: &Job, _: &str, _: &Stop) -> Result<Vec<Outcome>, String> {
        Err("nothing is verified here".to_owned())
    }
}

struct Client {
    input: UnixStream,
    output: BufReader<UnixStream>,
}

impl Client {
    fn tell(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    }

    fn change(&mut self, version: i32, text: &str) {
        let uri = format!("file://{FILE}");
        self.tell(&json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
            "textDocument": { "uri": uri, "version": version }, "contentChanges": [{ "text": text }] } }));
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).unwrap();
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().unwrap(),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    /// The version, and the message and the line of each diagnostic, of what is published next.
    fn published(&mut self) -> (i64, Vec<(String, u64)>) {
        loop {
            let message = self.receive();
            let params = &message["params"];
            if message["method"] != "textDocument/publishDiagnostics" {
                continue;
            }
            let all = params["diagnostics"].as_array().unwrap().iter();
            let of = |d: &Value| {
                let line = d["range"]["start"]["line"].as_u64().unwrap();
                (d["message"].as_str().unwrap().to_owned(), line)
            };
            return (params["version"].as_i64().unwrap(), all.map(of).collect());
        }
    }
}

/// A client of a new server with this host, which has opened the file; and the server.
fn opened(host: impl Host) -> (Client, JoinHandle<bool>) {
    let (theirs, ours) = UnixStream::pair().unwrap();
    let (their_input, their_output) = (theirs.try_clone().unwrap(), theirs);
    let (input, output) = (ours.try_clone().unwrap(), ours);
    let server = std::thread::spawn(move || {
        lsp::serve(Arc::new(host), BufReader::new(their_input), their_output)
    });
    let output = BufReader::new(output);
    let mut client = Client { input, output };
    client.tell(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": { "processId": null, "rootUri": null, "capabilities": {} } }));
    client.tell(
        &json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": {
        "uri": format!("file://{FILE}"), "languageId": "c", "version": 1, "text": TEXT } } }),
    );
    (client, server)
}

/// Errors in what is typed are told while the program is read, with what is known of the rest at the lines where it stands
/// now; then what the whole program says takes their place.
#[test]
fn errors_are_told_before_the_program_is_read() {
    let (asked, asks) = mpsc::channel();
    let (go, waits) = mpsc::channel();
    let excerpts = Arc::new(Mutex::new(Vec::new()));
    let host = Slow {
        asked,
        go: Mutex::new(waits),
        excerpts: Arc::clone(&excerpts),
    };
    let (mut client, server) = opened(host);
    asks.recv().unwrap();
    go.send(()).unwrap();
    assert_eq!(client.published(), (1, vec![("slow".to_owned(), 4)]));

    // A line above, and an error in the other function.
    let edited = TEXT.replace("int a;", "int a;\nint b;");
    let (slow, wrong) = (("slow".to_owned(), 5), ("wrong".to_owned(), 9));
    client.change(2, &edited);
    let elsewhere = ("elsewhere".to_owned(), 0);
    assert_eq!(client.published(), (2, vec![slow.clone(), elsewhere]));
    client.change(3, &edited.replace("return 2;", "oops;"));
    assert_eq!(client.published(), (3, vec![slow, wrong]));
    let read = excerpts.lock().unwrap().pop().unwrap();
    assert!(
        read.contains("oops") && !read.contains("return 1"),
        "{read}"
    );
    asks.recv().unwrap();
    // If the first change is read at all, it is read before the second.
    (0..2).for_each(|_| go.send(()).unwrap());
    assert_eq!(client.published(), (3, vec![("slow".to_owned(), 4)]));
    let gone = client.input.shutdown(std::net::Shutdown::Write);
    gone.unwrap();
    assert!(!server.join().unwrap());
}

/// Names a text's length at once, and plans until the test says go or it is stopped; counts the plans that were made.
struct Planner {
    go: Mutex<Receiver<()>>,
    plans: Arc<Mutex<usize>>,
}

impl Host for Planner {
    fn read(&self, _: &Path) -> Option<String> {
        None
    }

    fn siblings(&self, _: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    fn check(&self, job: &Job, stop: &Stop, named: &dyn Fn(Checked)) -> Option<Checked> {
        let length = job.unsaved[Path::new(FILE)].len();
        let findings = vec![finding(1, 0..3, &length.to_string())];
        let known = Checked {
            findings,
            ..Checked::default()
        };
        named(known.clone());
        loop {
            if stop.is_asked() {
                return None;
            }
            let go = self.go.lock().unwrap();
            if go.recv_timeout(Duration::from_millis(1)).is_ok() {
                break;
            }
        }
        *self.plans.lock().unwrap() += 1;
        let planned = Some(vec![finding(4, 4..10, &format!("plan of {length}"))]);
        Some(Checked { planned, ..known })
    }

    fn errors(&self, _: &Job) -> Vec<Finding> {
        Vec::new()
    }

    fn verify(&self, _: &Job, _: &str, _: &Stop) -> Result<Vec<Outcome>, String> {
        Err("nothing is verified here".to_owned())
    }
}

/// What needs no plan is told before there is one, beside what the last plan said, where that stands now. A change stops the plan
/// of the text before it: of three texts two are planned.
#[test]
fn names_are_told_before_the_plan_is_made() {
    let (go, waits) = mpsc::channel();
    let plans = Arc::new(Mutex::new(0));
    let (mut client, server) = opened(Planner {
        go: Mutex::new(waits),
        plans: Arc::clone(&plans),
    });
    let length = TEXT.len();
    let named = |length: usize, line| (length.to_string(), line);
    let planned = |length: usize, line| (format!("plan of {length}"), line);
    assert_eq!(client.published(), (1, vec![named(length, 1)]));
    go.send(()).unwrap();
    let both = vec![named(length, 1), planned(length, 4)];
    assert_eq!(client.published(), (1, both));

    let edited = TEXT.replace("int f(", "\nint f(");
    client.change(2, &edited);
    let both = vec![named(length + 1, 1), planned(length, 5)];
    assert_eq!(client.published(), (2, both));
    // Nobody lets this plan go on.
    client.change(3, &edited.replace("int f(", "\nint f("));
    let both = vec![named(length + 2, 1), planned(length, 6)];
    assert_eq!(client.published(), (3, both));
    go.send(()).unwrap();
    let both = vec![named(length + 2, 1), planned(length + 2, 4)];
    assert_eq!(client.published(), (3, both));
    client.input.shutdown(std::net::Shutdown::Write).unwrap();
    assert!(!server.join().unwrap());
    assert_eq!(*plans.lock().unwrap(), 2);
}
