//! Registers: memory at constant addresses, as the headers of vendors name it.

use serde_json::Value;

use crate::support::{cbmc, Dir, NARROW};

/// An echo in the style of avr-libc; its macros stand for a cross compiler.
const ECHO: &str = "typedef unsigned char uint8_t;
#define _MMIO_BYTE(mem_addr) (*(volatile uint8_t *)(mem_addr))
#define _SFR_MEM8(mem_addr) _MMIO_BYTE(mem_addr)
#define _SFR_IO8(io_addr) _MMIO_BYTE((io_addr) + 0x20)
#define PORTB _SFR_IO8(0x05)
#define UCSR0A _SFR_MEM8(0xC0)
#define UCSR0B _SFR_MEM8(0xC1)
#define UDR0 _SFR_MEM8(0xC6)
#define RXC0 7
#define TXEN0 3
uint8_t last;
int main(void)
{
    UCSR0B = 1 << TXEN0;
    for (;;) {
        if (UCSR0A & (1 << RXC0)) {
            last = UDR0;
            PORTB ^= 1 << 5;
            UDR0 = last;
        }
    }
}
";

/// A driver in the style of CMSIS, which gets the address of its registers.
const DRIVER: &str = "typedef unsigned int uint32_t;
#define __IO volatile
#define __I volatile const
typedef struct { __IO uint32_t SR; __IO uint32_t DR; __I uint32_t ID; __IO uint32_t CR; } USART_TypeDef;
#define PERIPH_BASE 0x40000000u
#define USART1 ((USART_TypeDef *) (PERIPH_BASE + 0x11000u))
#define USART2 ((USART_TypeDef *) (PERIPH_BASE + 0x4400u))
uint32_t id, other;
static void enable(USART_TypeDef *usart) { usart->CR |= 1u << 13; }
static uint32_t identity(const USART_TypeDef *usart) { return usart->ID; }
int main(void)
{
    enable(USART1);
    id = identity(USART1);
    other = USART2->SR;
    for (;;) {
        while (!(USART1->SR & 0x20)) ;
        USART1->DR = USART1->DR;
    }
}
";

/// A converter whose samples a controller puts into a buffer.
const SAMPLES: &str = "enum { LENGTH = 2 };
static volatile unsigned short buffer[2 * LENGTH];
static volatile unsigned char complete;
unsigned level;
unsigned char alarm;
static unsigned sum(const volatile unsigned short *from)
{
    unsigned all = 0;
    for (int i = 0; i < LENGTH; i++)
        all += from[i] & 0xfff;
    return all;
}
int main(void)
{
    for (;;) {
        if (complete & 1) level = sum(&buffer[0]);
        if (complete & 2) level = sum(buffer + LENGTH);
        alarm = level > 6000;
    }
}
";

/// What hardware writes into volatile memory is no part of the runs unless the specification says so, and no answer hides that.
#[test]
fn volatile_memory_that_hardware_writes() {
    if !cbmc() {
        return;
    }
    let dir = Dir::new();
    dir.write("samples.c", SAMPLES);
    let ran = dir.run(&[
        "verify",
        "--ltl",
        "G {!alarm}",
        "samples.c",
        "--format",
        "json",
    ]);
    let result: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(result["properties"][0]["holds"], "proved", "{ran:?}");
    let found = result["findings"].as_array().unwrap();
    let told: Vec<&str> = found.iter().map(|f| f["kind"].as_str().unwrap()).collect();
    assert_eq!(told, ["unwritten_volatile"; 2], "{ran:?}");
    assert!(
        found[0]["message"]
            .as_str()
            .unwrap()
            .starts_with("`complete`"),
        "{ran:?}"
    );
    let text = dir
        .run(&["verify", "--ltl", "G {!alarm}", "samples.c"])
        .stdout;
    assert!(
        text.contains("as long as nothing else writes volatile"),
        "{text}"
    );

    let spec = r#"{"properties": [{"name": "quiet", "ltl": "G {!alarm}"}, {"name": "most", "ltl": "G {level <= 8190}"}],
      "registers": [{"name": "buffer", "reads": "any"}, {"name": "complete", "reads": [0, 1, 2]}]}"#;
    dir.write("samples.json", spec);
    let ran = dir.run(&["verify", "samples.json", "samples.c", "--format", "json"]);
    let result: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(result["properties"][0]["holds"], "refuted", "{ran:?}");
    assert_ne!(result["properties"][1]["holds"], "refuted", "{ran:?}");
    assert_eq!(result["findings"], serde_json::json!([]), "{ran:?}");
}

