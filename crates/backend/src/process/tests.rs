#![allow(clippy::unwrap_used)]
use super::*;

fn sh(script: &str) -> Invocation {
    let mut invocation = Invocation::new("/bin/sh");
    invocation.arg("-c").arg(script);
    invocation
}

/// How long a test waits for something that takes a moment, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(300);

fn run_text(invocation: &Invocation) -> Ran<String> {
    run(invocation, &Cancel::new(), |out| {
        let mut bytes = Vec::new();
        out.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    })
    .unwrap()
}

fn with_timeout(script: &str, ms: u64) -> Invocation {
    let mut invocation = sh(script);
    invocation.limits.timeout = Some(Duration::from_millis(ms));
    invocation.limits.grace = Duration::from_millis(100);
    invocation
}

/// Whether a process is still alive after a while: a killed process needs a moment to die. A
/// process that is dead but not reaped by its new parent does not count.
fn alive(pid: &str) -> bool {
    let runs = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
        let stat = stat.unwrap_or_default();
        let state = stat.rsplit(')').next().unwrap_or_default().trim();
        !state.is_empty() && !state.starts_with('Z')
    };
    let deadline = Instant::now() + PATIENCE;
    while runs() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    runs()
}

#[test]
fn output_status_and_errors_come_through() {
    let ran = run_text(&sh("echo out; echo err >&2; exit 10"));
    assert_eq!(ran.value, "out\n");
    assert_eq!(ran.stderr, "err\n");
    let End::Exited(status) = ran.end else {
        panic!("{:?}", ran.end)
    };
    assert_eq!(status.code(), Some(10));
}

#[test]
fn errors_come_where_they_were_written_if_both_are_read() {
    let mut invocation = sh("echo one; echo two >&2; echo three; exit 3");
    invocation.merged = true;
    let ran = run_text(&invocation);
    assert_eq!(ran.value, "one\ntwo\nthree\n");
    assert_eq!(ran.stderr, "");
    let End::Exited(status) = ran.end else {
        panic!("{:?}", ran.end)
    };
    assert_eq!(status.code(), Some(3));
}

#[test]
fn a_program_that_hangs_is_ended_with_all_that_it_started() {
    let started = Instant::now();
    // The grandchild ignores SIGTERM, and so does the shell.
    let ran = run_text(&with_timeout(
        "trap '' TERM; sleep 1000 & echo $!; wait; sleep 1000",
        200,
    ));
    assert_eq!(ran.end, End::TimedOut);
    assert!(started.elapsed() < PATIENCE);
    assert!(
        !alive(&ran.value),
        "the grandchild {} still runs",
        ran.value
    );
}

#[test]
fn children_left_behind_by_a_program_that_ended_well_are_ended_too() {
    let ran = run_text(&sh("sleep 1000 >/dev/null 2>&1 & echo $!"));
    assert!(matches!(ran.end, End::Exited(s) if s.success()));
    assert!(!alive(&ran.value));
}

#[test]
fn a_stranger_who_holds_the_pipe_does_not_hold_the_run() {
    let started = Instant::now();
    let ran = run_text(&sh("setsid sh -c 'echo $$; exec sleep 1000' & sleep 0.3"));
    assert!(
        matches!(ran.end, End::Exited(s) if s.success()),
        "{:?}",
        ran.end
    );
    assert!(started.elapsed() < PATIENCE);
    let stranger = rustix::process::Pid::from_raw(ran.value.trim().parse().unwrap()).unwrap();
    rustix::process::kill_process(stranger, Signal::KILL).unwrap();
}

#[test]
fn cancelling_ends_a_run_from_another_thread() {
    let cancel = Cancel::new();
    let other = cancel.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        other.cancel();
    });
    let started = Instant::now();
    let ran = run(&sh("sleep 1000"), &cancel, |_| ()).unwrap();
    assert_eq!(ran.end, End::Cancelled);
    assert!(started.elapsed() < PATIENCE);
}

#[test]
fn endless_output_is_cut_off() {
    let mut invocation = sh("yes");
    invocation.limits.max_output = 100_000;
    let ran = run_text(&invocation);
    assert_eq!(ran.end, End::TooMuchOutput);
    assert!(ran.value.len() <= 100_000);
}

#[test]
fn a_reader_that_stops_early_does_not_block_the_program() {
    let ran = run(&sh("i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789012345678901234567890123456789; i=$((i+1)); done; echo done >&2"),
        &Cancel::new(), |_| ()).unwrap();
    assert_eq!(ran.stderr, "done\n");
}

#[test]
fn much_on_standard_error_is_shortened_in_the_middle() {
    let ran = run_text(&sh(
        "echo first >&2; yes 2>/dev/null | head -c 300000 >&2; echo last >&2",
    ));
    assert!(ran.stderr.starts_with("first\n") && ran.stderr.ends_with("last\n"));
    assert!(ran.stderr.len() < 100_000);
}

