//! Lowers threads, locks and other synchronisation.

use cfront::tree::{ExprKind, Parent};
use cfront::{ExprId, FunctionId, Span};

use super::bounds;
use super::exprs::enclosed;
use super::Lower;
use crate::code::{Access, Action, Mover, Mutex, Place, Touched, Use};
use crate::facts::Facts;
use crate::library::{Call, Model, Role};
use crate::options::{Does, Tell};
use crate::uses;

/// What happens where a thread starts another.
enum Start {
    /// The new thread is followed.
    Followed,
    /// The thread stays here for ever, as where a recursion is cut.
    Cut,
    /// There are too many threads.
    Refused,
}

impl Lower<'_, '_> {
    /// Emits a report of the thread's action and the object that a pointer leads to, for traces, if
    /// requested.
    pub(super) fn tell_of(
        &mut self,
        what: &'static str,
        (pointer, with): (ExprId, &str),
        span: Span,
    ) {
        let pointer = self.facts.tree.exprs[pointer].span;
        if self.options.tells && !self.options.steps {
            self.out.told.push((span, pointer));
        }
        self.tell(what, (Some(pointer), with), span);
    }

    /// Emits a report, for traces of the step form, of what happens to a mutex in a call that others know by another object.
    pub(super) fn tell_of_mutex(&mut self, what: &'static str, with: &str, span: Span) {
        if self.options.steps {
            self.tell(what, (None, with), span);
        }
    }

    /// Emits a report of the thread's action, if requested.
    fn tell(&mut self, what: &'static str, (pointer, with): (Option<Span>, &str), span: Span) {
        if !self.options.tells {
            return;
        }
        let text = match self.options.steps {
            true => {
                let object = pointer.map(|at| self.facts.unit.text_of(at).to_string());
                self.out.tells.push(Tell {
                    thread: self.thread,
                    span,
                    does: Does::Calls(what, object),
                });
                format!("ba_seq_tells({}, {with});", self.out.tells.len() - 1)
            }
            // Traces show the target of a pointer if it has the object's type.
            false => format!("{{ __typeof__({with}) ba_seq_told_{what} = {with}; }}"),
        };
        self.push(Action::Text(text), span, Vec::new(), Mover::Both);
    }

    /// Lowers a library call in which a thread may stop, or which other threads can observe.
    pub(super) fn library_call(&mut self, e: ExprId, call: Call, used: bool) -> String {
        let result = self.called(e, call, used);
        let fails = |name: &str| matches!(name, "mtx_trylock" | "mtx_timedlock" | "cnd_timedwait");
        match crate::library::name_of(self.facts.tree, e).filter(|name| used && fails(name)) {
            // The models answer as POSIX does; these are `thrd_busy`, `thrd_timedout` and `thrd_error`.
            Some(_) => {
                format!("({result} == 0 ? 0 : {result} == 16 ? 1 : {result} == 110 ? 4 : 2)")
            }
            None => result,
        }
    }

