//! Lowers waits for condition variables.

use cfront::ExprId;

use super::Lower;
use crate::code::{Access, Action, Mover, Use};
use crate::library::Point;

impl Lower<'_, '_> {
    /// Lowers a wait for a condition variable, which gives the mutex back until it ends.
    pub(super) fn cond_wait(
        &mut self,
        e: ExprId,
        (cond, mutex): (ExprId, ExprId),
        timed: bool,
    ) -> String {
        let span = self.facts.tree.exprs[e].span;
        let thread = self.thread;
        let lock = self.path_of(mutex);
        let place = self.place_of(mutex);
        let about = self.mutex(Use::Looks, mutex, place.clone());
        let (c, m) = (self.stable(cond), self.stable(mutex));
        self.check(e, mutex, &m);
        let ends = self.may_be_cancelled();
        if ends {
            self.cancellation_point(Point::Sure, span);
        }
        let early = timed || self.options.spurious_wakeups;
        self.push(Action::Give(lock.clone()), span, Vec::new(), Mover::Both);
        self.gives(place.clone());
        let wait = self.model_of("ba_seq_wait");
        let concerned = [cond, mutex].map(|object| self.concerned(e, object, false));
        let concerned: Vec<Access> = concerned.into_iter().flatten().collect();
        let text = format!("{wait}({c}, {m}, {thread});");
        self.push(Action::Text(text), span, concerned.clone(), Mover::None);
        self.note(Some(about));
        self.tell_of_mutex("leave", &m, span);
        self.tell_of("sleep", (cond, &c), span);
        let source = self.facts.unit.text_of(span).to_string();
        let can_lock = self.model_of("ba_seq_can_lock");
        let woken = match ends {
            true => {
                let asked = self.model_of("ba_seq_cancelled");
                format!("(ba_seq_woken({c}, {thread}) || {asked}())")
            }
            false => format!("ba_seq_woken({c}, {thread})"),
        };
        let woken = format!("{woken} && {can_lock}({m})");
        let free = format!("{can_lock}({m})");
        // Time passes for every thread, so a timed wait must end; a thread without spurious wakeups
        // is not treated unfairly.
        let conditions = match (timed, early) {
            (true, _) => (free, None),
            (false, true) => (free, Some(woken)),
            (false, false) => (woken, None),
        };
        self.stand_until(conditions, source, span);
        let temp = self.int_temp();
        let mover = match early || self.facts.tries {
            true => Mover::None,
            false => self.observed(Mover::Right, &concerned),
        };
        let how = match (timed, early) {
            (true, _) => "ba_seq_wake_timed",
            (false, true) => "ba_seq_wake_early",
            (false, false) => "ba_seq_wake",
        };
        let text = format!("{temp} = {how}({c}, {m}, {thread});");
        let (text, mover, cancelled) = match ends {
            true => {
                let cancelled = self.int_temp();
                let (asked, wake) = (
                    self.model_of("ba_seq_cancelled"),
                    self.model_of("ba_seq_wake_cancelled"),
                );
                let test = format!("{cancelled} = !ba_seq_woken({c}, {thread}) && {asked}();");
                let wakes = format!("{temp} = {wake}({c}, {m}, {thread});");
                let text = format!("{test} if ({cancelled}) {wakes} else {text}");
                (text, Mover::None, Some(cancelled))
            }
            false => (text, mover, None),
        };
        self.push(Action::Text(text), span, concerned, mover);
        self.push(Action::Take(lock), span, Vec::new(), Mover::Both);
        self.takes(place);
        self.tell_of_mutex("return", &m, span);
        self.tell_of("wake", (cond, &c), span);
        if let Some(cancelled) = cancelled {
            self.end_if(&cancelled, span);
        }
        temp
    }
}
