//! External model checkers: processes, limits, output parsers, traces.
