//! Jobs for woven programs.

use std::path::PathBuf;

use backend::{Job, Machine};
use cfront::data_model::DataModel;
use weave::record::Record;

/// A job without limits for a program that was woven with this record: its dialect, its machine,
/// the objects that it has no file for.
pub fn job_for(record: &Record, source: impl Into<PathBuf>) -> Job {
    let mut job = Job::new(source);
    job.dialect.clone_from(&record.dialect);
    job.machine = machine(&record.model);
    job.union_elements = record.union_elements;
    job.outside.clone_from(&record.outside);
    job.own.clone_from(&record.replaceable);
    job.infix.clone_from(&record.infix);
    job
}

/// The machine that has a data model.
pub(crate) fn machine(model: &DataModel) -> Machine {
    Machine {
        int: model.int,
        long: model.long,
        pointer: model.pointer,
        unsigned_char: model.char_unsigned,
        big_endian: model.big_endian,
        macros: model.defined(),
    }
}