    fn called(&mut self, e: ExprId, call: Call, used: bool) -> String {
        let span = self.facts.tree.exprs[e].span;
        let ExprKind::Call { args, .. } = self.facts.tree.exprs[e].kind.clone() else {
            return "0".to_string();
        };
        let needed = match call {
            Call::Create(h, f, a) => h.max(f).max(a) + 1,
            Call::CondWait(_) | Call::Once => 2,
            Call::Join | Call::Barrier | Call::CancelType => 1,
            Call::Model(m) => m.takes.min(1),
            Call::Destroy => 1,
            _ => 0,
        };
        if args.len() < needed {
            self.refuse(span, "this call has too few arguments");
            return "0".to_string();
        }
        match call {
            Call::Create(h, f, a) => self.create(e, (args[h], args[f], args[a])),
            Call::Join => self.join(e, &args),
            Call::ThreadExit => {
                self.thread_exit(args.first().copied(), span);
                "(void)0".to_string()
            }
            Call::Begin => {
                self.begin(span);
                "(void)0".to_string()
            }
            Call::End => {
                self.end(span);
                "(void)0".to_string()
            }
            Call::CondWait(timed) => self.cond_wait(e, (args[0], args[1]), timed),
            Call::Barrier => self.barrier(e, args[0], used),
            Call::Once => self.once(e, args[0], args[1]),
            Call::Bound | Call::Use => "(void)0".to_string(),
            Call::Destroy => self.destroy(e, args[0]),
            Call::Cut => {
                self.push(
                    Action::Cut("BA_SEQ_STOP();".to_string()),
                    span,
                    Vec::new(),
                    Mover::Both,
                );
                self.env.reachable = false;
                "(void)0".to_string()
            }
            Call::Model(model) => self.model(e, &args, model, used),
            Call::Register => {
                self.register_cleanup(e);
                "(void)0".to_string()
            }
            Call::Unregister => {
                self.cleanups.pop();
                "(void)0".to_string()
            }
            Call::Never => {
                self.give_up(span);
                "(void)0".to_string()
            }
            Call::CancelType => self.cancel_type(e, &args),
            Call::Exit | Call::Nothing => "0".to_string(),
            Call::Refused => {
                let name = crate::library::name_of(self.facts.tree, e).unwrap_or_default();
                self.refuse(
                    span,
                    format!("`{name}` cannot be followed in a program whose threads take turns"),
                );
                "0".to_string()
            }
        }
    }

    fn seen(&mut self, text: String, span: Span, mover: Mover) {
        self.push(Action::Text(text), span, Vec::new(), mover);
    }

    // Threads -----------------------------------------------------------------------------------

    fn create(&mut self, e: ExprId, (handle, function, arg): (ExprId, ExprId, ExprId)) -> String {
        let span = self.facts.tree.exprs[e].span;
        if !self.env.reachable {
            return "0".to_string();
        }
        let key = self.path_of(handle);
        let candidates = self.facts.pointed(function);
        let handle_text = self.value(handle);
        let handle_text = self.kept_text(handle, handle_text);
        let known_arg = self.pointer(arg);
        let arg_text = self.value(arg);
        let arg_text = self.kept_text(arg, arg_text);
        let pointer = match candidates.len() {
            1 => String::new(),
            _ => self.stable(function),
        };
        if candidates.is_empty() {
            self.refuse(span, "cannot tell with which function this thread begins");
            return "0".to_string();
        }
        let end = self.label();
        let single = candidates.len() == 1;
        for target in candidates {
            let over = self.label();
            if !single {
                let name = self.facts.tree.functions[target].name.clone();
                self.out.kept.insert(target);
                self.jump(Some(format!("{pointer} != {name}")), over, span);
            }
            match self.start_of(target) {
                Start::Followed => {}
                Start::Cut => {
                    self.cut(bounds::NO_SITE, span);
                    self.place(over, span);
                    continue;
                }
                Start::Refused => {
                    let most = self.options.max_threads;
                    let message =
                        format!("this would be thread {most}: more than {most} are not followed");
                    self.refuse(span, message);
                    return "0".to_string();
                }
            }
            let number = self.new_thread(target, Some(span), self.thread);
            // A loop may be lowered again, with less that is known.
            match known_arg.clone() {
                Some(pointer) => drop(self.params.insert(number, pointer)),
                None => drop(self.params.remove(&number)),
            }
            self.wait_for_place(number, span);
            self.start(number, (handle, &handle_text), &arg_text, span);
            self.store_handle(key.clone().filter(|_| single), handle, number);
            if !single {
                self.jump(None, end, span);
                self.place(over, span);
            }
        }
        if !single {
            self.text("BA_SEQ_ASSUME(0);".to_string(), span, Vec::new());
            self.env.reachable = false;
            self.place(end, span);
        }
        "0".to_string()
    }

