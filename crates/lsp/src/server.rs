//! The loop of the server: messages in, answers out, checks and verifications beside it.

mod glances;
mod runs;

use crate::answers::verdicts::{self, VERIFY};
use crate::answers::{actions, complete, diagnostics, look, rename};
use crate::documents::{is_c, is_header, Document, Settings, Subject, Workspace};
use crate::frame::{self, Frame};
use crate::host::{Checked, Host, Outcome, Stop};
use crate::places::{path_of, uri_of};
use crate::text::{Encoding, Text};
use glances::{Glanced, Glances};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types as lsp;
use runs::Run;
use serde::de::DeserializeOwned;
use serde::Serialize;
use serde_json::{json, Value};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::{BufRead, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long nothing is typed before a program is checked.
const DEBOUNCE: Duration = Duration::from_millis(200);

/// The same for a specification: its program is known, so that a check is quick.
const SHORT_DEBOUNCE: Duration = Duration::from_millis(50);

/// What the loop waits for.
enum Event {
    Message(Message),
    Wrong(i32, String),
    /// The input has ended.
    Closed,
    /// What a check knows before there is a plan.
    Named(PathBuf, u64, Box<Checked>),
    /// A check has ended; without a result if it was stopped.
    Checked(PathBuf, u64, Option<Box<Checked>>),
    Glanced(Glanced),
    Verified(RequestId, Result<Vec<Outcome>, String>),
}

/// Where a conversation stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    New,
    Running,
    ShutDown,
}

/// The requests that the client has cancelled, as the reader sees them before their turn comes.
type Cancelled = Arc<Mutex<HashSet<String>>>;

struct Server {
    space: Workspace,
    phase: Phase,
    out: Sender<Value>,
    events: Sender<Event>,
    cancelled: Cancelled,
    /// Whether a check runs: one at a time.
    checking: bool,
    glances: Glances,
    runs: BTreeMap<RequestId, Run>,
    /// What the client can do.
    client: Abilities,
    /// The number of the next request to the client.
    next: i32,
    /// The URIs as the client writes them.
    uris: BTreeMap<PathBuf, lsp::Url>,
    /// What was published last of each file.
    published: BTreeMap<PathBuf, lsp::PublishDiagnosticsParams>,
}

#[derive(Default)]
struct Abilities {
    progress: bool,
    refresh_hints: bool,
}

