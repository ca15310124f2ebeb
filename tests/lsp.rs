//! The language server, asked by a scripted client. The client waits for messages, never for a time.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Instant;

use serde_json::{json, Value};

use crate::support::{cbmc, installed, Dir, PATIENCE};

const PROGRAM: &str = "\
struct door { int open; struct { int hand; }; };
int motor;
struct door front;
struct door *back = &front;
static void step(int speed) { int deep = 0; motor = deep;
  /* ü𝄞 */ enter: motor = speed; if (speed > 9) goto enter;
  leave: ;
}
int main(void) { step(1); front.open = 1; return 0; }
";

const SPEC: &str = r#"{
  "properties": [
    { "name": "safe", "ltl": "G (runs -> !open)" },
    { "name": "ends", "ltl": "F {front.open == 1}" }
  ],
  "pa": [
    { "name": "runs", "cond": "motor > 0 && step::speed > 0", "default": false, "span": ["enter", "leave"] },
    { "name": "open", "cond": "front.open != 0", "default": false, "span": ["_begin", "_end"] }
  ]
}
"#;

/// A client and its server.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Messages that came before what was waited for.
    early: Vec<Value>,
    dir: Dir,
    id: i32,
}

fn receive(out: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if out.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().strip_prefix("Content-Length: ") {
            Some(number) => length = number.parse().unwrap(),
            None => break,
        }
    }
    let mut body = vec![0; length];
    out.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

impl Client {
    fn start(files: &[(&str, &str)]) -> Client {
        let dir = Dir::with(files);
        let mut command = dir.command(&["lsp"]);
        command.env("TMPDIR", dir.path(""));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        let (tell, messages) = mpsc::channel();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            while let Some(message) = receive(&mut out) {
                if tell.send(message).is_err() {
                    break;
                }
            }
        });
        Client {
            input: child.stdin.take(),
            child,
            messages,
            early: Vec::new(),
            dir,
            id: 0,
        }
    }

    /// A client that is initialized and has opened these files.
    fn open(files: &[(&str, &str)], options: Value, capabilities: Value) -> Client {
        let mut client = Client::start(files);
        let params = json!({
            "processId": null, "rootUri": client.uri(""), "capabilities": capabilities,
            "initializationOptions": options,
        });
        client.ask("initialize", params).unwrap();
        client.tell("initialized", json!({}));
        for (name, text) in files
            .iter()
            .filter(|(n, _)| n.ends_with(".c") || n.ends_with(".json"))
        {
            let uri = client.uri(name);
            let document = json!({ "uri": uri, "languageId": "x", "version": 1, "text": text });
            client.tell("textDocument/didOpen", json!({ "textDocument": document }));
        }
        client
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}", self.dir.path(name).display())
    }

    fn write(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        input.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.write(&message.to_string());
    }

    fn send(&mut self, method: &str, params: Value) -> i32 {
        self.id += 1;
        let message =
            json!({ "jsonrpc": "2.0", "id": self.id, "method": method, "params": params });
        self.write(&message.to_string());
        self.id
    }

    /// The first message, of those that came and will come, that is wanted.
    fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.early.iter().position(&wanted) {
            return self.early.remove(at);
        }
        let start = Instant::now();
        while let Some(left) = PATIENCE.checked_sub(start.elapsed()) {
            let Ok(message) = self.messages.recv_timeout(left) else {
                break;
            };
            if wanted(&message) {
                return message;
            }
            self.early.push(message);
        }
        panic!("it does not come; there are: {:?}", self.early);
    }

    /// Asks, and gives the result or the code of the error.
    fn ask(&mut self, method: &str, params: Value) -> Result<Value, i64> {
        let id = self.send(method, params);
        self.answer(id)
    }

    fn answer(&mut self, id: i32) -> Result<Value, i64> {
        let answer = self.wait(|m| m["id"] == id && m.get("method").is_none());
        match answer.get("error") {
            Some(error) => Err(error["code"].as_i64().unwrap()),
            None => Ok(answer["result"].clone()),
        }
    }

    /// The diagnostics of a version of a file.
    fn diagnostics(&mut self, name: &str, version: i32) -> Vec<Value> {
        let uri = self.uri(name);
        let published = self.wait(|m| {
            m["method"] == "textDocument/publishDiagnostics"
                && m["params"]["uri"] == uri
                && m["params"]["version"] == version
        });
        published["params"]["diagnostics"]
            .as_array()
            .unwrap()
            .clone()
    }

    /// The place of the mark `|` in a line of a file, which is `text` without the mark.
    fn at(&self, name: &str, text: &str) -> Value {
        let whole = self.dir.read(name);
        let (before, _) = text.split_once('|').unwrap();
        let at = whole.find(&text.replacen('|', "", 1)).unwrap() + before.len();
        let line = whole[..at].matches('\n').count();
        let start = whole[..at].rfind('\n').map_or(0, |i| i + 1);
        let column = whole[start..at].encode_utf16().count();
        json!({ "textDocument": { "uri": self.uri(name) }, "position": { "line": line, "character": column } })
    }

    fn labels(&mut self, name: &str, text: &str) -> Vec<String> {
        let asked = self.at(name, text);
        let items = self.ask("textDocument/completion", asked).unwrap();
        let items = items.as_array().unwrap().iter();
        items
            .map(|i| i["label"].as_str().unwrap().to_owned())
            .collect()
    }

    fn change(&mut self, name: &str, version: i32, changes: Value) {
        let document = json!({ "uri": self.uri(name), "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", params);
    }

    fn end(mut self) -> Option<i32> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        panic!("it does not end");
    }
}

