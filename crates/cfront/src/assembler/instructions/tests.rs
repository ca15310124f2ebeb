use super::*;
use crate::span::Span;

fn in_c(template: &str, operands: &[Operand]) -> Option<String> {
    super::in_c(&statement(template, operands), &DataModel::default(), false)
}

fn statement(template: &str, operands: &[Operand]) -> Statement {
    Statement {
        memory: false,
        span: Span::empty(0),
        template: template.to_string(),
        operands: operands.to_vec(),
        labels: None,
    }
}

fn operand(constraint: &str, text: &str) -> Operand {
    Operand {
        name: None,
        constraint: constraint.to_string(),
        text: format!("({text})"),
        output: constraint.contains(['+', '=']),
    }
}

#[test]
fn counters_locks_and_bits() {
    let counter = [operand("+m", "v"), operand("=qm", "c")];
    assert_eq!(
        in_c("lock; decl %0; sete %1", &counter).unwrap(),
        "({ if (sizeof (v) != 4) __builtin_unreachable(); __typeof__((v) + 0) asm_value_1 = __atomic_sub_fetch(&(v), (1), 5); (c) = (asm_value_1 == 0); })"
    );
    let add = [operand("+r", "i"), operand("+m", "v")];
    assert_eq!(
        in_c("lock; xadd %0, %1", &add).unwrap(),
        "({ if (sizeof (i) != sizeof (v)) __builtin_unreachable(); (i) = __atomic_fetch_add(&(v), (i), 5); })"
    );
    let swap = [
        operand("=a", "old"),
        operand("+m", "v"),
        operand("r", "n"),
        operand("0", "o"),
    ];
    let text = in_c(
        ".section .smp_locks,\"a\"\n.long 671f - .\n.previous\n671:\n\tlock; cmpxchg %2,%1",
        &swap,
    )
    .unwrap();
    assert_eq!(text, "({ (old) = (o); __typeof__((old) + 0) asm_value_1 = (old); (old) = __sync_val_compare_and_swap(&(v), asm_value_1, (n)); })");
}

#[test]
fn bytes_of_structures_and_jumps() {
    let locks = [operand("+r", "t"), operand("+m", "lock->tickets")];
    let text = super::in_c(
        &statement("lock; xaddw %w0, %1\n", &locks),
        &DataModel::default(),
        true,
    )
    .unwrap();
    assert_eq!(text, "({ if (sizeof (t) < 2) __builtin_unreachable(); (*(unsigned short *)&(t)) = __atomic_fetch_add(&(*(unsigned short *)&(lock->tickets)), (*(unsigned short *)&(t)), 5); })");
    let bit = [operand("m", "*addr"), operand("Ir", "nr")];
    let mut jump = statement("lock; bts %1, %0; jc %l[busy]", &bit);
    jump.labels = Some(vec!["busy".into()]);
    let text = super::in_c(&jump, &DataModel::default(), false).unwrap();
    assert!(
        text.ends_with("& (1UL << asm_value_1 % (8 * (int)sizeof (*addr)))) != 0)) goto busy; })"),
        "{text}"
    );
}

/// What is in memory begins at the operand, whatever its type; registers have the size that the instruction says.
#[test]
fn sizes_are_those_of_the_instructions() {
    let exchange = [operand("+m", "*(char *)p"), operand("+q", "v")];
    let exchange = statement("xchgq %0, %1", &exchange);
    let numbers = super::in_c(&exchange, &DataModel::default(), false).unwrap();
    assert!(
        numbers.contains("if (sizeof (*(char *)p) != 8)"),
        "{numbers}"
    );
    let bytes = super::in_c(&exchange, &DataModel::default(), true).unwrap();
    assert!(!bytes.contains("sizeof (*(char *)p)"), "{bytes}");
    assert!(bytes.contains("if (sizeof (v) < 8)"), "{bytes}");
    assert!(
        bytes.contains("__atomic_exchange_n(&(*(unsigned long *)&(*(char *)p))"),
        "{bytes}"
    );
    let load = [operand("=q", "r"), operand("m", "*(const char *)p")];
    let load = in_c("movq %1, %0", &load).unwrap();
    assert!(load.contains("sizeof (*(const char *)p) != 8"), "{load}");
    // What may be a number has no size of its own.
    let add = [operand("+m", "v"), operand("ir", "i")];
    let add = in_c("addl %1, %0", &add).unwrap();
    assert!(!add.contains("sizeof (i)"), "{add}");
}

