#![allow(clippy::unwrap_used)]
use super::*;
use crate::parse::Unit;
use crate::source::Source;