fn project() -> Client {
    let files = [("p.c", PROGRAM), ("p.json", SPEC)];
    let mut client = Client::open(&files, Value::Null, json!({}));
    assert_eq!(client.diagnostics("p.json", 1), Vec::<Value>::new());
    client
}

/// A header counts as it is typed, and what is wrong in it is told there.
#[test]
fn headers_count_as_they_are_typed() {
    let program =
        "#include \"limits.h\"\nint level;\nint main(void) { level = LIMIT; return 0; }\n";
    let header = "enum { LIMIT = 3 };\n";
    let spec = r#"{ "ltl": "G {level <= most}" }"#;
    let files = [("p.c", program), ("p.json", spec), ("limits.h", header)];
    let mut client = Client::open(&files, json!({}), json!({}));
    let [uri, of_header] = [client.uri("p.json"), client.uri("limits.h")];
    let about = |uri: &str| {
        let uri = uri.to_owned();
        move |message: &Value| {
            let of = message["method"] == "textDocument/publishDiagnostics";
            of && message["params"]["uri"] == uri.as_str()
        }
    };
    let told = client.wait(about(&uri));
    assert!(told.to_string().contains("no variable `most`"), "{told}");
    let document = json!({ "uri": of_header, "languageId": "c", "version": 1, "text": header });
    client.tell("textDocument/didOpen", json!({ "textDocument": document }));
    let type_in = |client: &mut Client, text: &str| {
        client.tell(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": of_header, "version": 2 }, "contentChanges": [{ "text": text }] }),
        );
    };
    type_in(&mut client, "enum { LIMIT = 3 };\nextern int most;\n");
    let of_spec = about(&uri);
    client.wait(|m| of_spec(m) && m["params"]["diagnostics"] == json!([]));
    type_in(&mut client, "enum { LIMIT = 3 };\nextern int most = ;\n");
    let told = client.wait(|m| about(&of_header)(m) && m["params"]["diagnostics"] != json!([]));
    let range = &told["params"]["diagnostics"][0]["range"]["start"]["line"];
    assert_eq!(range, 1, "{told}");
}

