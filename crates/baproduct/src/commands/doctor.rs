//! `baproduct doctor`: what is installed, what is missing, how to get it.