    /// What happens where the present thread starts one that begins with `target`. Threads that
    /// start threads of their own kind have the bound of recursion.
    fn start_of(&self, target: FunctionId) -> Start {
        let mut begins = vec![target];
        let mut thread = self.thread;
        while thread != 0 {
            let code = &self.out.threads[thread as usize];
            begins.push(code.function);
            thread = code.creator;
        }
        let depth = |f: FunctionId| begins.iter().filter(|g| **g == f).count() as u32;
        let full = self.out.threads.len() >= self.options.max_threads;
        let recursive = begins.iter().any(|f| depth(*f) > 1);
        let ends = full || depth(target) > self.options.recursion;
        match recursive && ends && self.tells_cuts() {
            true => Start::Cut,
            false if full => Start::Refused,
            false => Start::Followed,
        }
    }

    /// Whether the program is told where a thread is cut. A monitored program without a bound of
    /// loops or of recursion takes every run for a complete one.
    fn tells_cuts(&self) -> bool {
        let all = Span::new(0, self.facts.unit.text().len());
        let bounds = |call| self.facts.library(call) == Some(Call::Bound);
        let monitored = self.facts.tree.function_named(&self.options.hooks.over);
        monitored.is_none() || self.facts.calls_in(all).any(bounds)
    }

    fn kept_text(&mut self, e: ExprId, text: String) -> String {
        if self.facts.tree.exprs[e].kind_is_constant() {
            return text;
        }
        let temp = self.temp(e);
        let span = self.facts.tree.exprs[e].span;
        self.text(format!("{temp} = {text};"), span, Vec::new());
        temp
    }

    fn start(&mut self, number: u32, (handle, text): (ExprId, &str), arg: &str, span: Span) {
        let tree = self.facts.tree;
        let function = self.out.threads[number as usize].function;
        let writes = pointee(self.facts, handle, true);
        self.text(
            format!("*{} = {number};", enclosed(text.to_string())),
            span,
            writes,
        );
        let param = tree.functions[function]
            .body
            .as_ref()
            .and_then(|b| b.params.first().copied());
        if let Some(param) = param {
            let unique = self.facts.names.get(&param);
            let unique = unique.unwrap_or(&tree.objects[param].name);
            let name = format!("ba_seq_{number}_{}_{unique}", tree.functions[function].name);
            self.text(format!("{name} = (void *)({arg});"), span, Vec::new());
        }
        self.push(Action::Start(number), span, Vec::new(), Mover::Left);
        self.env.handles.start(number);
        self.env.alone = false;
        self.tell("start", (None, "0"), span);
    }

    fn join(&mut self, e: ExprId, args: &[ExprId]) -> String {
        let span = self.facts.tree.exprs[e].span;
        let place = self.path(args[0]);
        let known = place.and_then(|p| self.env.handles.get(&p));
        let handle = match known {
            Some(n) => n.to_string(),
            None => self.stable(args[0]),
        };
        let source = self.facts.unit.text_of(self.facts.tree.exprs[args[0]].span);
        let what = format!("for the end of thread {source}");
        let can = format!("ba_seq_ended({handle})");
        let ends = self.may_be_cancelled();
        match ends {
            true => self.wait_or_end(&can, what, span),
            false => self.stand(can, what, span),
        }
        self.seen(
            format!("BA_SEQ_ASSUME(ba_seq_ended({handle}));"),
            span,
            Mover::Right,
        );
        if ends {
            self.end_of_wait(span);
        }
        self.push(Action::Joined(known), span, Vec::new(), Mover::Both);
        self.tell("join", (None, "0"), span);
        if let Some(&result) = args.get(1) {
            let is_null = self.value_of_pointer(result) == Some(0);
            if !is_null {
                let writes = pointee(self.facts, result, true);
                let place = self.value(result);
                let place = self.kept_text(result, place);
                let cast = match self
                    .facts
                    .tree
                    .types
                    .pointee(self.facts.tree.exprs[result].ty)
                {
                    Some(to) if self.facts.tree.types.is_integer(to) => "(unsigned long)",
                    _ => "",
                };
                let text = format!(
                    "if ({place}) *{} = {cast}ba_seq_result[{handle}];",
                    enclosed(place.clone())
                );
                self.text(text, span, writes);
            }
        }
        self.vacate(known, &handle, span);
        "0".to_string()
    }

