//! Helpers of the tests with a real CBMC (`real`) and with scripts that pretend to be CBMC
//! (`fake`).
#![allow(clippy::unwrap_used)]

mod fake;
mod real;

use super::*;
use crate::testing::outcomes;

fn run(cbmc: &dyn Backend, job: &Job) -> Result<Answer, Failure> {
    cbmc.run(job, &Cancel::new()).result
}

fn job(source: &std::path::Path) -> Job {
    Job {
        unwind: Some(4),
        ..Job::new(source)
    }
}

#[test]
fn names_of_loops() {
    let name = |id: &str| loop_of(id);
    assert_eq!(name("strcpy.unwind.0").as_deref(), Some("strcpy.0"));
    assert_eq!(name("sum$link1.unwind.12").as_deref(), Some("sum$link1.12"));
    assert_eq!(name("fac.recursion").as_deref(), Some("fac"));
    assert_eq!(name("main.assertion.1"), None);
}
