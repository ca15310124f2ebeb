//! Messages on a stream: headers, an empty line, and JSON.

use lsp_server::Message;
use std::io::{self, BufRead, Read};

/// The longest message that is read, in bytes: more than any program that an editor opens.
const LONGEST: usize = 1 << 28;

/// What was read.
pub(crate) enum Frame {
    /// A message.
    Message(Message),
    /// Text that is no message, with the code of the error and the reason.
    Wrong(i32, String),
}

/// Reads a message; `None` at the end of the stream.
///
/// # Errors
/// If the stream fails, or its headers say nothing of the length: then nothing tells where the next message begins.
pub(crate) fn read(stream: &mut impl BufRead) -> io::Result<Option<Frame>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        let limit = 1 << 16;
        if stream.by_ref().take(limit).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse::<usize>().ok();
            }
        }
    }
    let invalid = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why.to_owned());
    let length = length.ok_or_else(|| invalid("a message has no `Content-Length`"))?;
    if length > LONGEST {
        return Err(invalid("a message is longer than 256 MiB"));
    }
    let mut body = Vec::new();
    stream.by_ref().take(length as u64).read_to_end(&mut body)?;
    if body.len() < length {
        return Ok(None);
    }
    Ok(Some(message(&body)))
}

fn message(body: &[u8]) -> Frame {
    use lsp_server::ErrorCode::{InvalidRequest, ParseError};
    let value: serde_json::Value = match serde_json::from_slice(body) {
        Ok(value) => value,
        Err(error) => return Frame::Wrong(ParseError as i32, format!("not JSON: {error}")),
    };
    // An array would be read as the fields of a message in their order.
    let message = value.is_object().then(|| serde_json::from_value(value));
    match message {
        Some(Ok(message)) => Frame::Message(message),
        _ => Frame::Wrong(
            InvalidRequest as i32,
            "neither a request, nor a response, nor a notification".to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Option<i32> {
        match read(&mut text.as_bytes()) {
            Ok(Some(Frame::Wrong(code, _))) => Some(code),
            _ => None,
        }
    }

    #[test]
    fn what_is_no_message_is_told_apart() {
        assert_eq!(code("Content-Length: 2\r\n\r\n{x"), Some(-32700));
        assert_eq!(code("content-length: 2\r\n\r\n{}"), Some(-32600));
        assert_eq!(code("Content-Length: 4\n\nnull"), Some(-32600));
        assert_eq!(code("Content-Length: 3\n\n[1]"), Some(-32600));
        let exit = "Content-Length: 17\r\nContent-Type: x\r\n\r\n{\"method\":\"exit\"}";
        assert!(matches!(
            read(&mut exit.as_bytes()),
            Ok(Some(Frame::Message(_)))
        ));
        assert!(matches!(read(&mut "".as_bytes()), Ok(None)));
        assert!(matches!(
            read(&mut "Content-Length: 9\r\n\r\n{".as_bytes()),
            Ok(None)
        ));
        assert!(read(&mut "\r\n".as_bytes()).is_err());
        assert!(read(&mut "Content-Length: 99999999999\r\n\r\n".as_bytes()).is_err());
        assert!(read(&mut "Content-Length: -1\r\n\r\n".as_bytes()).is_err());
    }
}
