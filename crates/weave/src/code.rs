//! What the plan asks the code itself, beyond the collected facts: what memory a write, a call or
//! an expression of the specification may touch.

use std::cell::{OnceCell, RefCell};

use cfront::span::{ExprId, Id, ObjectId};
use cfront::{Aliases, Assumptions, Locations, Unit};

use crate::facts::ObjectIndex;

/// A program's tree, to which expressions of the specification are added, and the points-to
/// analysis of both, which is made when it is asked for first.
pub struct Code {
    unit: RefCell<Unit>,
    aliases: OnceCell<Aliases>,
}

impl Code {
    /// Takes a unit.
    pub fn new(unit: Unit) -> Code {
        Code {
            unit: RefCell::new(unit),
            aliases: OnceCell::new(),
        }
    }

    /// Gives the unit back.
    pub fn into_unit(self) -> Unit {
        self.unit.into_inner()
    }

    fn aliases(&self) -> &Aliases {
        self.aliases.get_or_init(|| {
            let assumptions = Assumptions {
                whole_program: true,
            };
            Aliases::new(&self.unit.borrow().tree, assumptions)
        })
    }

    /// The memory that an lvalue may designate.
    pub fn designated(&self, lvalue: usize) -> Locations {
        self.aliases().designated(ExprId::from_index(lvalue))
    }

    /// The memory of a whole object.
    pub fn location_of(&self, object: ObjectIndex) -> Locations {
        self.aliases().location_of(ObjectId::from_index(object))
    }

    /// The memory that a call of a function without body may write.
    pub fn written_by_call(&self, call: usize) -> Locations {
        let aliases = self.aliases();
        aliases.written_by_call(&self.unit.borrow().tree, ExprId::from_index(call))
    }

    /// Whether a pointer to a local object may get to another activation or thread.
    pub fn leaves_its_activation(&self, object: ObjectIndex) -> bool {
        let aliases = self.aliases();
        aliases.leaves_its_activation(&self.unit.borrow().tree, ObjectId::from_index(object))
    }
}