/// Sentences are checked while they are typed, against the program and the propositions of the specification beside them.
#[test]
fn requirements_have_diagnostics_and_readings() {
    let sentences = "# The door\nSAFE: Whenever runs the door shall immediately satisfy !open.\n\
                     FAST: The door shall always satisfy motor < 10.\n";
    let files = [("d.c", PROGRAM), ("d.json", SPEC), ("d.txt", sentences)];
    let mut client = Client::open(&files, json!({}), json!({}));
    let uri = client.uri("d.txt");
    let document = json!({ "uri": uri, "languageId": "x", "version": 1, "text": sentences });
    client.tell("textDocument/didOpen", json!({ "textDocument": document }));
    let about = |message: &Value| {
        let of = message["method"] == "textDocument/publishDiagnostics";
        of && message["params"]["uri"] == uri.as_str()
    };
    let told = client.wait(about);
    assert_eq!(told["params"]["diagnostics"], json!([]), "{told}");
    let at = |line: u32, character: u32| json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } });
    let hover = client.ask("textDocument/hover", at(1, 40)).unwrap();
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(
        text.contains("G(runs -> !open)") && text.contains("holds there"),
        "{text}"
    );
    let hover = client.ask("textDocument/hover", at(2, 38)).unwrap();
    assert!(hover.to_string().contains("int motor"), "{hover}");
    let offers = client
        .ask("textDocument/completion", at(2, 38))
        .unwrap()
        .to_string();
    for name in ["\"motor\"", "\"runs\"", "\"satisfy\""] {
        assert!(offers.contains(name), "{name}: {offers}");
    }
    let lenses = client.ask(
        "textDocument/codeLens",
        json!({ "textDocument": { "uri": uri } }),
    );
    let lenses = lenses.unwrap();
    assert_eq!(lenses[1]["command"]["arguments"][1], "FAST", "{lenses}");
    // What is wrong is told at its place, in the words of `requirements`.
    for (range, text, message) in [
        ([36, 41], "motto", "no variable `motto`"),
        ([15, 20], "should", "the sentence has no `shall`"),
    ] {
        let change = json!({ "range": { "start": { "line": 2, "character": range[0] }, "end": { "line": 2, "character": range[1] } }, "text": text });
        client.tell(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [change] }),
        );
        let told = client.wait(|m| about(m) && m["params"]["diagnostics"] != json!([]));
        assert!(told.to_string().contains(message), "{told}");
    }
}

