//! `baproduct ltl`: what a formula means, as automata, monitor and class.
