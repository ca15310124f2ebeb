//! Decides which system headers stay `#include` lines, and which are written out because something
//! is inserted into their text (into the body of an inline function, for example).

use crate::linemap::parse_marker;
use crate::parse::Unit;
use crate::span::{Offset, Span};

/// A system header that the text enters.
struct Entered {
    /// The text from the marker that enters the header to the marker that leaves it.
    span: Span,
    /// Index after the last header that is entered within this one.
    end: usize,
    /// Whether something is inserted into the header, or into a header that it includes.
    written: bool,
}

/// The system headers of a part of the program.
#[derive(Default)]
pub(super) struct Kept {
    /// In the order in which they are entered.
    headers: Vec<Entered>,
}

impl Kept {
    /// Finds the headers of a part; `sorted` are the insertions. Takes time linear in the
    /// directives, times the logarithm of the insertions.
    pub fn new(unit: &Unit, part: Span, sorted: &[(Offset, &str)]) -> Kept {
        let mut headers: Vec<Entered> = Vec::new();
        // The open files; a system header by its index.
        let mut files: Vec<Option<usize>> = Vec::new();
        let close = |headers: &mut Vec<Entered>, index: usize, end: Offset| {
            let count = headers.len();
            let header = &mut headers[index];
            header.span = Span::new(header.span.start, end);
            header.end = count;
            let first = sorted.partition_point(|(at, _)| *at < header.span.start);
            header.written = sorted.get(first).is_some_and(|(at, _)| *at < end);
        };
        for directive in unit.tokens.directives_in(part) {
            let Some(marker) = parse_marker(directive.of(&unit.source.text)) else {
                continue;
            };
            if marker.enter {
                let is_system = marker.system && !super::is_implied(&marker);
                files.push(is_system.then_some(headers.len()));
                if is_system {
                    headers.push(Entered {
                        span: *directive,
                        end: 0,
                        written: false,
                    });
                }
            } else if marker.leave {
                if let Some(index) = files.pop().flatten() {
                    close(&mut headers, index, directive.start);
                }
            }
        }
        for index in files.into_iter().flatten() {
            close(&mut headers, index, part.end);
        }
        Kept { headers }
    }

    /// Whether something is inserted into the header that the marker at an offset enters.
    pub fn is_written(&self, marker: Offset) -> bool {
        let index = self
            .headers
            .partition_point(|header| header.span.start < marker);
        self.headers
            .get(index)
            .is_some_and(|header| header.span.start == marker && header.written)
    }

    /// The offsets at which a header begins that stays an include line and is not inside another
    /// one.
    pub fn includes(&self) -> Vec<Offset> {
        let mut found = Vec::new();
        let mut index = 0;
        while let Some(header) = self.headers.get(index) {
            index += 1;
            if !header.written {
                found.push(header.span.start);
                index = header.end.max(index);
            }
        }
        found
    }
}
