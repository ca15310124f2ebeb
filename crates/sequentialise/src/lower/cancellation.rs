//! Lowers cancellation: a thread that another one has asked to end does so at the next cancellation point (POSIX, System
//! Interfaces, 2.9.5), unless it has disabled that: its cleanup handlers run, the last first, then the destructors of its data.
//!
//! The GNU library makes `pthread_cleanup_push` a block that begins with the declaration of the handler and a call of it
//! behind a place to jump to. The handlers of a place are thus known without running the program: those of the blocks around
//! it in all its activations.

use cfront::tree::ExprKind;
use cfront::{ExprId, Span};

use super::Lower;
use crate::code::{Action, Mover};
use crate::library::Point;

/// The variable of a cleanup handler in the GNU library's macro.
const ROUTINE: &str = "__cancel_routine";

/// A cleanup handler that is to run if the thread ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cleanup {
    /// The number of activations where it was registered.
    frames: usize,
    /// Its call.
    call: ExprId,
}

impl Lower<'_, '_> {
    /// Whether the current thread may be cancelled where it now is. Only a thread that asks for its own handle can give
    /// others that of the main thread.
    pub(super) fn may_be_cancelled(&self) -> bool {
        let known = self.thread != 0 || self.facts.names_self;
        self.facts.cancels && known && !self.ending && self.env.atomic == 0
    }

    /// Whether the current thread may end in a call because it is cancelled.
    pub(super) fn ends_at(&self, call: ExprId) -> Option<Point> {
        self.facts.point(call).filter(|_| self.may_be_cancelled())
    }

    /// Registers the cleanup handler of the block around a call.
    pub(super) fn register_cleanup(&mut self, e: ExprId) {
        let tree = self.facts.tree;
        let span = tree.exprs[e].span;
        let calls_it = |c: &ExprId| match &tree.exprs[*c].kind {
            ExprKind::Call { callee, .. } => {
                let name = self.facts.unit.text_of(tree.exprs[*callee].span);
                name == ROUTINE
            }
            _ => false,
        };
        let call = tree
            .block_around(e)
            .and_then(|block| self.facts.calls_in(block).find(calls_it));
        match call {
            Some(call) => {
                let frames = self.frames.len();
                self.cleanups.push(Cleanup { frames, call });
            }
            None => self.refuse(span, "this cleanup handler cannot be found"),
        }
    }

    /// Lowers a call of `pthread_setcanceltype`: requests are acted upon at cancellation points alone.
    pub(super) fn cancel_type(&mut self, e: ExprId, args: &[ExprId]) -> String {
        let span = self.facts.tree.exprs[e].span;
        if self.facts.cancels && self.value_of(args[0]) != Some(0) {
            self.refuse(
                span,
                "a thread that may be cancelled anywhere cannot be followed: only PTHREAD_CANCEL_DEFERRED can",
            );
        }
        if let Some(&old) = args.get(1) {
            let old = self.stable(old);
            self.text(format!("if ({old}) *{old} = 0;"), span, Vec::new());
        }
        "0".to_string()
    }

    /// Lowers a cancellation point in which the thread does not wait for others.
    pub(super) fn cancellation_point(&mut self, point: Point, span: Span) {
        let asked = self.model_of("ba_seq_cancelled");
        let test = match point {
            Point::Sure => format!("{asked}()"),
            Point::Perhaps => format!("{asked}() && (nondet_ba_seq() & 1)"),
        };
        let ends = self.int_temp();
        self.push(
            Action::Text(format!("{ends} = {test};")),
            span,
            Vec::new(),
            Mover::None,
        );
        self.end_if(&ends, span);
    }

    /// Lowers a wait that cancellation ends. What the thread does if it was not cancelled follows in the same step, up to
    /// [`Lower::end_of_wait`].
    pub(super) fn wait_or_end(&mut self, can: &str, what: String, span: Span) {
        // A request that was made before the call is acted upon.
        self.cancellation_point(Point::Sure, span);
        self.push(Action::Begin, span, Vec::new(), Mover::Both);
        self.env.atomic += 1;
        let asked = self.model_of("ba_seq_cancelled");
        self.stand(format!("{can} || {asked}()"), what, span);
        let ends = self.int_temp();
        // If both have happened, POSIX leaves open which one counts.
        let asked = self.model_of("ba_seq_cancelled");
        let test = format!("{ends} = {asked}() && (!{can} || (nondet_ba_seq() & 1));");
        self.push(Action::Text(test), span, Vec::new(), Mover::None);
        let goes = self.label();
        self.jump(Some(format!("!{ends}")), goes, span);
        self.end_of_wait(span);
        self.end_cancelled(span);
        self.place(goes, span);
    }

    /// Ends the step that [`Lower::wait_or_end`] has begun.
    pub(super) fn end_of_wait(&mut self, span: Span) {
        if self.env.reachable {
            self.env.atomic = self.env.atomic.saturating_sub(1);
        }
        self.push(Action::End, span, Vec::new(), Mover::Both);
    }

    /// Ends the thread if a variable says that it was cancelled.
    pub(super) fn end_if(&mut self, ends: &str, span: Span) {
        let goes = self.label();
        self.jump(Some(format!("!{ends}")), goes, span);
        self.end_cancelled(span);
        self.place(goes, span);
    }

    /// Ends the thread with the result `PTHREAD_CANCELED`.
    fn end_cancelled(&mut self, span: Span) {
        let result = format!("ba_seq_result[{}] = (void *)-1;", self.thread);
        self.text(result, span, Vec::new());
        self.clean_up();
        self.leave_data(span);
        self.push(Action::Stop, span, Vec::new(), Mover::Left);
        self.env.reachable = false;
    }

    /// Runs the cleanup handlers of the ending thread, each in the activation that has registered it.
    pub(super) fn clean_up(&mut self) {
        if self.cleanups.is_empty() || !self.env.reachable {
            return;
        }
        let (frames, cleanups) = (self.frames.clone(), self.cleanups.clone());
        let before = std::mem::replace(&mut self.ending, true);
        while let Some(cleanup) = self.cleanups.pop() {
            self.frames.truncate(cleanup.frames);
            self.discard(cleanup.call);
            self.frames.clone_from(&frames);
        }
        self.cleanups = cleanups;
        self.ending = before;
    }
}