/// Serves a client until it says `exit` or its stream ends. Returns whether the conversation ended as
/// the protocol wants it: with `shutdown` before `exit`.
pub fn serve(
    host: Arc<dyn Host>,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> bool {
    let (events, incoming) = mpsc::channel();
    let (out, outgoing) = mpsc::channel();
    let cancelled = Cancelled::default();
    let (tell, seen) = (events.clone(), Arc::clone(&cancelled));
    std::thread::spawn(move || read_all(input, &tell, &seen));
    let writer = std::thread::spawn(move || write_all(output, &outgoing));
    let mut server = Server {
        space: Workspace {
            host,
            encoding: Encoding::default(),
            root: None,
            settings: Settings::default(),
            documents: BTreeMap::new(),
            subjects: BTreeMap::new(),
        },
        phase: Phase::New,
        out,
        events,
        cancelled,
        checking: false,
        glances: Glances::default(),
        runs: BTreeMap::new(),
        client: Abilities::default(),
        next: 0,
        uris: BTreeMap::new(),
        published: BTreeMap::new(),
    };
    let orderly = server.converse(&incoming);
    server.end(&incoming);
    drop(server);
    // What was answered last is to arrive.
    let _ = writer.join();
    orderly
}

/// Reads messages until the stream ends.
fn read_all(mut input: impl BufRead, events: &Sender<Event>, cancelled: &Cancelled) {
    loop {
        let event = match frame::read(&mut input) {
            Ok(Some(Frame::Message(message))) => {
                if let Message::Notification(n) = &message {
                    if n.method == "$/cancelRequest" {
                        let mut all = cancelled.lock().unwrap_or_else(PoisonError::into_inner);
                        all.insert(n.params["id"].to_string());
                    }
                }
                Event::Message(message)
            }
            Ok(Some(Frame::Wrong(code, why))) => Event::Wrong(code, why),
            Ok(None) => Event::Closed,
            Err(error) => {
                let parse = ErrorCode::ParseError as i32;
                let _ = events.send(Event::Wrong(parse, error.to_string()));
                Event::Closed
            }
        };
        let is_last = matches!(event, Event::Closed);
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

fn write_all(mut output: impl Write, messages: &Receiver<Value>) {
    for message in messages {
        let text = message.to_string();
        let written = write!(output, "Content-Length: {}\r\n\r\n{text}", text.len());
        if written.and_then(|()| output.flush()).is_err() {
            // Nobody reads; the end of the input will end the server.
            return;
        }
    }
}

impl Server {
    fn converse(&mut self, incoming: &Receiver<Event>) -> bool {
        loop {
            let due = match self.checking {
                true => None,
                false => self.space.subjects.values().filter_map(|s| s.due).min(),
            };
            let event = match due {
                None => incoming.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(due) => incoming.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            match event {
                Err(RecvTimeoutError::Timeout) => self.check_due(),
                Err(RecvTimeoutError::Disconnected) | Ok(Event::Closed) => return false,
                Ok(Event::Wrong(code, why)) => self.send(json!({
                    "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": why }
                })),
                Ok(Event::Named(key, generation, checked)) => {
                    self.checked(&key, generation, *checked);
                }
                Ok(Event::Checked(key, generation, checked)) => {
                    self.checking = false;
                    if let Some(checked) = checked {
                        self.checked(&key, generation, *checked);
                    }
                }
                Ok(Event::Glanced(glanced)) => self.glanced(glanced),
                Ok(Event::Verified(id, outcome)) => self.verified(&id, outcome),
                Ok(Event::Message(Message::Notification(n))) if n.method == "exit" => {
                    return self.phase == Phase::ShutDown;
                }
                Ok(Event::Message(Message::Notification(n))) => self.notified(n),
                Ok(Event::Message(Message::Request(request))) => self.asked(request),
                Ok(Event::Message(Message::Response(_))) => {}
            }
        }
    }

    fn send(&self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let _ = self.out.send(message);
    }

    fn respond(&self, response: &Response) {
        self.send(serde_json::to_value(response).unwrap_or_default());
    }

    fn notify(&self, method: &str, params: impl Serialize) {
        self.send(json!({ "method": method, "params": params }));
    }

    fn request(&mut self, method: &str, params: impl Serialize) {
        self.next += 1;
        let id = format!("baproduct/{}", self.next);
        self.send(json!({ "id": id, "method": method, "params": params }));
    }

    /// Answers a request.
    fn asked(&mut self, request: Request) {
        let id = request.id.clone();
        let key = serde_json::to_value(&id).unwrap_or_default().to_string();
        let mut cancelled = self
            .cancelled
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let is_cancelled = cancelled.remove(&key);
        drop(cancelled);
        let error = |code: ErrorCode, why: &str| Err((code, why.to_owned()));
        let answer = match (self.phase, request.method.as_str()) {
            (Phase::New, "initialize") => self.initialize(request.params).map(Some),
            (Phase::New, _) => error(ErrorCode::ServerNotInitialized, "`initialize` comes first"),
            (Phase::ShutDown, _) => error(ErrorCode::InvalidRequest, "the server is shut down"),
            _ if is_cancelled => error(ErrorCode::RequestCanceled, "cancelled"),
            (Phase::Running, "initialize") => {
                error(ErrorCode::InvalidRequest, "initialized before")
            }
            (Phase::Running, "shutdown") => {
                self.phase = Phase::ShutDown;
                self.stop_all();
                Ok(Some(Value::Null))
            }
            _ => {
                let answered = catch_unwind(AssertUnwindSafe(|| self.answer(request)));
                answered
                    .unwrap_or_else(|_| error(ErrorCode::InternalError, "an error of the server"))
            }
        };
        match answer {
            Ok(Some(value)) => self.respond(&Response::new_ok(id, value)),
            // The answer comes later.
            Ok(None) => {}
            Err((code, why)) => self.respond(&Response::new_err(id, code as i32, why)),
        }
    }

    fn initialize(&mut self, params: Value) -> Result<Value, (ErrorCode, String)> {
        let params: lsp::InitializeParams = parsed(params)?;
        let general = params.capabilities.general.unwrap_or_default();
        let encodings = general.position_encodings.unwrap_or_default();
        // The client's order is its preference.
        let known = encodings.iter().find_map(|e| match e.as_str() {
            "utf-8" => Some(Encoding::Utf8),
            "utf-16" => Some(Encoding::Utf16),
            _ => None,
        });
        self.space.encoding = known.unwrap_or_default();
        let window = params.capabilities.window.unwrap_or_default();
        let workspace = params.capabilities.workspace.unwrap_or_default();
        self.client = Abilities {
            progress: window.work_done_progress == Some(true),
            refresh_hints: workspace
                .inlay_hint
                .is_some_and(|hint| hint.refresh_support == Some(true)),
        };
        let folder = params
            .workspace_folders
            .and_then(|all| all.into_iter().next());
        #[allow(deprecated)]
        let root = folder.map(|folder| folder.uri).or(params.root_uri);
        self.space.root = root.as_ref().and_then(path_of);
        if let Some(options) = params.initialization_options.filter(|o| !o.is_null()) {
            self.space.settings = parsed(options)?;
        }
        self.phase = Phase::Running;
        Ok(json!({
            "capabilities": capabilities(self.space.encoding),
            "serverInfo": { "name": "baproduct", "version": env!("CARGO_PKG_VERSION") },
        }))
    }

    fn answer(&mut self, request: Request) -> Result<Option<Value>, (ErrorCode, String)> {
        let params = request.params;
        let space = &self.space;
        match request.method.as_str() {
            "textDocument/completion" => {
                let asked: lsp::CompletionParams = parsed(params)?;
                given(complete::complete(space, &asked.text_document_position))
            }
            "textDocument/hover" => {
                let asked: lsp::HoverParams = parsed(params)?;
                given(look::hover(space, &asked.text_document_position_params))
            }
            "textDocument/definition" => {
                let asked: lsp::GotoDefinitionParams = parsed(params)?;
                given(look::definition(
                    space,
                    &asked.text_document_position_params,
                ))
            }
            "textDocument/prepareRename" => given(rename::prepare(space, &parsed(params)?)),
            "textDocument/rename" => {
                let asked: lsp::RenameParams = parsed(params)?;
                let edit = rename::rename(space, &asked.text_document_position, &asked.new_name);
                given(edit.map_err(|why| (ErrorCode::InvalidParams, why))?)
            }
            "textDocument/codeAction" => given(actions::fixes(space, &parsed(params)?)),
            "textDocument/codeLens" => {
                let asked: lsp::CodeLensParams = parsed(params)?;
                given(verdicts::lenses(space, &asked.text_document.uri))
            }
            "textDocument/inlayHint" => {
                let asked: lsp::InlayHintParams = parsed(params)?;
                given(verdicts::hints(space, &asked.text_document.uri))
            }
            "workspace/executeCommand" => self.execute(request.id, parsed(params)?).map(|()| None),
            other => Err((
                ErrorCode::MethodNotFound,
                format!("this server knows no `{other}`"),
            )),
        }
    }

    fn notified(&mut self, notification: Notification) {
        if self.phase != Phase::Running {
            return;
        }
        let method = notification.method.clone();
        let done = catch_unwind(AssertUnwindSafe(|| self.take_notice(notification)));
        let why = match done {
            Ok(Ok(())) => return,
            Ok(Err((_, why))) => why,
            Err(_) => "an error of the server".to_owned(),
        };
        // A notification has no answer: the client's log gets it.
        self.notify(
            "window/logMessage",
            json!({ "type": 1, "message": format!("{method}: {why}") }),
        );
    }

    fn take_notice(&mut self, notification: Notification) -> Result<(), (ErrorCode, String)> {
        let params = notification.params;
        match notification.method.as_str() {
            "textDocument/didOpen" => {
                let opened: lsp::DidOpenTextDocumentParams = parsed(params)?;
                let document = opened.text_document;
                if let Some(path) = path_of(&document.uri) {
                    let saved = self.space.host.read(&path);
                    let saved = saved.is_some_and(|text| text == document.text);
                    let text = Text::new(document.text);
                    self.uris.insert(path.clone(), document.uri);
                    let document = Document::new(text, document.version, saved);
                    self.space.documents.insert(path.clone(), document);
                    self.changed(&path, Duration::ZERO);
                }
            }
            "textDocument/didChange" => self.edited(parsed(params)?)?,
            "textDocument/didSave" => {
                let saved: lsp::DidSaveTextDocumentParams = parsed(params)?;
                if let Some(path) = path_of(&saved.text_document.uri) {
                    if let Some(document) = self.space.documents.get_mut(&path) {
                        document.saved = true;
                    }
                    self.changed(&path, Duration::ZERO);
                    self.change_of_header(&path, Duration::ZERO);
                }
            }
            "textDocument/didClose" => {
                let closed: lsp::DidCloseTextDocumentParams = parsed(params)?;
                if let Some(path) = path_of(&closed.text_document.uri) {
                    self.space.documents.remove(&path);
                    self.published.remove(&path);
                    self.changed(&path, Duration::ZERO);
                    self.change_of_header(&path, Duration::ZERO);
                }
            }
            "workspace/didChangeConfiguration" => {
                let settings = &params["settings"]["baproduct"];
                if !settings.is_null() {
                    self.space.settings = parsed(settings.clone())?;
                    let all: Vec<PathBuf> = self.space.documents.keys().cloned().collect();
                    all.iter()
                        .for_each(|path| self.changed(path, Duration::ZERO));
                }
            }
            "$/cancelRequest" => {
                let id: RequestId = parsed(params["id"].clone())?;
                if let Some(run) = self.runs.get_mut(&id) {
                    run.cancelled = true;
                    run.stop.stop();
                }
                let key = params["id"].to_string();
                let mut all = self
                    .cancelled
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                all.remove(&key);
            }
            "window/workDoneProgress/cancel" => {
                let token = &params["token"];
                for run in self.runs.values_mut() {
                    if run.token.as_ref() == Some(token) {
                        run.cancelled = true;
                        run.stop.stop();
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn edited(
        &mut self,
        change: lsp::DidChangeTextDocumentParams,
    ) -> Result<(), (ErrorCode, String)> {
        let Some(path) = path_of(&change.text_document.uri) else {
            return Ok(());
        };
        let encoding = self.space.encoding;
        let Some(document) = self.space.documents.get_mut(&path) else {
            let why = "the document is not open".to_owned();
            return Err((ErrorCode::InvalidParams, why));
        };
        let mut text = document.text.clone();
        for part in change.content_changes {
            text = text.changed(part.range, &part.text, encoding);
        }
        let old = std::mem::replace(
            document,
            Document::new(text, change.text_document.version, false),
        );
        let wait = if is_c(&path) {
            DEBOUNCE
        } else {
            SHORT_DEBOUNCE
        };
        self.changed(&path, wait);
        self.change_of_header(&path, DEBOUNCE);
        self.moved(&path, &old.text);
        Ok(())
    }

    /// A header was changed or saved: every program may include it.
    fn change_of_header(&mut self, path: &Path, wait: Duration) {
        if is_header(path) {
            let subjects = self.space.subjects.values_mut();
            subjects.for_each(|subject| touch(subject, wait));
        }
    }

    /// A document was opened, changed, saved or closed: what depends on it is checked, after some time.
    fn changed(&mut self, path: &Path, wait: Duration) {
        let gone = self.space.arrange();
        for key in gone {
            if let Some(subject) = self.space.subjects.remove(&key) {
                self.publish(&subject.told);
            }
        }
        for subject in self.space.subjects.values_mut() {
            if subject.has(path) {
                touch(subject, wait);
            }
        }
    }

    /// Starts the check of the subject that has waited longest.
    fn check_due(&mut self) {
        let now = Instant::now();
        let due = self.space.subjects.iter();
        let due = due.filter_map(|(key, s)| Some((s.due.filter(|due| *due <= now)?, key)));
        let Some(key) = due.min().map(|(_, key)| key.clone()) else {
            return;
        };
        let Some(subject) = self.space.subjects.get_mut(&key) else {
            return;
        };
        subject.due = None;
        subject.stop = Stop::default();
        let (generation, stop) = (subject.generation, subject.stop.clone());
        let job = self.space.subjects.get(&key).map(|s| self.space.job(s));
        let (host, events) = (Arc::clone(&self.space.host), self.events.clone());
        let work = move || {
            let named = |checked: Checked| {
                let _ = events.send(Event::Named(key.clone(), generation, Box::new(checked)));
            };
            let check = || job.and_then(|job| host.check(&job, &stop, &named));
            // A check that panics has printed why; the next one may not.
            let checked = catch_unwind(AssertUnwindSafe(check));
            let checked = checked.unwrap_or_else(|_| Some(Checked::default()));
            let _ = events.send(Event::Checked(key, generation, checked.map(Box::new)));
        };
        let thread = std::thread::Builder::new().stack_size(cfront::WALK_STACK);
        self.checking = thread.spawn(work).is_ok();
    }

    /// Takes the result of a check, or what is known of it so far.
    fn checked(&mut self, key: &Path, generation: u64, checked: Checked) {
        let Some(subject) = self.space.subjects.get_mut(key) else {
            return;
        };
        if subject.generation != generation {
            // A text has changed meanwhile, and is checked again.
            return;
        }
        subject.take(checked);
        self.tell(key);
    }

    /// Publishes the diagnostics of a subject.
    fn tell(&mut self, key: &Path) {
        let Some(subject) = self.space.subjects.get(key) else {
            return;
        };
        let mut now: BTreeSet<PathBuf> =
            diagnostics::of(&self.space, subject).into_keys().collect();
        now.extend(subject.spec.clone());
        now.extend(subject.requirements.clone());
        now.extend(subject.programs.iter().cloned());
        let files: BTreeSet<PathBuf> = now.union(&subject.told).cloned().collect();
        if let Some(subject) = self.space.subjects.get_mut(key) {
            subject.told = now;
        }
        self.publish(&files);
    }

    /// Publishes the diagnostics of files, those of all subjects together, where the client does not have them.
    fn publish(&mut self, files: &BTreeSet<PathBuf>) {
        let mut all: BTreeMap<PathBuf, Vec<lsp::Diagnostic>> = BTreeMap::new();
        for subject in self.space.subjects.values() {
            for (file, found) in diagnostics::of(&self.space, subject) {
                let of_file = all.entry(file).or_default();
                of_file.extend(found);
                of_file.dedup();
            }
        }
        for file in files {
            let uri = self.uris.get(file).cloned().or_else(|| uri_of(file));
            let Some(uri) = uri else { continue };
            let version = self.space.documents.get(file).map(|d| d.version);
            let found = all.remove(file).unwrap_or_default();
            let params = lsp::PublishDiagnosticsParams::new(uri, found, version);
            if self.published.get(file) != Some(&params) {
                self.notify("textDocument/publishDiagnostics", &params);
                self.published.insert(file.clone(), params);
            }
        }
    }
}

/// Notes that a subject has changed.
fn touch(subject: &mut Subject, wait: Duration) {
    subject.generation += 1;
    subject.stop.stop();
    subject.due = Some(Instant::now() + wait);
    subject.outcomes.clear();
}

fn parsed<T: DeserializeOwned>(params: Value) -> Result<T, (ErrorCode, String)> {
    serde_json::from_value(params).map_err(|e| (ErrorCode::InvalidParams, e.to_string()))
}

fn given(value: impl Serialize) -> Result<Option<Value>, (ErrorCode, String)> {
    let value = serde_json::to_value(value);
    value
        .map(Some)
        .map_err(|e| (ErrorCode::InternalError, e.to_string()))
}

fn capabilities(encoding: Encoding) -> Value {
    json!({
        "positionEncoding": match encoding { Encoding::Utf8 => "utf-8", Encoding::Utf16 => "utf-16" },
        "textDocumentSync": { "openClose": true, "change": 2, "save": true },
        "completionProvider": { "triggerCharacters": [".", ">", ":", "{", "\""] },
        "hoverProvider": true,
        "definitionProvider": true,
        "renameProvider": { "prepareProvider": true },
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "codeLensProvider": {},
        "inlayHintProvider": true,
        "executeCommandProvider": { "commands": [VERIFY], "workDoneProgress": true },
    })
}
