//! Verifications that run beside the conversation.

use super::{parsed, Event, Server};
use crate::answers::verdicts::VERIFY;
use crate::host::{Outcome, Stop};
use crate::places::path_of;
use lsp_server::{ErrorCode, RequestId, Response};
use lsp_types as lsp;
use serde_json::{json, Value};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::mpsc::Receiver;
use std::sync::Arc;

/// A verification that runs.
pub(super) struct Run {
    pub(super) stop: Stop,
    pub(super) key: PathBuf,
    pub(super) generation: u64,
    pub(super) token: Option<Value>,
    /// Whether the client cancelled it, rather than the end of the server.
    pub(super) cancelled: bool,
}

impl Server {
    /// Starts the verification of a property.
    pub(super) fn execute(
        &mut self,
        id: RequestId,
        asked: lsp::ExecuteCommandParams,
    ) -> Result<(), (ErrorCode, String)> {
        let invalid = |why: &str| (ErrorCode::InvalidParams, why.to_owned());
        if asked.command != VERIFY {
            return Err(invalid("there is no such command"));
        }
        let [uri, property] = &asked.arguments[..] else {
            return Err(invalid(
                "the arguments are a URI and the name of a property",
            ));
        };
        let uri: lsp::Url = parsed(uri.clone())?;
        let property: String = parsed(property.clone())?;
        let path = path_of(&uri).ok_or_else(|| invalid("the document is no file"))?;
        let subject = self.space.subjects.get(&path);
        let subject = subject.ok_or_else(|| invalid("the document is no open specification"))?;
        if subject.programs.is_empty() {
            return Err(invalid(
                "the program of the specification is not known: name it in the settings",
            ));
        }
        let unsaved = self.space.documents.iter();
        let mut unsaved = unsaved.filter(|(path, d)| subject.has(path) && !d.saved);
        if let Some((unsaved, _)) = unsaved.next() {
            let name = unsaved.display();
            return Err(invalid(&format!("`verify` reads files: save {name} first")));
        }
        let job = self.space.job(subject);
        let generation = subject.generation;
        let token = asked.work_done_progress_params.work_done_token;
        let token = token.map(|token| json!(token));
        let token = token.or_else(|| self.own_token());
        let stop = Stop::default();
        let run = Run {
            stop: stop.clone(),
            key: path,
            generation,
            token,
            cancelled: false,
        };
        self.progress(
            &run,
            json!({ "kind": "begin", "title": format!("verify {property}"), "cancellable": true }),
        );
        self.runs.insert(id.clone(), run);
        let (host, events) = (Arc::clone(&self.space.host), self.events.clone());
        std::thread::spawn(move || {
            let verify = || host.verify(&job, &property, &stop);
            let outcome = catch_unwind(AssertUnwindSafe(verify));
            let outcome = outcome.unwrap_or_else(|_| Err("an error of the server".to_owned()));
            let _ = events.send(Event::Verified(id, outcome));
        });
        Ok(())
    }

    /// A token for progress that the client has not asked for, if it shows such progress.
    fn own_token(&mut self) -> Option<Value> {
        if !self.client.progress {
            return None;
        }
        let token = json!(format!("baproduct/verify/{}", self.next));
        self.request("window/workDoneProgress/create", json!({ "token": token }));
        Some(token)
    }

    fn progress(&self, run: &Run, value: Value) {
        if let Some(token) = &run.token {
            self.notify("$/progress", json!({ "token": token, "value": value }));
        }
    }

    pub(super) fn verified(&mut self, id: &RequestId, outcome: Result<Vec<Outcome>, String>) {
        let Some(run) = self.runs.remove(id) else {
            return;
        };
        self.progress(&run, json!({ "kind": "end" }));
        let error = |code: ErrorCode, why: String| Response::new_err(id.clone(), code as i32, why);
        let outcomes = match outcome {
            _ if run.cancelled => {
                return self.respond(&error(ErrorCode::RequestCanceled, "cancelled".to_owned()));
            }
            Err(why) => return self.respond(&error(ErrorCode::RequestFailed, why)),
            Ok(outcomes) => outcomes,
        };
        let shown: Vec<Value> = outcomes.iter().map(|o| self.shown(o)).collect();
        let current = self.space.subjects.get_mut(&run.key);
        // Verdicts of texts that have changed meanwhile are answered, but not shown at the new ones.
        if let Some(subject) = current.filter(|s| s.generation == run.generation) {
            let new: Vec<&str> = outcomes.iter().map(|o| o.property.as_str()).collect();
            subject
                .outcomes
                .retain(|o| !new.contains(&o.property.as_str()));
            subject.outcomes.extend(outcomes);
            self.tell(&run.key);
            if self.client.refresh_hints {
                self.request("workspace/inlayHint/refresh", Value::Null);
            }
        }
        self.respond(&Response::new_ok(id.clone(), shown));
    }

    /// An outcome as the client gets it: with the steps of the run as locations.
    fn shown(&self, outcome: &Outcome) -> Value {
        let steps = outcome.run.iter().filter_map(|step| {
            let location = self.space.line(&step.file, step.line)?;
            Some(json!({ "location": location, "message": step.what }))
        });
        json!({
            "property": outcome.property, "verdict": outcome.verdict, "violated": outcome.violated,
            "reason": outcome.reason, "run": steps.collect::<Vec<_>>(),
        })
    }

    /// Stops all verifications and waits for their ends, so that no process stays.
    pub(super) fn end(&mut self, incoming: &Receiver<Event>) {
        self.stop_all();
        while !self.runs.is_empty() {
            match incoming.recv() {
                Ok(Event::Verified(id, outcome)) => self.verified(&id, outcome),
                Ok(_) => {}
                Err(_) => return,
            }
        }
    }

    /// Stops all verifications.
    pub(super) fn stop_all(&mut self) {
        for run in self.runs.values_mut() {
            run.cancelled = true;
            run.stop.stop();
        }
    }
}
