//! Critical sections of operating systems for small machines, and of vendors' libraries, whose functions have no body in
//! the program: pairs that nest, and pairs of which the first gives the mask that the second writes back.

use crate::diag::Diagnostic;
use crate::span::{FunctionId, Span};
use crate::types::Class;

use super::{Effect, Weaver, MASKS};

/// Functions that keep handlers off until each call of the first has one of the second.
const NESTED: [(&str, &str); 6] = [
    ("vPortEnterCritical", "vPortExitCritical"),
    ("vTaskEnterCritical", "vTaskExitCritical"),
    ("portENTER_CRITICAL", "portEXIT_CRITICAL"),
    ("taskENTER_CRITICAL", "taskEXIT_CRITICAL"),
    (
        "core_util_critical_section_enter",
        "core_util_critical_section_exit",
    ),
    ("hal_critical_section_enter", "hal_critical_section_exit"),
];

/// Functions that keep handlers off and give the mask before, and those that write it back.
const KEYED: [(&str, &str); 14] = [
    ("irq_lock", "irq_unlock"),
    ("arch_irq_lock", "arch_irq_unlock"),
    ("z_arch_irq_lock", "z_arch_irq_unlock"),
    ("irq_disable", "irq_restore"),
    ("ulPortRaiseBASEPRI", "vPortSetBASEPRI"),
    ("ulSetInterruptMask", "vClearInterruptMask"),
    (
        "ulPortSetInterruptMaskFromISR",
        "vPortClearInterruptMaskFromISR",
    ),
    ("ulSetInterruptMaskFromISR", "vClearInterruptMaskFromISR"),
    ("taskENTER_CRITICAL_FROM_ISR", "taskEXIT_CRITICAL_FROM_ISR"),
    ("enter_critical_section", "leave_critical_section"),
    ("rt_hw_interrupt_disable", "rt_hw_interrupt_enable"),
    ("int_master_read_and_disable", "int_master_status_set"),
    ("save_and_disable_interrupts", "restore_interrupts"),
    ("Hwi_disable", "Hwi_restore"),
];

/// Parts of the names of functions that keep handlers off or let them come: without a body, and none of those that are
/// known, it is not known how.
const WORDS: [&str; 17] = [
    "enter_critical",
    "exit_critical",
    "leave_critical",
    "entercritical",
    "exitcritical",
    "leavecritical",
    "critical_section",
    "irq_save",
    "irqsave",
    "irqrestore",
    "irq_lock",
    "irq_unlock",
    "disable_interrupts",
    "enable_interrupts",
    "disableinterrupts",
    "enableinterrupts",
    "raisebasepri",
];

/// What a function of a critical section does.
#[derive(Clone, Copy)]
enum Role {
    Enter,
    Leave,
    Save,
    Restore,
}

impl Role {
    /// The body of the function; `key` is its parameter.
    fn body(self) -> &'static str {
        match self {
            Role::Enter => {
                "interrupts__masked = 1; if (interrupts__nested < 255) interrupts__nested++;"
            }
            Role::Leave => {
                "if (interrupts__nested > 0) interrupts__nested--; if (interrupts__nested == 0) interrupts__enable();"
            }
            Role::Save => {
                "unsigned char key = interrupts__masked; interrupts__masked = 1; return key;"
            }
            Role::Restore => "if (key) interrupts__masked = 1; else interrupts__enable();",
        }
    }
}

/// Whether a function's name, in small letters, says that it keeps handlers off or lets them come.
pub(super) fn is_said(name: &str) -> bool {
    super::says(name, &WORDS)
}

/// Whether a function's effect on the mask is known, by its name in small letters.
pub(super) fn is_known(name: &str) -> bool {
    let pairs = NESTED.iter().chain(&KEYED).chain(&MASKS);
    let mut names = pairs.flat_map(|(a, b)| [a, b]);
    names.any(|known| known.eq_ignore_ascii_case(name))
}

impl Weaver<'_> {
    /// Gives the functions of critical sections that may run, and that have no body and are not named as masks, one.
    ///
    /// # Errors
    /// A function whose parameters are not those of the known one.
    pub(super) fn critical(&mut self) -> Result<(), Diagnostic> {
        let nested = NESTED
            .iter()
            .flat_map(|(a, b)| [(*a, Role::Enter), (*b, Role::Leave)]);
        let keyed = KEYED
            .iter()
            .flat_map(|(a, b)| [(*a, Role::Save), (*b, Role::Restore)]);
        for (name, role) in nested.chain(keyed) {
            let tree = self.tree();
            let function = tree.function_named(name);
            let function = function.filter(|f| {
                self.reached.contains(f)
                    && tree.functions[*f].body.is_none()
                    && !self.is_mask_of_user(name)
            });
            if let Some(function) = function {
                let head = self.head_of_section(function, role)?;
                let counts = match role {
                    Role::Enter | Role::Leave => "static unsigned char interrupts__nested; ",
                    Role::Save | Role::Restore => "",
                };
                let (disable, enable) = (Effect::Disable, Effect::Enable);
                let declared = [disable.declarations(), enable.declarations(), counts].concat();
                self.end += &format!("{declared}{head} {{ {} }}\n", role.body());
                self.note(disable);
            }
        }
        Ok(())
    }

    /// Whether the user names a function under `masks`.
    pub(super) fn is_mask_of_user(&self, name: &str) -> bool {
        let mut named = self.interrupts.masks.iter();
        named.any(|(a, b)| a.eq_ignore_ascii_case(name) || b.eq_ignore_ascii_case(name))
    }

    /// The head of a function's definition.
    fn head_of_section(&self, function: FunctionId, role: Role) -> Result<String, Diagnostic> {
        let tree = self.tree();
        let of = &tree.functions[function];
        let scope = tree.file_scope();
        let head = tree.types.function(of.ty).and_then(|ty| {
            let (returned, params) = (tree.types.class(ty.ret), ty.params.as_slice());
            let (parameters, fits) = match (role, params) {
                (Role::Enter | Role::Leave, []) => ("void".to_owned(), returned == Class::Void),
                (Role::Save, []) => ("void".to_owned(), returned == Class::Scalar),
                (Role::Restore, [key]) if tree.types.class(*key) == Class::Scalar => {
                    let key = tree.types.declare(*key, "key", scope)?;
                    (key, returned == Class::Void)
                }
                _ => return None,
            };
            let head = format!("{}({parameters})", of.name);
            tree.types.declare(ty.ret, &head, scope).filter(|_| fits)
        });
        head.ok_or_else(|| {
            let at = of.names.first().copied().unwrap_or(Span::empty(0));
            let message = format!(
                "`{}` has no body, and not the type of the function of that name that keeps interrupt handlers off or lets them come",
                of.name
            );
            Diagnostic::error(at, message).help("give it a body, or name it under `masks`")
        })
    }
}
