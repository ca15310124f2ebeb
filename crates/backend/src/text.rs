//! Reads untrusted output: maybe not UTF-8, not terminated, not short.

use std::io::{self, BufRead, BufReader, Read};

/// A line longer than this is cut; backends' own lines are far shorter.
const MAX_LINE: usize = 1 << 20;

/// Passes a stream of bytes on as UTF-8 with each invalid sequence replaced by U+FFFD. The result
/// is that of [`String::from_utf8_lossy`] for the whole, however the stream is divided.
pub struct Lossy<R> {
    inner: R,
    /// Bytes that may be the beginning of a longer character.
    pending: Vec<u8>,
    ready: Vec<u8>,
    at: usize,
    ended: bool,
}

impl<R: Read> Lossy<R> {
    /// Reads from `inner`.
    pub fn new(inner: R) -> Self {
        Lossy {
            inner,
            pending: Vec::new(),
            ready: Vec::new(),
            at: 0,
            ended: false,
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        let mut chunk = [0u8; 16 * 1024];
        let n = self.inner.read(&mut chunk)?;
        self.pending.extend_from_slice(&chunk[..n]);
        self.ended = n == 0;
        let keep = if self.ended {
            0
        } else {
            incomplete_tail(&self.pending)
        };
        let whole = self.pending.len() - keep;
        self.ready = String::from_utf8_lossy(&self.pending[..whole])
            .into_owned()
            .into_bytes();
        self.at = 0;
        self.pending.drain(..whole);
        Ok(())
    }
}

impl<R: Read> Read for Lossy<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.ready.len() && !self.ended {
            self.fill()?;
        }
        let n = buffer.len().min(self.ready.len() - self.at);
        buffer[..n].copy_from_slice(&self.ready[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}

/// How many bytes at the end may be the beginning of an incomplete character.
fn incomplete_tail(bytes: &[u8]) -> usize {
    for back in 1..=bytes.len().min(3) {
        let lead = bytes[bytes.len() - back];
        if lead & 0xC0 != 0x80 {
            return match std::str::from_utf8(&bytes[bytes.len() - back..]) {
                Err(e) if e.error_len().is_none() => back,
                _ => 0,
            };
        }
    }
    0
}

/// The lines of a stream without their ends, each at most 1 MiB (the rest is dropped),
/// invalid UTF-8 replaced. A read error ends the lines, as the end of the stream does.
pub fn lines<R: Read>(stream: R) -> impl Iterator<Item = String> {
    let mut reader = BufReader::with_capacity(64 * 1024, stream);
    std::iter::from_fn(move || next_line(&mut reader))
}

fn next_line<R: BufRead>(reader: &mut R) -> Option<String> {
    let mut line = Vec::new();
    let mut seen = false;
    while let Some((used, ended)) = part_of_line(reader, &mut line) {
        reader.consume(used);
        seen = true;
        if ended {
            break;
        }
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    seen.then(|| String::from_utf8_lossy(&line).into_owned())
}

/// Appends the available part of the line; returns the number of bytes used and whether the line
/// has ended.
fn part_of_line<R: BufRead>(reader: &mut R, line: &mut Vec<u8>) -> Option<(usize, bool)> {
    let available = reader.fill_buf().ok().filter(|bytes| !bytes.is_empty())?;
    let end = available.iter().position(|b| *b == b'\n');
    let part = &available[..end.unwrap_or(available.len())];
    let room = MAX_LINE - line.len();
    line.extend_from_slice(&part[..part.len().min(room)]);
    Some((part.len() + usize::from(end.is_some()), end.is_some()))
}

/// The beginning and the end of a long text.
#[derive(Debug)]
pub(crate) struct HeadTail {
    head: Vec<u8>,
    tail: std::collections::VecDeque<u8>,
    room: usize,
    dropped: u64,
}

impl HeadTail {
    /// Keeps `room` bytes at each end.
    pub(crate) fn new(room: usize) -> Self {
        HeadTail {
            head: Vec::new(),
            tail: Default::default(),
            room,
            dropped: 0,
        }
    }

    /// Appends bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(self.room - self.head.len()));
        self.head.extend_from_slice(first);
        let skipped = rest.len().saturating_sub(self.room);
        if skipped > 0 {
            self.dropped += (self.tail.len() + skipped) as u64;
            self.tail.clear();
        }
        self.tail.extend(&rest[skipped..]);
        let excess = self.tail.len().saturating_sub(self.room);
        self.tail.drain(..excess);
        self.dropped += excess as u64;
    }

    /// The kept text, with a note on the number of dropped bytes.
    pub(crate) fn text(&self) -> String {
        let mut all = self.head.clone();
        if self.dropped > 0 {
            all.extend_from_slice(format!("\n[{} bytes left out]\n", self.dropped).as_bytes());
        }
        all.extend(&self.tail);
        String::from_utf8_lossy(&all).into_owned()
    }
}

/// Quotes an argument for a POSIX shell, only where that is needed.
pub fn quote(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    /// A stream that returns its bytes in pieces of the given sizes.
    struct Pieces<'a>(&'a [u8], Vec<usize>);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let n = self
                .1
                .pop()
                .unwrap_or(1)
                .max(1)
                .min(self.0.len())
                .min(buffer.len());
            buffer[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    proptest! {
        #[test]
        fn lossy_is_the_same_however_the_stream_is_cut(
            bytes in proptest::collection::vec(
                prop_oneof![any::<u8>(), Just(0xE2), Just(0x82), Just(0xAC), Just(0xF0), Just(0x9F), Just(b'a')],
                0..60,
            ),
            pieces in proptest::collection::vec(1usize..5, 0..40),
        ) {
            let mut text = String::new();
            Lossy::new(Pieces(&bytes, pieces)).read_to_string(&mut text).unwrap();
            prop_assert_eq!(text, String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn lines_are_those_of_std(text in "[a-c\n]{0,30}") {
            let found: Vec<String> = lines(text.as_bytes()).collect();
            let expected: Vec<&str> = text.lines().collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn an_endless_line_is_cut_and_the_next_one_is_found() {
        let mut bytes = vec![b'x'; 3 * MAX_LINE];
        bytes.extend_from_slice(b"\nnext");
        let found: Vec<String> = lines(&bytes[..]).collect();
        assert_eq!(found[0].len(), MAX_LINE);
        assert_eq!(found[1], "next");
    }

    #[test]
    fn head_and_tail_of_a_long_text() {
        let mut kept = HeadTail::new(4);
        kept.push(b"abcdef");
        kept.push(b"ghijkl");
        assert_eq!(kept.text(), "abcd\n[4 bytes left out]\nijkl");
        kept.push(b"mnopqrst");
        assert_eq!(kept.text(), "abcd\n[12 bytes left out]\nqrst");
        let mut short = HeadTail::new(4);
        short.push(b"abcdef");
        assert_eq!(short.text(), "abcdef");
    }

    #[test]
    fn arguments_are_quoted_for_a_shell() {
        assert_eq!(quote("--unwind"), "--unwind");
        assert_eq!(quote("it's"), r"'it'\''s'");
        assert_eq!(quote(""), "''");
    }
}
