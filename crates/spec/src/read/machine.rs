//! What a specification says of the machine: target, interrupts, masks, registers.

use super::Reader;
use crate::model::{Interrupt, Machine, Register, RegisterReads, WhichRegister};
use crate::target::Target;
use crate::wire::{WireInterrupt, WireMask, WireReads, WireRegister, WireSpec};

impl Reader {
    pub(super) fn machine(&mut self, wire: &WireSpec) -> Machine {
        let target = wire.target.as_ref().and_then(|name| {
            let target = Target::named(name.as_str());
            if target.is_none() {
                let names = Target::ALL.map(Target::name).join("`, `");
                let title = format!("`target` is one of `{names}`");
                self.error(title, name.span());
            }
            target
        });
        let interrupts = wire.interrupts.iter();
        let interrupts = interrupts.filter_map(|i| self.interrupt(i)).collect();
        let masks = wire.masks.iter();
        let pair = |mask: &WireMask| Some((mask.disable.clone()?, mask.enable.clone()?));
        let registers = wire.registers.iter();
        Machine {
            target,
            interrupts,
            masks: masks.filter_map(pair).collect(),
            entry: wire.entry.clone(),
            registers: registers.filter_map(|r| self.register(r)).collect(),
            clock: self.clock.clone(),
            timers: self.timers.clone(),
            remembered: self.remembered.clone(),
            followed: self.followed.iter().map(|(f, _)| f.clone()).collect(),
        }
    }

    fn interrupt(&mut self, wire: &WireInterrupt) -> Option<Interrupt> {
        let at_most = match wire.at_most.map(u32::try_from) {
            Some(Err(_)) => {
                let title = format!("`at_most` must be from 0 to {}", u32::MAX);
                self.error(title, wire.span.clone());
                return None;
            }
            Some(Ok(most)) => Some(most),
            None => None,
        };
        Some(Interrupt {
            handler: wire.handler.clone()?,
            priority: wire.priority.unwrap_or(0),
            enabled: wire.enabled.clone(),
            at_most,
            fair: wire.fair,
            span: wire.span.clone(),
        })
    }

    fn register(&mut self, wire: &WireRegister) -> Option<Register> {
        let which = match (&wire.name, &wire.address) {
            (Some(name), None) => WhichRegister::Name(name.clone()),
            (None, Some(address)) => match address.value.map(u64::try_from) {
                Some(Ok(at)) => WhichRegister::Address(at),
                _ => {
                    let title = "an address is a number, as in `\"0x40004404\"`";
                    self.error(title, address.span.clone());
                    return None;
                }
            },
            _ => {
                let title = "a register has either a `name` or an `address`";
                self.error(title, wire.span.clone());
                return None;
            }
        };
        let reads = match wire.reads.as_ref()? {
            WireReads::Values(list) if list.written == 0 || list.written > 256 => {
                let title = "`reads` has from 1 to 256 values";
                self.error(title, list.span.clone());
                return None;
            }
            WireReads::Values(list) => RegisterReads::Values(list.items.clone()),
            WireReads::Word(word) => match word.as_str() {
                "any" => RegisterReads::Any,
                "memory" => RegisterReads::Memory,
                _ => RegisterReads::Call(word.clone()),
            },
        };
        Some(Register { which, reads })
    }
}