#[test]
fn memory_is_limited_and_measured() {
    let mut invocation = sh("ulimit -v; sleep 0.1");
    invocation.limits.memory_mib = Some(100);
    let ran = run_text(&invocation);
    assert_eq!(ran.value.trim(), "102400");
    assert!(
        ran.max_rss_kib
            .is_some_and(|kib| kib > 100 && kib < 102_400),
        "{ran:?}"
    );
}

/// Of two that run together one is over the limit; one alone is not, beside the small programs of other tests.
const ROOM_MIB: u64 = 350;

/// A program that holds 200 MiB until it is ended or its time is over.
fn large() -> Invocation {
    let mut invocation = sh("exec dd if=/dev/zero of=/dev/null bs=200M");
    invocation.limits.memory_mib = Some(ROOM_MIB);
    invocation.limits.timeout = Some(PATIENCE);
    invocation
}

#[test]
fn programs_share_their_memory_limit() {
    let cancel = Cancel::new();
    let second = cancel.part();
    std::thread::scope(|scope| {
        let ends = [cancel.part(), second].map(|cancel| {
            scope.spawn(move || {
                let ran = run(&large(), &cancel, |_| ()).unwrap();
                // The other one has room now, and would hold its memory until its time is over.
                ran.end
            })
        });
        let over = End::OutOfMemory {
            mib: Some(ROOM_MIB),
        };
        while !ends.iter().any(|end| end.is_finished()) {
            std::thread::sleep(Duration::from_millis(5));
        }
        cancel.cancel();
        let ends = ends.map(|end| end.join().unwrap());
        assert!(ends.contains(&over), "{ends:?}");
        assert!(ends.contains(&End::Cancelled), "{ends:?}");
    });
}

#[test]
fn what_cannot_be_started_is_an_error() {
    let missing = run(
        &Invocation::new("/nonexistent/cbmc"),
        &Cancel::new(),
        |_| (),
    );
    assert_eq!(missing.unwrap_err().kind(), io::ErrorKind::NotFound);
    let directory = run(&Invocation::new("/usr/bin"), &Cancel::new(), |_| ());
    assert!(directory.is_err());
}

#[test]
fn a_signal_death_is_told() {
    let ran = run_text(&sh("kill -SEGV $$"));
    let End::Exited(status) = ran.end else {
        panic!("{:?}", ran.end)
    };
    assert_eq!(
        std::os::unix::process::ExitStatusExt::signal(&status),
        Some(11)
    );
}

#[test]
fn the_command_line_can_be_typed_again() {
    let mut invocation = Invocation::new("cbmc");
    invocation.arg("-DX=a b").arg("--unwind").arg("3");
    assert_eq!(invocation.shell(), "cbmc '-DX=a b' --unwind 3");
}

/// Not a test of its own: [`a_signal_ends_all_that_runs`] starts it in a process that it can signal.
#[test]
fn helper_that_runs_until_it_is_interrupted() {
    if std::env::var_os("BAPRODUCT_TEST_HANGS").is_none() {
        return;
    }
    let ran = run(&sh("echo pid $$; exec sleep 1000"), &Cancel::new(), |out| {
        let line = crate::text::lines(out).next().unwrap();
        // A file bypasses the test harness, which captures printed text.
        std::fs::write(std::env::var_os("BAPRODUCT_TEST_HANGS").unwrap(), line).unwrap();
    });
    assert_eq!(ran.unwrap().end, End::Cancelled);
    assert!(interrupted().is_some());
}

#[test]
fn a_signal_ends_all_that_runs() {
    for (signal, number) in [(Signal::INT, 2), (Signal::TERM, 15)] {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("pid");
        // A background job of a script without job control ignores SIGINT, and the helper would
        // inherit that.
        let mut helper = Command::new("env")
            .arg("--default-signal=INT,TERM")
            .arg(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "process::tests::helper_that_runs_until_it_is_interrupted",
            ])
            .env("BAPRODUCT_TEST_HANGS", &file)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + PATIENCE;
        let mut pid = String::new();
        while !pid.starts_with("pid ") && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(10));
            pid = std::fs::read_to_string(&file).unwrap_or_default();
        }
        let pid = pid.strip_prefix("pid ").unwrap();
        rustix::process::kill_process(Pid::from_child(&helper), signal).unwrap();
        let status = helper.wait().unwrap();
        // The helper has a second to end by itself, as here; otherwise the signal ends it.
        assert!(
            status.success() || status.signal() == Some(number),
            "{status}"
        );
        assert!(
            !alive(pid),
            "the grandchild {pid} still runs after {signal:?}"
        );
    }
}
