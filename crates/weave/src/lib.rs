//! The plan of an instrumentation, and the edits and templates that realise it.