/// Linux names the word as an input that the clobbered memory is, and takes the carry as an output.
#[test]
fn bits_of_memory_and_flags_as_outputs() {
    let bit = [operand("m", "*a"), operand("Ir", "n")];
    let mut clear = statement("671:\n\tlock;  btrq  %1,%0", &bit);
    assert_eq!(super::in_c(&clear, &DataModel::default(), false), None);
    clear.memory = true;
    let text = super::in_c(&clear, &DataModel::default(), false).unwrap();
    assert!(text.contains("__atomic_fetch_and(&(&(*a))["), "{text}");
    // A statement that only reads this memory writes none of it.
    assert_eq!(
        super::in_c(
            &statement("movl %0, %1", &bit),
            &DataModel::default(),
            false
        ),
        None
    );
    let test = [
        operand("+m", "*a"),
        operand("=@ccc", "c"),
        operand("Ir", "n"),
    ];
    let text = in_c(
        "lock;  btsq  %2, %0\n\t/* output condition code c*/\n",
        &test,
    )
    .unwrap();
    assert!(
        text.ends_with(
            "(c) = ((asm_value_2 & (1UL << asm_value_1 % (8 * (int)sizeof (*a)))) != 0); })"
        ),
        "{text}"
    );
    let other = [
        operand("+m", "*a"),
        operand("=@cco", "c"),
        operand("Ir", "n"),
    ];
    assert_eq!(in_c("btsq %2, %0", &other), None);
}

#[test]
fn numbers_of_bits() {
    let last = [operand("=r", "r"), operand("rm", "x"), operand("0", "-1")];
    assert_eq!(
        in_c("bsrl %1,%0", &last).unwrap(),
        "({ (r) = (-1); unsigned long long asm_value_1 = (unsigned int)(x); if (asm_value_1 != 0) (r) = 63 - __builtin_clzll(asm_value_1); })"
    );
    let first = [operand("=r", "r"), operand("rm", "x")];
    assert_eq!(
        in_c("rep; bsf %1,%0", &first).unwrap(),
        "({ unsigned long long asm_value_1 = sizeof (r) == 4 ? (unsigned int)(x) : (unsigned long long)(x); (r) = __builtin_ctzll(asm_value_1); })"
    );
    assert_eq!(in_c("rep; stosb", &first), None);
}

#[test]
fn what_writes_no_memory_is_known_by_name() {
    for (template, harmless) in [
        ("# flags\n\tpushf ; pop %0", true),
        ("lock; addl $0,0(%%rsp)", true),
        ("rep; nop", true),
        ("rep; stosb", false),
        ("syscall", false),
        ("movl $1, (%0)", false),
    ] {
        assert_eq!(is_harmless(template), harmless, "{template}");
    }
}

#[test]
fn what_is_not_known_stays() {
    for template in ["cpuid", "incl %eax", "incl %3", "lock", "decl %0; jz 1f"] {
        assert_eq!(in_c(template, &[operand("+m", "v")]), None, "{template}");
    }
    // A part of an operand is written only if it is the whole: the types decide.
    let part = in_c("movb $1, %b0", &[operand("+m", "v")]).unwrap();
    assert!(part.contains("if (sizeof (v) != 1)"), "{part}");
    // The other output is not written.
    let two = [operand("+m", "v"), operand("=r", "c")];
    assert_eq!(in_c("incl %0", &two), None);
}

#[test]
fn flags_on_the_stack_become_a_value() {
    let flags = [operand("=rm", "flags")];
    for template in ["# save\n\tpushf ; pop %0", "pushfq\npopq %0"] {
        assert_eq!(
            in_c(template, &flags).unwrap(),
            "({ (flags) = __builtin_ia32_readeflags_u64(); })"
        );
    }
    for template in [
        "pushf",
        "pop %0",
        "pushf; nop; pop %0; pop %0",
        "pushf; pushf; pop %0",
    ] {
        assert_eq!(in_c(template, &flags), None, "{template}");
    }
}