    /// The value of a constant pointer; 0 for null.
    fn value_of_pointer(&self, e: ExprId) -> Option<i128> {
        self.value_of(self.facts.tree.uncast(e))
    }

    fn thread_exit(&mut self, value: Option<ExprId>, span: Span) {
        if let Some(value) = value {
            let thread = self.thread;
            let text = self.value(value);
            self.text(
                format!(
                    "ba_seq_result[{thread}] = (void *)(unsigned long){};",
                    enclosed(text)
                ),
                span,
                Vec::new(),
            );
        }
        self.clean_up();
        self.leave_data(span);
        self.push(Action::Stop, span, Vec::new(), Mover::Left);
        self.env.reachable = false;
    }

    // Locks -------------------------------------------------------------------------------------

    /// Lowers a call to a function of `models.c`: the thread waits until the call can proceed, then
    /// performs it.
    fn model(&mut self, e: ExprId, args: &[ExprId], model: Model, used: bool) -> String {
        let span = self.facts.tree.exprs[e].span;
        let checked = uses::text_of(self.facts.tree, e).is_some();
        let (texts, mut accesses) = self.model_arguments(args, model, checked);
        let place = args.first().and_then(|&a| self.place_of(a));
        let lock = place.clone().filter(Place::is_constant);
        let call = texts.join(", ");
        if let (Some(&arg), Some(text)) = (args.first(), texts.first()) {
            self.check(e, arg, text);
        }
        let first = args.first().filter(|_| model.is_about_mutex());
        let mutex = |how: Use| first.map(|&a| self.mutex(how, a, place.clone()));
        let (waits, mut about) = (mutex(Use::Waits), mutex(Use::Looks));
        let ends = model.does == "ba_seq_sem_wait" && self.may_be_cancelled();
        if let Some(can) = model.can {
            let source = self.facts.unit.text_of(span).to_string();
            let can = format!("{}({call})", self.model_of(can));
            match model.spins {
                _ if ends => {
                    self.wait_or_end(&can, source, span);
                }
                true => self.spin(can, source, span),
                false => self.stand(can, source, span),
            }
            if let Some(object) = texts.first() {
                self.waits_for(object);
            }
            self.note(waits);
        }
        let (result, stored) = match used {
            true => {
                let temp = self.temp(e);
                (temp.clone(), format!("{temp} = "))
            }
            false => ("0".to_string(), String::new()),
        };
        let mover = match model.mover {
            // A thread that tries the lock in between can observe that it is taken.
            Mover::Right | Mover::Left if self.facts.tries => Mover::None,
            other => other,
        };
        let concerned = args.first().and_then(|&a| self.concerned(e, a, false));
        let mover = self.observed(mover, concerned.as_slice());
        accesses.extend(concerned);
        if model.role == Role::Gives {
            self.push(Action::Give(lock.clone()), span, Vec::new(), Mover::Both);
            let given = self.gives(place.clone());
            about = about.map(|m| Mutex {
                how: Use::Gives,
                place: given,
                ..m
            });
        } else if model.role == Role::Takes {
            about = about.map(|m| Mutex {
                how: Use::Takes,
                ..m
            });
        }
        if let Some(about) = about.as_mut().filter(|_| used) {
            about.quiet = format!("{result} = 0;");
        }
        let does = self.model_of(model.does);
        let text = format!("{stored}{does}({call});");
        self.push(Action::Text(text), span, accesses, mover);
        self.note(about);
        if let (Some(what), Some(object)) = (model.told(), texts.first()) {
            self.tell_of(what, (args[0], object), span);
        }
        if ends {
            self.end_of_wait(span);
        }
        if model.role == Role::Takes {
            self.push(Action::Take(lock), span, Vec::new(), Mover::Both);
            self.takes(place);
        }
        result
    }

