//! Reports from the one result type.
