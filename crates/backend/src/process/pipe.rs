//! Passes standard output from the child to its reader.
//!
//! A thread empties the pipe into a short queue, so that the reader can stop early without blocking
//! the child, and so that a process outside of the group that still holds the pipe cannot block the
//! reader.

use std::io::{self, Read};
use std::process::ChildStdout;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{sync_channel, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

#[derive(Default)]
struct State {
    /// The number of bytes that came through.
    bytes: AtomicU64,
    /// Whether the thread waits for the child, not for the reader.
    waiting: AtomicBool,
    /// Whether the reader sees the end, because no more output is wanted.
    closed: AtomicBool,
    overflow: AtomicBool,
    /// Whether everything came through, or nobody can read more.
    done: Mutex<bool>,
    /// Told when it is.
    over: Condvar,
}

impl State {
    /// Waits until everything came through, for at most `time`; whether it did.
    fn wait(&self, time: Duration) -> bool {
        let done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.over.wait_timeout_while(done, time, |done| !*done);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn end(&self) {
        *self.done.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.over.notify_all();
    }
}

/// The writing side.
pub(super) struct Pipe {
    state: Arc<State>,
    receiver: Mutex<Option<Receiver<Vec<u8>>>>,
}

impl Pipe {
    /// Starts emptying `stdout`, up to `limit` bytes.
    pub(super) fn open(stdout: Option<ChildStdout>, limit: u64) -> Self {
        let state = Arc::new(State::default());
        let (sender, receiver) = sync_channel(16);
        match stdout {
            Some(stdout) => {
                let shared = Arc::clone(&state);
                std::thread::spawn(move || pump(stdout, sender, &shared, limit));
            }
            None => state.end(),
        }
        Pipe {
            state,
            receiver: Mutex::new(Some(receiver)),
        }
    }

    /// The reading side; the second and later ones are empty.
    pub(super) fn reader(&self) -> Reader {
        let mut slot = self.receiver.lock().unwrap_or_else(PoisonError::into_inner);
        Reader {
            receiver: slot.take(),
            state: Arc::clone(&self.state),
            chunk: Vec::new(),
            at: 0,
        }
    }

    /// Whether more bytes than the limit came.
    pub(super) fn overflowed(&self) -> bool {
        self.state.overflow.load(Ordering::SeqCst)
    }

    /// Waits for `time`, or until the child closes its standard output; whether it did so now.
    pub(super) fn wait(&self, time: Duration) -> bool {
        if self.state.wait(Duration::ZERO) {
            std::thread::sleep(time);
            return false;
        }
        self.state.wait(time)
    }

    /// After the child's end: lets the rest in the pipe come through, and closes the pipe when the
    /// thread has waited in vain for a while.
    pub(super) fn finish(&self) {
        let mut seen = self.state.bytes.load(Ordering::SeqCst);
        let mut quiet_since = Instant::now();
        while !self.state.wait(Duration::from_millis(1)) {
            let now = self.state.bytes.load(Ordering::SeqCst);
            if now != seen || !self.state.waiting.load(Ordering::SeqCst) {
                seen = now;
                quiet_since = Instant::now();
            } else if quiet_since.elapsed() > Duration::from_secs(1) {
                break;
            }
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
        // Without a reader the bytes are dropped, so that the child can continue.
        if sender
            .as_ref()
            .is_some_and(|s| s.send(buffer[..n].to_vec()).is_err())
        {
            sender = None;
        }
    }
    state.end();
}

/// The child's output as a stream.
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