#[test]
fn a_session_from_opening_to_shutdown() {
    let mut client = project();
    // Completion: propositions and operators, variables, fields, labels.
    let formula = client.labels("p.json", "G (ru|ns -> ");
    assert!(formula.contains(&"runs".to_owned()) && formula.contains(&"G".to_owned()));
    let condition = client.labels("p.json", "\"cond\": \"mo|tor > 0");
    assert!(condition.contains(&"motor".to_owned()), "{condition:?}");
    assert!(condition.contains(&"step::speed".to_owned()));
    assert_eq!(client.labels("p.json", "F {front.|open"), ["hand", "open"]);
    assert!(client
        .labels("p.json", "step::|speed")
        .contains(&"deep".to_owned()));
    assert_eq!(client.labels("p.json", "[\"ent|er\""), ["enter", "leave"]);
    // Hover: a proposition, a class, a type, a label.
    for (name, text, words) in [
        ("p.json", "G (ru|ns -> ", "motor > 0"),
        ("p.json", "G (runs |-> ", "safety"),
        ("p.json", "&& step::spe|ed", "int speed"),
        ("p.json", "[\"ent|er\"", "label `enter` of `step`, line 6"),
        ("p.c", "ent|er: motor", "entry of an area"),
    ] {
        let asked = client.at(name, text);
        let hover = client.ask("textDocument/hover", asked).unwrap().to_string();
        assert!(hover.contains(words), "{text}: {hover}");
    }
    // Definition: from the specification, and from one label of an area to the other.
    let asked = client.at("p.json", "[\"ent|er\"");
    let found = client.ask("textDocument/definition", asked).unwrap();
    let start = json!({ "line": 5, "character": 12 });
    assert_eq!(found[0]["range"]["start"], start);
    let asked = client.at("p.json", "\"mo|tor > 0");
    let found = client.ask("textDocument/definition", asked).unwrap();
    assert_eq!(
        found[0]["range"]["start"],
        json!({ "line": 1, "character": 4 })
    );
    let asked = client.at("p.c", "ent|er: motor");
    let found = client.ask("textDocument/definition", asked).unwrap();
    assert_eq!(found[0]["uri"], client.uri("p.json"));
    assert_eq!(
        found[1]["range"]["start"],
        json!({ "line": 6, "character": 2 })
    );
    // A lens for each property.
    let document = json!({ "textDocument": { "uri": client.uri("p.json") } });
    let lenses = client.ask("textDocument/codeLens", document).unwrap();
    assert_eq!(lenses[1]["command"]["arguments"][1], "ends");
    assert_eq!(lenses.as_array().unwrap().len(), 2);
    assert_eq!(client.ask("shutdown", Value::Null), Ok(Value::Null));
    assert_eq!(client.ask("textDocument/hover", json!({})), Err(-32600));
    client.tell("exit", Value::Null);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn of_very_many_names_those_that_are_typed_are_offered() {
    let mut program = String::new();
    for n in 0..300 {
        program += &format!("int work_{n}(int amount) {{ int left = amount; return left; }}\n");
    }
    program += "int main(void) { return work_0(1); }\n";
    let spec = r#"{ "ltl": "G {work_29 > 0}" }"#;
    let mut client = Client::open(
        &[("p.c", &program), ("p.json", spec)],
        Value::Null,
        json!({}),
    );
    client.diagnostics("p.json", 1);
    for (text, names) in [
        ("{wor|k_29", ["work_1", "work_42"]),
        ("{work_29|", ["work_29", "work_29::amount"]),
    ] {
        let asked = client.at("p.json", text);
        let found = client.ask("textDocument/completion", asked).unwrap();
        assert_eq!(found["isIncomplete"], true, "{found}");
        let items = found["items"].as_array().unwrap();
        assert!(items.len() <= 200);
        for name in names {
            assert!(items.iter().any(|i| i["label"] == name), "{name}: {found}");
        }
    }
}

#[test]
fn a_label_is_renamed_in_the_program_and_in_the_specification() {
    let mut client = project();
    for (name, text) in [("p.json", "[\"ent|er\""), ("p.c", "goto ent|er")] {
        let mut asked = client.at(name, text);
        let range = client
            .ask("textDocument/prepareRename", asked.clone())
            .unwrap();
        assert!(range["start"].is_object());
        asked["newName"] = json!("begin");
        let edit = client.ask("textDocument/rename", asked.clone()).unwrap();
        let of = |name: &str| edit["changes"][client.uri(name)].as_array().unwrap().len();
        assert_eq!((of("p.c"), of("p.json")), (2, 1), "{edit}");
        for wrong in ["leave", "goto", "1x", ""] {
            asked["newName"] = json!(wrong);
            let refused = client.ask("textDocument/rename", asked.clone());
            assert_eq!(refused, Err(-32602), "{wrong}");
        }
    }
}

#[test]
fn diagnostics_follow_the_text_and_propose_what_was_meant() {
    let mut client = project();
    // A change of a part, in UTF-16 columns, and not on the disk.
    let place = client.at("p.json", "-> !op|en)");
    let end = client.at("p.json", "-> !ope|n)");
    let range = json!({ "start": place["position"], "end": end["position"] });
    client.change("p.json", 2, json!([{ "range": range, "text": "a" }]));
    let found = client.diagnostics("p.json", 2);
    // The other one: no formula has the proposition `open`.
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0]["message"]
        .as_str()
        .unwrap()
        .contains("`opan` is not declared"));
    assert_eq!(
        (&found[0]["severity"], &found[0]["code"]),
        (&json!(1), &json!("check"))
    );
    let asked = json!({
        "textDocument": { "uri": client.uri("p.json") }, "range": found[0]["range"],
        "context": { "diagnostics": found },
    });
    let fixes = client.ask("textDocument/codeAction", asked).unwrap();
    let uri = client.uri("p.json");
    assert_eq!(fixes[0]["edit"]["changes"][&uri][0]["newText"], "open");
    // Names are completed also while the text cannot be read.
    client.change(
        "p.c",
        2,
        json!([{ "text": PROGRAM.replace("int main(", "int main((") }]),
    );
    let found = client.diagnostics("p.c", 2);
    assert_eq!(found[0]["range"]["start"]["line"], 8, "{found:?}");
    assert!(client
        .labels("p.json", "\"cond\": \"mo|tor")
        .contains(&"motor".to_owned()));
    // A header that is missing, at its line.
    client.change(
        "p.c",
        3,
        json!([{ "text": format!("int a;\n#include \"none.h\"\n{PROGRAM}") }]),
    );
    let found = client.diagnostics("p.c", 3);
    assert_eq!(found[0]["range"]["start"]["line"], 1, "{found:?}");
    // All is well again, in both.
    client.change("p.c", 4, json!([{ "text": PROGRAM }]));
    client.change("p.json", 3, json!([{ "text": SPEC }]));
    assert_eq!(client.diagnostics("p.json", 3), Vec::<Value>::new());
    assert_eq!(client.diagnostics("p.c", 4), Vec::<Value>::new());
}

