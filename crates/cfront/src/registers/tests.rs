#![allow(clippy::unwrap_used)]
use super::*;

const AVR: &str = "#define __SIZEOF_INT__ 2\n#define __SIZEOF_LONG__ 4\n#define __SIZEOF_POINTER__ 2\n\
#define BYTE(a) (*(volatile unsigned char *)(a))\n#define PORTB BYTE((0x05) + 0x20)\n#define LED PORTB\n#define UDR0 BYTE(0xC6)\n";
const B: &str = "(*(volatile unsigned char *)((0x05) + 0x20))";
const U: &str = "(*(volatile unsigned char *)(0xC6))";

const ARM: &str = "#define __SIZEOF_LONG__ 4\n#define __SIZEOF_POINTER__ 4\n\
typedef struct { volatile unsigned SR; volatile const unsigned ID; volatile unsigned F[2]; } uart_t;\n\
#define UART1 ((uart_t *) (0x40000000UL + 0x3800UL))\n#define UART2 ((uart_t *) (0x40000000UL + 0x4800UL))\n";
const U1: &str = "((uart_t *) (0x40000000UL + 0x3800UL))";
const U2: &str = "((uart_t *) (0x40000000UL + 0x4800UL))";

fn changed(text: &str, said: &[Register]) -> Result<String, String> {
    let source = Source::from_bytes(format!("# 1 \"p.c\"\n{text}").into_bytes());
    let unit = Unit::parse(source).unwrap();
    let placed = placed(&unit, said, &|_| false).map_err(|d| d.message)?;
    let mut sources = placed.map_or(vec![unit.source.clone()], |placed| placed.sources);
    let changed = sources.remove(0);
    assert_eq!(changed.text.lines().count(), unit.text().lines().count());
    let text = changed.text.clone();
    Unit::parse(changed).unwrap();
    let own = text.lines().filter(|line| !line.starts_with('#'));
    Ok(own.collect::<Vec<_>>().join("\n").trim().to_owned())
}

#[track_caller]
fn becomes(text: &str, expected: &str) {
    let changed = changed(text, &[]).unwrap();
    let body = changed.split_once("void f").unwrap().1;
    assert_eq!(
        body.split_once("{ ").unwrap().1,
        format!("{expected} }}"),
        "{changed}"
    );
}

#[test]
fn objects_are_named_as_macros_are() {
    let text = format!("{AVR}void f(void) {{ {B} = 1; }}");
    let changed = changed(&text, &[]).unwrap();
    assert_eq!(
        changed,
        "static volatile unsigned char PORTB; void f(void) { PORTB = 1; }"
    );
}

#[test]
fn reads_updates_and_steps() {
    becomes(
        &format!("{AVR}void f(void) {{ if ({U} & 4) {B} |= 1 << 2; {B}++; }}"),
        "if ((UDR0 = read_UDR0()) & 4) PORTB = read_PORTB() | ( 1 << 2); (PORTB = read_PORTB() + 1);",
    );
    becomes(
        &format!("{AVR}void f(void) {{ {B} = {U} = 3; while (!({U} & {B})) ; }}"),
        "PORTB = UDR0 = 3; while (!((UDR0 = read_UDR0()) & (PORTB = read_PORTB()))) ;",
    );
    becomes(
        &format!(
            "{AVR}void f(void) {{ (*(volatile unsigned char *)((unsigned short)&{B})) = 1; }}"
        ),
        "PORTB = 1;",
    );
    becomes(
        &format!("{AVR}void f(void) {{ int n = {B}--; }}"),
        "int n = (PORTB = read_PORTB(), PORTB--);",
    );
}

#[test]
fn structures_of_registers() {
    becomes(
        &format!("{ARM}void f(void) {{ {U1}->SR &= ~2u; {U2}->SR = {U1}->ID; {U1}->F[{U2}->SR] = 1; }}"),
        "UART1_registers.SR = read_UART1_SR() & ( ~2u); UART2_registers.SR = (UART1_registers.ID = read_UART1_ID()); UART1_registers.F[(UART2_registers.SR = read_UART2_SR())] = 1;",
    );
    let text = changed(&format!("{ARM}void f(void) {{ {U1}->SR = 1; }}"), &[]).unwrap();
    assert!(text.contains("volatile  unsigned ID;"), "{text}");
}

