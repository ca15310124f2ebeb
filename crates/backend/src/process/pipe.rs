//! Standard output on its way from the child to its reader.
//!
//! A thread of its own empties the pipe into a short queue, so that the reader can stop early without
//! blocking the child, and so that a process that escaped from the group and still holds the pipe
//! cannot keep the reader waiting.

use std::io::{self, Read};
use std::process::ChildStdout;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{sync_channel, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

#[derive(Default)]
struct State {
    /// Bytes that came through.
    bytes: AtomicU64,
    /// The thread waits for the child, not for the reader.
    waiting: AtomicBool,
    /// Nothing more is wanted: the reader sees the end.
    closed: AtomicBool,
    overflow: AtomicBool,
    done: AtomicBool,
}

/// The writing end's side.
pub(super) struct Pipe {
    state: Arc<State>,
    receiver: Mutex<Option<Receiver<Vec<u8>>>>,
}

impl Pipe {
    /// Begins to empty `stdout`, up to `limit` bytes.
    pub(super) fn open(stdout: Option<ChildStdout>, limit: u64) -> Self {
        let state = Arc::new(State::default());
        let (sender, receiver) = sync_channel(16);
        match stdout {
            Some(stdout) => {
                let shared = Arc::clone(&state);
                std::thread::spawn(move || pump(stdout, sender, &shared, limit));
            }
            None => state.done.store(true, Ordering::SeqCst),
        }
        Pipe {
            state,
            receiver: Mutex::new(Some(receiver)),
        }
    }

    /// The reading end; the second and later ones are empty.
    pub(super) fn reader(&self) -> Reader {
        let mut slot = self.receiver.lock().unwrap_or_else(PoisonError::into_inner);
        Reader {
            receiver: slot.take(),
            state: Arc::clone(&self.state),
            chunk: Vec::new(),
            at: 0,
        }
    }

    /// Whether more than the limit came.
    pub(super) fn overflowed(&self) -> bool {
        self.state.overflow.load(Ordering::SeqCst)
    }

    /// After the child's end: lets what is still in the pipe come, and closes it when nothing has
    /// come for a while although the thread was waiting for it.
    pub(super) fn finish(&self) {
        let mut seen = self.state.bytes.load(Ordering::SeqCst);
        let mut quiet_since = Instant::now();
        while !self.state.done.load(Ordering::SeqCst) {
            let now = self.state.bytes.load(Ordering::SeqCst);
            if now != seen || !self.state.waiting.load(Ordering::SeqCst) {
                seen = now;
                quiet_since = Instant::now();
            } else if quiet_since.elapsed() > Duration::from_secs(1) {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.state.closed.store(true, Ordering::SeqCst);
    }
}

fn pump(mut stdout: ChildStdout, sender: SyncSender<Vec<u8>>, state: &State, limit: u64) {
    let mut sender = Some(sender);
    let mut buffer = vec![0u8; 64 * 1024];
    loop {
        state.waiting.store(true, Ordering::SeqCst);
        let n = match stdout.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        state.waiting.store(false, Ordering::SeqCst);
        let total = state.bytes.fetch_add(n as u64, Ordering::SeqCst) + n as u64;
        if total > limit {
            state.overflow.store(true, Ordering::SeqCst);
            sender = None;
        }
        // Without a reader the bytes are thrown away, so that the child can go on to its end.
        if sender
            .as_ref()
            .is_some_and(|s| s.send(buffer[..n].to_vec()).is_err())
        {
            sender = None;
        }
    }
    state.done.store(true, Ordering::SeqCst);
}

/// What the child wrote, as a stream.
pub(super) struct Reader {
    receiver: Option<Receiver<Vec<u8>>>,
    state: Arc<State>,
    chunk: Vec<u8>,
    at: usize,
}

impl Reader {
    fn next_chunk(&mut self) -> Option<Vec<u8>> {
        let receiver = self.receiver.as_ref()?;
        loop {
            match receiver.recv_timeout(Duration::from_millis(20)) {
                Ok(chunk) => return Some(chunk),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if self.state.closed.load(Ordering::SeqCst) => {
                    return None
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.chunk.len() {
            match self.next_chunk() {
                Some(chunk) => (self.chunk, self.at) = (chunk, 0),
                None => {
                    self.receiver = None;
                    return Ok(0);
                }
            }
        }
        let n = buffer.len().min(self.chunk.len() - self.at);
        buffer[..n].copy_from_slice(&self.chunk[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}