#[test]
fn formulas_in_comments_are_a_specification_of_their_own() {
    let text =
        "int x;\n//@ ltl invariant small: G AP(x < y);\nint main(void) { x = 1; return 0; }\n";
    let capabilities = json!({ "general": { "positionEncodings": ["utf-8", "utf-16"] } });
    let mut client = Client::open(&[("q.c", text)], Value::Null, capabilities);
    let found = client.diagnostics("q.c", 1);
    assert_eq!(found[0]["range"]["start"]["line"], 1, "{found:?}");
    let mended = text.replace("x < y", "x < 3");
    client.change("q.c", 2, json!([{ "text": mended }]));
    assert_eq!(client.diagnostics("q.c", 2), Vec::<Value>::new());
    assert!(client.labels("q.c", "AP(x| <").contains(&"x".to_owned()));
    client.tell(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": client.uri("q.c") } }),
    );
    let uri = client.uri("q.c");
    client.wait(|m| m["params"]["uri"] == uri && m["params"]["diagnostics"] == json!([]));
}

#[test]
fn wrong_messages_are_answered_with_errors() {
    let mut client = Client::start(&[("p.c", PROGRAM)]);
    assert_eq!(client.ask("textDocument/hover", json!({})), Err(-32002));
    client.write("{ no json");
    client.wait(|m| m["error"]["code"] == -32700 && m["id"].is_null());
    client.write("[1]");
    client.wait(|m| m["error"]["code"] == -32600 && m["id"].is_null());
    assert_eq!(client.ask("initialize", json!(7)), Err(-32602));
    let wrong = json!({ "capabilities": {}, "initializationOptions": { "program": 1 } });
    assert_eq!(client.ask("initialize", wrong), Err(-32602));
    let answer = client
        .ask("initialize", json!({ "capabilities": {} }))
        .unwrap();
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(
        client.ask("initialize", json!({ "capabilities": {} })),
        Err(-32600)
    );
    assert_eq!(client.ask("no/such", json!({})), Err(-32601));
    assert_eq!(
        client.ask("textDocument/hover", json!({ "position": -1 })),
        Err(-32602)
    );
    let command = json!({ "command": "baproduct.verify", "arguments": ["file:///none.json", "x"] });
    assert_eq!(client.ask("workspace/executeCommand", command), Err(-32602));
    client.tell("textDocument/didChange", json!({ "textDocument": 1 }));
    client.wait(|m| m["method"] == "window/logMessage");
    client.tell("exit", Value::Null);
    assert_eq!(client.end(), Some(1));
}

#[test]
fn the_end_of_the_input_ends_the_server() {
    let mut client = project();
    drop(client.input.take());
    assert_eq!(client.end(), Some(1));
}