    /// The arguments that a model takes, and the accesses through pointers among them, except
    /// through the first, which points to the model's object. The texts may be used several times
    /// if the model waits or the call is `checked`.
    fn model_arguments(
        &mut self,
        args: &[ExprId],
        model: Model,
        checked: bool,
    ) -> (Vec<String>, Vec<Access>) {
        let mut texts = Vec::new();
        let mut accesses = Vec::new();
        for (index, &arg) in args.iter().take(model.takes).enumerate() {
            let text = match checked || model.can.is_some() {
                false => self.value(arg),
                true => self.stable(arg),
            };
            if index > 0 {
                accesses.extend(pointee(self.facts, arg, true));
            }
            texts.push(text);
        }
        (texts, accesses)
    }

    pub(super) fn mutex(&self, how: Use, pointer: ExprId, place: Option<Place>) -> Mutex {
        let places = self.facts.aliases.pointed_to(pointer);
        let touched = Touched {
            memory: self.facts.aliases.memory(&places),
            anything: places.anything,
        };
        Mutex {
            how,
            touched,
            place,
            quiet: String::new(),
        }
    }

    /// Annotates the last operation with its mutex.
    pub(super) fn note(&mut self, mutex: Option<Mutex>) {
        if !self.env.reachable {
            return;
        }
        if let Some(op) = self.out.threads[self.thread as usize].ops.last_mut() {
            op.mutex = mutex;
        }
    }

    fn barrier(&mut self, e: ExprId, barrier: ExprId, _used: bool) -> String {
        let span = self.facts.tree.exprs[e].span;
        let b = self.stable(barrier);
        let result = self.int_temp();
        let thread = self.thread;
        let arrive = self.model_of("ba_seq_arrive");
        let concerned: Vec<Access> = self.concerned(e, barrier, false).into_iter().collect();
        let text = format!("{result} = {arrive}({b}, {thread});");
        self.push(Action::Text(text), span, concerned.clone(), Mover::None);
        let source = self.facts.unit.text_of(span).to_string();
        self.stand(format!("ba_seq_open({b}, {thread})"), source, span);
        let text = format!("BA_SEQ_ASSUME(ba_seq_open({b}, {thread}));");
        self.push(Action::Text(text), span, concerned, Mover::None);
        self.tell_of("arrive", (barrier, &b), span);
        result
    }

    fn once(&mut self, e: ExprId, control: ExprId, function: ExprId) -> String {
        let span = self.facts.tree.exprs[e].span;
        let targets = self.facts.pointed(function);
        let [target] = targets[..] else {
            self.refuse(span, "cannot tell which function is to be called once here");
            return "0".to_string();
        };
        let control = self.stable(control);
        let first = self.int_temp();
        let (later, end) = (self.label(), self.label());
        let once = self.model_of("ba_seq_once");
        self.seen(format!("{first} = {once}({control});"), span, Mover::None);
        self.jump(Some(format!("!{first}")), later, span);
        self.inline(target, e, Vec::new(), None);
        self.seen(format!("ba_seq_once_done({control});"), span, Mover::None);
        self.jump(None, end, span);
        self.place(later, span);
        let source = self.facts.unit.text_of(span).to_string();
        self.stand(format!("ba_seq_once_over({control})"), source, span);
        self.seen(
            format!("BA_SEQ_ASSUME(ba_seq_once_over({control}));"),
            span,
            Mover::None,
        );
        self.place(end, span);
        "0".to_string()
    }
}

/// The accesses to the memory that a pointer argument of a library call points to.
fn pointee(facts: &Facts, pointer: ExprId, writes: bool) -> Vec<Access> {
    let places = facts.aliases.pointed_to(pointer);
    let mut memory = facts.aliases.memory(&places);
    memory.retain(|&m| facts.may_be_shared(m));
    if memory.is_empty() {
        return Vec::new();
    }
    let expr = match facts.tree.exprs[pointer].kind {
        ExprKind::AddressOf(of) => of,
        _ => pointer,
    };
    let touched = Touched {
        memory,
        anything: false,
    };
    vec![Access::new(expr, touched, writes)]
}

trait Constant {
    fn kind_is_constant(&self) -> bool;
}

impl Constant for cfront::tree::Expr {
    fn kind_is_constant(&self) -> bool {
        let number = matches!(self.kind, ExprKind::Int(_) | ExprKind::Char(_));
        number && !matches!(self.parent, Parent::Fragment)
    }
}
