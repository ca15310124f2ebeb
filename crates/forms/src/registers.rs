//! What a specification says of registers, as the front end takes it.

use cfront::registers::{Reads, Register, Which};
use spec::{RegisterReads, Spec, WhichRegister};

/// The registers of a specification.
pub fn of(spec: &Spec) -> Vec<Register> {
    let register = |register: &spec::Register| Register {
        which: match &register.which {
            WhichRegister::Name(name) => Which::Name(name.as_str().to_owned()),
            WhichRegister::Address(address) => Which::Address(*address),
        },
        reads: match &register.reads {
            RegisterReads::Any => Reads::Any,
            RegisterReads::Memory => Reads::Memory,
            RegisterReads::Values(values) => Reads::Values(values.clone()),
            RegisterReads::Call(function) => Reads::Call(function.as_str().to_owned()),
        },
    };
    spec.machine.registers.iter().map(register).collect()
}