/// What a pointer points to is one of the registers whose addresses the program keeps.
#[test]
fn addresses_go_to_drivers() {
    let text = format!(
        "{ARM}unsigned g(uart_t *u) {{ u->SR |= 1; return u->SR; }} void f(void) {{ g({U1}); }}"
    );
    let text = changed(&text, &[]).unwrap();
    assert!(
        text.contains("u->SR = read_UART1_SR() | ( 1); return (u->SR = read_UART1_SR());"),
        "{text}"
    );
    let text = format!(
        "{ARM}unsigned g(uart_t *u) {{ return u->SR; }} void f(void) {{ g({U1}); g({U2}); }}"
    );
    let text = changed(&text, &[]).unwrap();
    let first =
        "(const volatile void *)(u) == (const volatile void *)&UART1_registers ? read_UART1_SR()";
    assert!(text.contains(first), "{text}");
    let text = format!("{AVR}unsigned char g(volatile unsigned char *p) {{ return *p; }} void f(void) {{ g(&{B}); }}");
    let text = changed(&text, &[]).unwrap();
    assert!(
        text.contains("== (const volatile void *)&PORTB ? read_PORTB() : *p)"),
        "{text}"
    );
}

/// An address that is only kept as a mark has the object of the accesses; two types of accesses would need two.
#[test]
fn one_type_at_each_address() {
    let text = "struct l { int n; } *p; void f(void) { p = (struct l *)0x40; *(volatile char *)0x40 = 0; }";
    let marked = changed(text, &[]).unwrap();
    assert!(
        marked.contains("static volatile char register_40; ")
            && marked.contains("p = ((struct l *)&register_40); register_40 = 0;"),
        "{marked}"
    );
    let text = "void f(void) { *(volatile short *)0x40 = 1; *(volatile char *)0x40 = 0; }";
    let two = changed(text, &[]).unwrap_err();
    assert!(two.contains("with another type elsewhere"), "{two}");
}

#[test]
fn specifications_say_what_reads_give() {
    let said = |name: &str, reads| {
        [Register {
            which: Which::Name(name.into()),
            reads,
        }]
    };
    let text = format!("{AVR}int x; int stub(void) {{ return 2; }} void f(void) {{ x = {B}; }}");
    let memory = changed(&text, &said("LED", Reads::Memory)).unwrap();
    assert!(memory.contains("x = PORTB;"), "{memory}");
    let values = changed(&text, &said("PORTB", Reads::Values(vec![3, 5]))).unwrap();
    assert!(
        values.contains("if (chosen == 1) return 5; return 3; }"),
        "{values}"
    );
    let call = changed(&text, &said("PORTB", Reads::Call("stub".into()))).unwrap();
    assert!(call.contains("x = (PORTB = stub());"), "{call}");
    let other = changed(&text, &said("PORTC", Reads::Memory)).unwrap_err();
    assert!(other.contains("no register called `PORTC`"), "{other}");
    let text = format!("{ARM}int x; void f(void) {{ x = {U1}->F[1] + {U1}->SR; }}");
    let at = [Register {
        which: Which::Address(0x4000_3800),
        reads: Reads::Memory,
    }];
    let memory = changed(&text, &at).unwrap();
    assert!(
        memory.contains("+ UART1_registers.SR;") && memory.contains("= read_UART1_F()"),
        "{memory}"
    );
    let member = changed(&text, &said("UART1->F", Reads::Memory)).unwrap();
    assert!(
        member.contains("x = UART1_registers.F[1] + (UART1_registers.SR ="),
        "{member}"
    );
}

#[test]
fn other_addresses_stay_as_they_are() {
    for text in [
        "int main(void) { return (char *)0 == (char *)-1; }",
        "void *p = (void *)0x2000; int main(void) { return p != 0; }",
        "struct s { int n; }; int main(void) { return (int)(long)&((struct s *)0)->n; }",
        "int main(void) { return sizeof(*(volatile int *)0x40); }",
    ] {
        assert_eq!(changed(text, &[]).unwrap(), text);
    }
    let computed =
        "void f(unsigned at) { *(volatile int *)0x40 = 1; *(volatile int *)(at + 0x40ul) = 2; }";
    let why = changed(computed, &[]).unwrap_err();
    assert!(why.contains("is not known"), "{why}");
}

/// Addresses at which no object of the pointer's type can be are marks that programs compare with.
#[test]
fn marks_are_no_registers() {
    let text = "struct node { struct node *next; }; struct other;
struct node *first; struct other *end; unsigned long number;
void f(void) { if (first == (struct node *)1UL) end = (struct other *)17UL; number = (unsigned long)first | 2; }";
    assert_eq!(changed(text, &[]).unwrap(), text);
    let real = text.replace("1UL)", "16UL)");
    assert!(changed(&real, &[]).is_err());
}

