//! Texts that `snprintf` and `vsnprintf` write by a format that is not written out.
//!
//! What model checkers have for these calls gives the number of bytes that were stored, which is never more than the room, and
//! may leave out the null character. The functions give the length that the whole text has, or a negative number, and what they
//! store ends with a null character: programs that look whether a text was cut, or measure it first, behaved otherwise.

use cfront::library::plain_name;

use super::estimates::CONDITION;
use super::values::nondet;
use crate::facts::types::CallTypes;
use crate::facts::Call;
use crate::layout::weaver::Weaver;

/// The most bytes of an array that are written one by one, without a loop.
const WRITTEN_OUT: u64 = 256;

impl Weaver<'_> {
    /// The function that stands for such a call, with the condition under which it does.
    pub(super) fn any_print(
        &self,
        call: &Call,
        name: &str,
        types: &CallTypes,
    ) -> Option<(String, String)> {
        if call.target.is_some() || !matches!(plain_name(name), "snprintf" | "vsnprintf") {
            return None;
        }
        // A text that threads only print is left out with its arguments (`sequentialise`), and nothing asks for its length.
        if self.analysis.threaded && !call.used {
            return None;
        }
        let result = types.result.as_ref().filter(|ty| ty.bounds.is_some())?;
        let room = types.arguments.get(1)?.scalar.as_ref()?;
        room.bounds?;
        let (ty, room) = (&result.spelling, &room.spelling);
        let (count, length, byte) = (nondet(ty), nondet(room), nondet("char"));
        let within = types.arguments.first()?.array_bytes;
        let (index, bytes): (&str, String) = match within.filter(|n| *n <= WRITTEN_OUT) {
            Some(bytes) => {
                let each = (0..bytes).map(|e| format!("  if ({e} < ba_k) ba_s[{e}] = {byte}();\n"));
                ("", each.collect())
            }
            None => (
                ", ba_e",
                format!("  for (ba_e = 0; ba_e < ba_k; ba_e++) ba_s[ba_e] = {byte}();\n"),
            ),
        };
        // Where the function fails, it has stored a text, too.
        Some((
            CONDITION.to_owned(),
            format!(
                "  {ty} {count}(void);\n  {room} {length}(void);\n  char {byte}(void);\n  {ty} ba_r = {count}();\n\
                 \x20 char *ba_s = (char *)ba_a0;\n  {room} ba_k = ba_r < 0 ? {length}() : ({room})ba_r{index};\n\
                 \x20 BA_ASSUME(ba_r >= -1);\n  if (!ba_a1) return ba_r;\n  BA_ASSUME(ba_r >= 0 || ba_k < ba_a1);\n\
                 \x20 if (ba_k >= ba_a1) ba_k = ba_a1 - 1;\n{bytes}  ba_s[ba_k] = 0;\n  return ba_r;\n"
            ),
        ))
    }
}
