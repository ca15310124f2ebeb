//! Colours, widths, wrapping, and the cleaning of untrusted text.

use super::Options;
use unicode_width::UnicodeWidthStr;

/// The colours of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    Red,
    Green,
    Yellow,
}

/// Marks up text according to the options.
pub(super) struct Paint<'a> {
    pub(super) options: &'a Options,
}

impl<'a> Paint<'a> {
    pub(super) fn new(options: &'a Options) -> Self {
        Paint { options }
    }

    fn sgr(&self, code: &str, text: &str) -> String {
        if self.options.colour && !text.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    pub(super) fn bold(&self, text: &str) -> String {
        self.sgr("1", text)
    }

    pub(super) fn faint(&self, text: &str) -> String {
        self.sgr("2", text)
    }

    pub(super) fn in_colour(&self, colour: Colour, text: &str) -> String {
        let code = match colour {
            Colour::Red => "1;31",
            Colour::Green => "1;32",
            Colour::Yellow => "1;33",
        };
        self.sgr(code, text)
    }

    pub(super) fn bullet(&self) -> &'static str {
        if self.options.unicode {
            "•"
        } else {
            "-"
        }
    }

    pub(super) fn ellipsis(&self) -> &'static str {
        if self.options.unicode {
            "…"
        } else {
            "..."
        }
    }

    /// Replaces control characters: no name in the program may send commands to the terminal.
    pub(super) fn clean(&self, text: &str) -> String {
        let replacement = if self.options.unicode {
            '\u{FFFD}'
        } else {
            '?'
        };
        text.chars()
            .map(|c| match c {
                '\t' | '\n' | '\r' => ' ',
                // Control characters, and characters that change the direction of writing.
                c if c.is_control() => replacement,
                '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => replacement,
                c => c,
            })
            .collect()
    }

    /// Wraps plain text between words so that no line is wider than the page, unless a single word
    /// is.
    pub(super) fn wrap(&self, first: &str, rest: &str, text: &str) -> Vec<String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.is_empty() {
            return vec![first.to_owned()];
        }
        let options = textwrap::Options::new(self.options.width)
            .initial_indent(first)
            .subsequent_indent(rest)
            .break_words(false)
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        let text = words.join(" ");
        let lines = textwrap::wrap(&text, options);
        lines.into_iter().map(|line| line.into_owned()).collect()
    }

    /// Fits the text into exactly `width` columns; the end of a longer text is cut off.
    pub(super) fn fit(&self, text: &str, width: usize) -> String {
        let cut = if text.width() <= width {
            text.to_owned()
        } else {
            self.head(text, width)
        };
        let missing = width.saturating_sub(cut.width());
        cut + &" ".repeat(missing)
    }

    fn head(&self, text: &str, width: usize) -> String {
        let room = width.saturating_sub(self.ellipsis().width());
        let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
        let fits = ends
            .map(|end| &text[..end])
            .take_while(|t| t.width() <= room);
        let kept = fits.last().unwrap_or_default().to_owned();
        if width < self.ellipsis().width() {
            return kept;
        }
        format!("{kept}{}", self.ellipsis())
    }

    /// Fits the text into at most `width` columns; the beginning of a longer text is cut off, since
    /// the end of a path is more informative.
    pub(super) fn tail(&self, text: &str, width: usize) -> String {
        if text.width() <= width {
            return text.to_owned();
        }
        let room = width.saturating_sub(self.ellipsis().width());
        // A text's width is not the sum of its characters' widths: variation selectors change the
        // character before.
        let mut starts = text.char_indices().map(|(at, _)| &text[at..]);
        let kept = starts.find(|t| t.width() <= room).unwrap_or_default();
        format!("{}{kept}", self.ellipsis())
    }
}

/// `0.35 s`, `12.3 s`, `4 min 5 s`.
pub(super) fn duration(seconds: f64) -> String {
    if !seconds.is_finite() || seconds < 0.0 {
        "? s".to_owned()
    } else if seconds < 10.0 {
        format!("{seconds:.2} s")
    } else if seconds < 120.0 {
        format!("{seconds:.1} s")
    } else {
        let whole = seconds.round() as u64;
        format!("{} min {} s", whole / 60, whole % 60)
    }
}

/// `41 MiB`.
pub(super) fn memory(kib: u64) -> String {
    match kib {
        0..=1023 => format!("{kib} KiB"),
        _ => format!("{} MiB", (kib + 512) / 1024),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn options(width: usize) -> Options {
        Options {
            width,
            ..Options::default()
        }
    }

    proptest! {
        #[test]
        fn wrapping_keeps_the_words_and_the_width(text in "[a-zé宽 ]{0,80}", width in 10usize..40) {
            let options = options(width);
            let lines = Paint::new(&options).wrap("- ", "  ", &text);
            let joined = lines.iter().map(|l| &l[2..]).collect::<Vec<_>>().join(" ");
            let words = |t: &str| t.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            prop_assert_eq!(words(&joined), words(&text));
            for line in &lines {
                prop_assert!(line.width() <= width || words(&line[2..]).len() == 1);
            }
        }

        #[test]
        fn fitting_gives_the_width(text in "\\PC{0,30}", width in 0usize..20, unicode: bool) {
            let options = Options { unicode, ..options(50) };
            let paint = Paint::new(&options);
            let clean = paint.clean(&text);
            prop_assert!(paint.fit(&clean, width).width() <= width.max(clean.width()));
            prop_assert!(paint.fit(&clean, width).width() >= width);
            prop_assert!(paint.tail(&clean, width.max(3)).width() <= width.max(3));
        }

        #[test]
        fn selectors_that_widen_a_character_are_counted(before in "[a-z]{0,6}", width in 3usize..8) {
            let options = options(50);
            let text = format!("{before}*\u{fe0f}*\u{fe0f}{before}");
            prop_assert!(Paint::new(&options).tail(&text, width).width() <= width);
            prop_assert!(Paint::new(&options).head(&text, width).width() <= width);
        }

        #[test]
        fn clean_text_has_no_control_characters(text in any::<String>()) {
            let options = options(50);
            prop_assert!(!Paint::new(&options).clean(&text).chars().any(char::is_control));
        }
    }

    #[test]
    fn amounts_are_readable() {
        assert_eq!(duration(0.354), "0.35 s");
        assert_eq!(duration(12.34), "12.3 s");
        assert_eq!(duration(245.4), "4 min 5 s");
        assert_eq!(duration(f64::NAN), "? s");
        assert_eq!(memory(41_000), "40 MiB");
        assert_eq!(memory(100), "100 KiB");
    }
}
