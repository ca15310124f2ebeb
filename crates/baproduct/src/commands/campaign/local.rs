//! Executes tasks on this machine, several at a time.

use std::sync::atomic::{AtomicUsize, Ordering};

use backend::process::{self, Invocation};

use super::state::State;
use super::Watch;

/// Runs the scripts of the open tasks. An interruption ends them; their results so far stay.
pub fn run(state: &State, open: &[usize], jobs: usize, watch: &Watch) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    let cancel = backend::Cancel::new();
    let work = || -> std::io::Result<()> {
        while !cancel.is_cancelled() {
            let Some(&index) = open.get(next.fetch_add(1, Ordering::SeqCst)) else {
                break;
            };
            let task = &state.tasks()[index];
            state.reopen(task)?;
            let mut script = Invocation::new("sh");
            script.arg(state.script(task));
            // The script prints nothing; if it cannot write its results, it writes no status.
            process::run(&script, &cancel, |output| {
                std::io::copy(output, &mut std::io::sink())
            })?;
            watch.finished(&state.result(task));
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let count = jobs.clamp(1, open.len().max(1));
        let workers: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            let joined = worker.join();
            joined.map_err(|_| anyhow::anyhow!("a worker of the campaign failed"))??;
        }
        Ok(())
    })
}