#[test]
fn a_property_is_verified_and_its_verdict_shown() {
    if !cbmc() {
        return;
    }
    let options = json!({ "verifyArguments": ["--unwind", "2"] });
    let spec = SPEC.replace("-> !open", "-> open");
    let files = [("p.c", PROGRAM), ("p.json", spec.as_str())];
    let capabilities = json!({ "window": { "workDoneProgress": true } });
    let mut client = Client::open(&files, options, capabilities);
    client.diagnostics("p.json", 1);
    let uri = client.uri("p.json");
    let command = json!({ "command": "baproduct.verify", "arguments": [uri, "safe"] });
    let answer = client
        .ask("workspace/executeCommand", command.clone())
        .unwrap();
    assert_eq!(answer[0]["violated"], true, "{answer}");
    let run = answer[0]["run"].as_array().unwrap();
    assert!(run
        .iter()
        .any(|step| step["location"]["uri"] == client.uri("p.c")));
    client.wait(|m| m["method"] == "window/workDoneProgress/create");
    client.wait(|m| m["params"]["value"]["kind"] == "begin");
    client.wait(|m| m["params"]["value"]["kind"] == "end");
    let found = client.diagnostics("p.json", 1);
    assert_eq!(found[0]["code"], "verify", "{found:?}");
    assert!(!found[0]["relatedInformation"]
        .as_array()
        .unwrap()
        .is_empty());
    let whole =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let asked = json!({ "textDocument": { "uri": uri }, "range": whole });
    let hints = client.ask("textDocument/inlayHint", asked.clone()).unwrap();
    assert!(
        hints[0]["label"].as_str().unwrap().starts_with('⊥'),
        "{hints}"
    );
    // A verdict is of a text: with the text it goes, and a text that is not saved is not verified.
    client.change("p.json", 2, json!([{ "text": SPEC }]));
    assert_eq!(client.diagnostics("p.json", 2), Vec::<Value>::new());
    assert_eq!(client.ask("textDocument/inlayHint", asked), Ok(json!([])));
    assert_eq!(client.ask("workspace/executeCommand", command), Err(-32602));
}