fn own(text: &str, name: &str) -> String {
    let said = Register {
        which: Which::Name(name.to_owned()),
        reads: Reads::Any,
    };
    changed(text, &[said]).unwrap_or_else(|why| why)
}

/// Volatile objects of the program that the specification names are read as registers are.
#[test]
fn hardware_writes_objects_of_the_program() {
    let text = "volatile unsigned char flag, mine; int f(void) { return flag + mine; }";
    let read = own(text, "flag");
    assert!(
        read.ends_with("return (flag = read_flag()) + mine; }"),
        "{read}"
    );
    let text = "int f(int i) { static const volatile short a[4]; return a[i] + *a; }";
    let read = own(text, "f::a");
    assert!(read.contains("static  volatile short a[4];"), "{read}");
    assert!(
        read.ends_with("return (a[i] = read_a()) + (*a = read_a()); }"),
        "{read}"
    );
    let text = "struct s { volatile int in; int n; } dev; int f(void) { dev.n++; return dev.in; }";
    let read = own(text, "dev");
    assert!(
        read.ends_with("{ dev.n++; return (dev.in = read_dev_in()); }"),
        "{read}"
    );
    for read in ["struct s now = dev;", "int *p = at;"] {
        let text = format!("struct s {{ volatile int in; }} dev; int *volatile at; int f(void) {{ {read} return 0; }}");
        let why = own(&text, if read.contains("dev") { "dev" } else { "at" });
        assert!(why.contains("what is read is no number"), "{why}");
    }
    let why = own(
        "volatile int flag; int main(void) { return flag; }",
        "flags",
    );
    assert!(why.contains("no register called `flags`"), "{why}");
}

/// A pointer leads to them where the analysis of pointers says so, and is compared where it may lead elsewhere, too.
#[test]
fn pointers_lead_to_objects_that_hardware_writes() {
    let program = |calls: &str| {
        format!(
            "volatile short a[4], b[4], c; short f(const volatile short *p) {{ return p[1]; }} void g(void) {{ {calls} }}"
        )
    };
    let always = own(&program("f(a); f(&a[2]);"), "a");
    assert!(
        always.contains("return (*(volatile short *)&p[1] = read_a());"),
        "{always}"
    );
    let never = own(&program("f(b); a[0];"), "a");
    assert!(never.contains("return p[1];"), "{never}");
    let either = own(&program("f(a); f(b);"), "a");
    let within = "(unsigned long)(const volatile void *)&(p[1]) - (unsigned long)(const volatile void *)a < sizeof(a) ? read_a() : p[1]";
    assert!(either.contains(within), "{either}");
    let scalar = own(&program("f(b); f(&c - 1);"), "c");
    assert!(
        scalar.contains("== (const volatile void *)&c ? read_c() : p[1]"),
        "{scalar}"
    );
    for call in ["f((short *)a);", "int *n = (int *)a;", "g(a);", "h(a);"] {
        let text = format!("void h(const void *p) {{ }} {}", program(call));
        let why = own(&text, "a");
        assert!(
            why.contains("goes on here as one of something else"),
            "{why}"
        );
    }
}

/// What the program may write, directly, through pointers or in assembler, is its own.
#[test]
fn volatile_objects_that_the_program_only_reads() {
    let names = |text: &str| {
        let unit = Unit::parse(Source::from_bytes(text.into())).unwrap();
        let found = unwritten(&unit.tree);
        let names = found
            .iter()
            .map(|(o, _)| unit.tree.objects[*o].name.clone());
        names.collect::<Vec<_>>().join(" ")
    };
    let reads = "int f(void) { return a + b + c[1] + d; }";
    let all = format!("extern volatile int a; volatile int b, c[2]; int d; {reads}");
    assert_eq!(names(&all), "a b c");
    assert_eq!(
        names(&format!("{all} void g(void) {{ c[1]++; a = 1; }}")),
        "b"
    );
    let pointers =
        "void to(volatile int *p) { *p = 1; } int of(const volatile int *p) { return *p; }";
    assert_eq!(
        names(&format!(
            "{all} {pointers} void g(void) {{ to(&b); of(c); to(&a); }}"
        )),
        "c"
    );
    assert_eq!(
        names(&format!(
            "{all} void o(volatile int *); void g(void) {{ o(&a); }}"
        )),
        "b c"
    );
    assert_eq!(
        names(&format!(
            "{all} void g(void) {{ __asm__(\"\" : \"=m\"(b)); }}"
        )),
        "a c"
    );
    assert_eq!(
        names("volatile int a; int f(void) { volatile int b = 0; return sizeof a + b; }"),
        ""
    );
}