fn holds(dir: &Dir, arguments: &[&str]) -> Vec<String> {
    let ran = dir.run(&[&["prove"], arguments, &["--format", "json"]].concat());
    let result: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
    let all = result["properties"].as_array().unwrap().iter();
    all.map(|p| p["holds"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn what_is_written_is_seen_and_what_is_read_is_any_value() {
    if !cbmc() {
        return;
    }
    let spec = r#"{ "properties": [
        { "name": "enabled", "ltl": "F {UCSR0B & 0x08}" },
        { "name": "only", "ltl": "G {UCSR0B == 0 || UCSR0B == 8}" },
        { "name": "silent", "ltl": "G {last == 0}" },
        { "name": "dark", "ltl": "G !{PORTB & 0x20}" } ] }"#;
    let dir = Dir::with(&[("echo.c", ECHO), ("spec.json", spec)]);
    let told = holds(&dir, &["spec.json", "echo.c"]);
    assert_eq!(told, ["proved", "proved", "refuted", "refuted"]);
}

#[test]
fn specifications_say_what_reads_give() {
    if !cbmc() {
        return;
    }
    let spec = |registers: &str| {
        format!(
            r#"{{ "properties": [ {{ "name": "few", "ltl": "G {{last == 0 || last == 65}}" }},
                 {{ "name": "dark", "ltl": "G {{PORTB == 0}}" }} ], "registers": [ {registers} ] }}"#
        )
    };
    let values =
        r#"{ "name": "UDR0", "reads": [65, 0] }, { "address": "0x25", "reads": "memory" }"#;
    let silent = r#"{ "name": "UCSR0A", "reads": [0] }"#;
    let dir = Dir::with(&[
        ("echo.c", ECHO),
        ("values.json", &spec(values)),
        ("silent.json", &spec(silent)),
        ("none.json", &spec(r#"{ "name": "UDR1", "reads": "any" }"#)),
        (
            "both.json",
            &spec(r#"{ "name": "UDR0", "address": 1, "reads": "any" }"#),
        ),
    ]);
    assert_eq!(
        holds(&dir, &["values.json", "echo.c"]),
        ["proved", "refuted"]
    );
    assert_eq!(
        holds(&dir, &["silent.json", "echo.c"]),
        ["proved", "proved"]
    );
    for (file, part) in [
        ("none.json", "no register called `UDR1`"),
        ("both.json", "either a `name` or an `address`"),
    ] {
        let ran = dir.run(&["verify", file, "echo.c"]);
        assert_eq!(ran.status, 3, "{ran:?}");
        assert!(ran.stderr.contains(part), "{ran:?}");
    }
}

#[test]
fn drivers_get_the_addresses_of_registers() {
    if !cbmc() {
        return;
    }
    let spec = r#"{ "properties": [
        { "name": "enabled", "ltl": "F {USART1->CR & 0x2000}" },
        { "name": "known", "ltl": "G {id == 0}" },
        { "name": "apart", "ltl": "G {USART2->CR == 0}" } ] }"#;
    let dir = Dir::with(&[("driver.c", DRIVER), ("spec.json", spec)]);
    let told = holds(&dir, &["--target", "cortex-m", "spec.json", "driver.c"]);
    assert_eq!(told, ["proved", "refuted", "proved"]);
}

/// Native runs and the search of all states have memory for registers.
#[test]
fn programs_with_registers_are_executed() {
    let quiet = ECHO.replace("for (;;)", "for (int i = 0; i < 3; i++)");
    let dir = Dir::with(&[("echo.c", &quiet)]);
    let ran = dir.run(&[
        "verify",
        "--backend",
        "native",
        "--ltl",
        "F {UCSR0B & 8}",
        "echo.c",
    ]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let ran = dir.run(&[
        "instrument",
        "--ltl",
        "F {UCSR0B & 8}",
        "-o",
        "out.c",
        "echo.c",
    ]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let out = dir.read("out.c");
    assert!(
        out.contains("static volatile uint8_t UCSR0B;")
            || out.contains("static volatile unsigned char UCSR0B;"),
        "{out}"
    );
}

/// The files of a program share its registers.
#[test]
fn registers_of_several_files_are_one() {
    if !cbmc() {
        return;
    }
    let head = "#define PORT (*(volatile unsigned char *)0x25)\n";
    let main = format!("{head}void on(void);\nint main(void) {{ PORT = 0; on(); return 0; }}\n");
    let other = format!("{head}void on(void) {{ PORT = 4; }}\n");
    let dir = Dir::with(&[("main.c", &main), ("on.c", &other)]);
    let (result, status) = dir.verify(&["--ltl", "F {PORT == 4}", "main.c", "on.c"]);
    assert_eq!(
        (&result["verdict"], status),
        (&"true".into(), 0),
        "{result}"
    );
}

/// AVR's instructions for I/O registers are accesses of the bytes that headers name: otherwise a condition on them would not
/// see what they write.
#[test]
fn instructions_write_registers() {
    if !cbmc() {
        return;
    }
    let program = |text: &str| {
        format!(
            "typedef unsigned char uint8_t; typedef unsigned int uint16_t;\n#define PORTB (*(volatile uint8_t *)((0x05) + 0x20))\n\
             #define ADDRESS(port) (((uint16_t) &(port)) - 0x20)\nuint8_t led;\nint main(void) {{ {text} led = 1; return 0; }}\n"
        )
    };
    for (text, expected) in [
        ("asm(\"sbi 5, 5\");", ["proved", "refuted"]),
        (
            "asm volatile(\"sbi %0, %1\" :: \"I\"(ADDRESS(PORTB)), \"I\"(5));",
            ["proved", "refuted"],
        ),
        (
            "asm volatile(\"ldi r16, 0x20\\n\\tout 5, r16\" ::: \"r16\");",
            ["proved", "refuted"],
        ),
        ("asm(\"cbi 5, 5\");", ["refuted", "proved"]),
        ("PORTB = 0; asm(\"out 5, r16\");", ["unknown", "unknown"]),
        (
            "PORTB = 0; asm(\"sbic 3, 0\"); asm(\"sbi 5, 5\");",
            ["unknown", "unknown"],
        ),
    ] {
        let dir = Dir::with(&[("p.c", &program(text))]);
        let found = ["G ({led} -> {PORTB & 32})", "G {!(PORTB & 32)}"].map(|formula| {
            let asked = ["--cpp", NARROW, "--ltl", formula, "p.c"];
            let (result, _) = dir.verify(&asked);
            let holds = &result["properties"][0]["holds"];
            holds.as_str().unwrap_or("unknown").to_owned()
        });
        assert_eq!(found, expected, "{text}");
    }
}