/// A server that verifies with a backend that does not end, and the backend's process.
fn endless() -> (Client, i32, String) {
    let mut client = Client::start(&[("p.c", PROGRAM), ("p.json", SPEC)]);
    client.dir.script(
        "fake",
        "if [ \"$1\" = --version ]; then echo '6.6.0 (cbmc-6.6.0)'; exit 0; fi\n\
         echo $$ > pid~ && mv pid~ pid\nexec sleep 100000",
    );
    let options = json!({ "verifyArguments": [
        "--unwind", "2", "--backend", "cbmc", "--backend-path", client.dir.path("fake"),
    ] });
    let params = json!({ "capabilities": {}, "initializationOptions": options });
    client.ask("initialize", params).unwrap();
    for (name, text) in [("p.c", PROGRAM), ("p.json", SPEC)] {
        let uri = client.uri(name);
        let document = json!({ "uri": uri, "languageId": "x", "version": 1, "text": text });
        client.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }
    client.diagnostics("p.json", 1);
    let command =
        json!({ "command": "baproduct.verify", "arguments": [client.uri("p.json"), "safe"] });
    let id = client.send("workspace/executeCommand", command);
    let start = Instant::now();
    while !client.dir.path("pid").exists() {
        assert!(start.elapsed() < PATIENCE, "the backend does not start");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let pid = client.dir.read("pid");
    (client, id, pid)
}

/// Waits until a process is gone.
fn gone(pid: &str) {
    let start = Instant::now();
    let alive = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
        stat.is_ok_and(|text| !text.contains(") Z "))
    };
    while alive() {
        assert!(start.elapsed() < PATIENCE, "the backend is left");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[test]
fn a_cancelled_verification_leaves_no_process() {
    let (mut client, id, pid) = endless();
    client.tell("$/cancelRequest", json!({ "id": id }));
    assert_eq!(client.answer(id), Err(-32800));
    gone(&pid);
    assert_eq!(client.ask("shutdown", Value::Null), Ok(Value::Null));
    client.tell("exit", Value::Null);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn a_client_that_is_gone_leaves_no_process() {
    let (mut client, _, pid) = endless();
    drop(client.input.take());
    gone(&pid);
    assert_eq!(client.end(), Some(1));
    // Neither does a server that is killed.
    let (mut client, _, pid) = endless();
    client.child.kill().unwrap();
    gone(&pid);
}

#[test]
fn a_request_that_was_cancelled_before_its_turn_is_answered_so() {
    let mut client = project();
    // The cancellation is read before the request's turn comes, or after its answer: both are answers.
    let asked = client.at("p.json", "G (ru|ns -> ");
    let id = client.send("textDocument/hover", asked);
    client.tell("$/cancelRequest", json!({ "id": id }));
    let answer = client.answer(id);
    assert!(answer.is_ok() || answer == Err(-32800));
    // A cancellation of nothing is nothing.
    client.tell("$/cancelRequest", json!({ "id": "none" }));
    assert_eq!(client.ask("shutdown", Value::Null), Ok(Value::Null));
}

/// A program is read again only where it has changed, as a header of it may do on the disk.
#[test]
fn a_program_is_kept_while_its_specification_is_typed() {
    let spec = r#"{ "properties": [{ "name": "a", "ltl": "G {motor > 0}" }] }"#;
    let program = "#include \"gate.h\"\nint main(void) { motor = 1; return 0; }\n";
    let files = [
        ("gate.c", program),
        ("gate.h", "int motor;\n"),
        ("gate.json", spec),
    ];
    let mut client = Client::open(&files, Value::Null, json!({}));
    assert_eq!(client.diagnostics("gate.json", 1), Vec::<Value>::new());
    let other = spec.replace("motor", "engine");
    client.change("gate.json", 2, json!([{ "text": other }]));
    let told = client.diagnostics("gate.json", 2);
    assert!(told[0].to_string().contains("engine"), "{told:?}");
    client.change("gate.json", 3, json!([{ "text": spec }]));
    assert_eq!(client.diagnostics("gate.json", 3), Vec::<Value>::new());
    client.dir.write("gate.h", "int motor, engine;\n");
    client.change("gate.json", 4, json!([{ "text": other }]));
    assert_eq!(client.diagnostics("gate.json", 4), Vec::<Value>::new());
}

/// The extension for VS Code starts the server, which tells mistakes, verifies, takes settings and ends; the editor's interface
/// is a stand-in.
#[test]
fn the_extension_runs_against_the_server() {
    if !installed("node") {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../editors/vscode/test/run.js");
    let dir = Dir::new();
    let mut node = Command::new("node");
    node.arg(script).current_dir(dir.path(""));
    node.env("BAPRODUCT", env!("CARGO_BIN_EXE_baproduct"));
    node.env("TMPDIR", dir.path(""));
    let ran = node.output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.success(), "{said}");
    assert!(
        String::from_utf8_lossy(&ran.stdout).starts_with("the extension works"),
        "{said}"
    );
}

/// The settings that the extension for VS Code has are those that the server takes, and its lens is the server's.
#[test]
fn the_extension_and_the_server_know_the_same() {
    let extension = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../editors/vscode");
    let read = |name: &str| std::fs::read_to_string(extension.join(name)).unwrap();
    let manifest: Value = serde_json::from_str(&read("package.json")).unwrap();
    let settings = &manifest["contributes"]["configuration"]["properties"];
    let options: serde_json::Map<String, Value> = settings
        .as_object()
        .unwrap()
        .iter()
        .filter_map(|(name, about)| {
            let name = name.strip_prefix("baproduct.").unwrap();
            let ours = name == "path" || name.starts_with("trace.");
            (!ours).then(|| (name.to_owned(), about["default"].clone()))
        })
        .collect();
    assert_eq!(options.len(), 3, "{options:?}");
    let mut client = Client::start(&[]);
    let params = json!({ "capabilities": {}, "initializationOptions": options });
    let answer = client.ask("initialize", params).unwrap();
    let command = &answer["capabilities"]["executeCommandProvider"]["commands"][0];
    assert!(read("extension.js").contains(&format!("const VERIFY = {command};")));
}
