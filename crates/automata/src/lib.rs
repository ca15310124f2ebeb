//! From LTL to Büchi automata and deterministic B4 monitors.
