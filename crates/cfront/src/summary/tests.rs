#![allow(clippy::unwrap_used)]
use super::*;

const HEAD: &str = "typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); \
                    void free(void *); char *strdup(const char *); size_t strlen(const char *); int strcmp(const char *, const char *); \
                    extern int in(void); int scanf(const char *, ...); char *strcpy(char *, const char *); \
                    void *memcpy(void *, const void *, size_t); int memcmp(const void *, const void *, size_t);\n";

fn made(program: &str) -> Result<String, String> {
    let text = format!("# 1 \"p.c\"\n{HEAD}{program}");
    let unit = Unit::parse(Source::from_bytes(text.into_bytes())).unwrap();
    let own = unit.tree.exprs.iter().count();
    match summarised(&unit, &unit.flows, own) {
        Summary::Nothing => Err("nothing".to_owned()),
        Summary::Refused(why) => Err(why),
        Summary::Program(source) => {
            // The text is a program again, with the same lines.
            assert_eq!(
                source.text.lines().count(),
                unit.source.text.lines().count()
            );
            let text = source.text.clone();
            Unit::parse(source).unwrap();
            Ok(text.split_once(HEAD).unwrap().1.to_owned())
        }
    }
}

/// The last line of what is made of a program whose declarations stand on a line of their own.
fn last(program: &str) -> String {
    let text = made(program).unwrap();
    text.trim_end().lines().last().unwrap().to_owned()
}

/// A program of nodes, with this body of a loop without an end.
fn of_nodes(body: &str) -> String {
    format!(
        "struct node {{ int v; struct node *next; char name[8]; }}; struct node *head; int x, all[4]; char word[8]; void f(int *p);\n\
         int main(void) {{ while (1) {{ struct node *n = malloc(sizeof *n); \n{body}\n}} }}\n"
    )
}

fn body(text: &str) -> Result<String, String> {
    let made = made(&of_nodes(text))?;
    Ok(made.lines().nth(2).unwrap().to_owned())
}

#[test]
fn an_array_that_grows_has_any_content_and_an_exact_size() {
    let text = last(
        "static int *data; static size_t len, cap;\n\
         int main(void) { while (in()) { if (len == cap) { size_t n = cap + 8; data = realloc(data, n * sizeof *data); cap = n; } data[len++] = in(); } free(data); }\n",
    );
    let (_, main) = text.split_once("int main").unwrap();
    let expected = "(void) { while (in()) { if (len == cap) { size_t n = cap + 8; data = memory_of_call_1_given(data, ((n) > 2305843009213693951u ? \
                    memory_of_call_over() : (void)0, n * sizeof *data)); cap = n; } \
                    (*memory_cell_1_kept(memory_of_call_within(data, len++))) = in(); } (void)(data); }";
    assert_eq!(main, expected);
}

#[test]
fn what_is_read_is_any_value_of_its_type() {
    for (text, expected) in [
        ("x = n->v;", "x = (memory_cell_1(n));"),
        ("n->v = x;", "(*memory_cell_1_kept(n)) = x;"),
        ("n->v += x;", "(*memory_cell_1_changed(n)) += x;"),
        // Values that are read beside each other differ.
        (
            "if (n->v != head->v) x = 1; head = n;",
            "if ((memory_cell_1(n)) != (memory_cell_1(head))) x = 1; head = n;",
        ),
        (
            "n->next = n; x = (*n).next->v;",
            "(*memory_cell_1_kept(n)) = n; x = (memory_cell_2((memory_cell_1(n))));",
        ),
        ("x = n->name[x++];", "x = (memory_cell_1(memory_of_call_within(n, x++)));"),
        // Pointers into it are exact only as far as they lead to it.
        ("if (n == head) head = n;", "if ((memory_of_call_equal(n, head))) head = n;"),
        ("if (n != 0) head = n;", "if (n != 0) head = n;"),
        ("n += 2; n++;", "n += 0 * (2); n;"),
        ("int *p = &n->v; *p = 3;", "int *p = (memory_of_call_member_2(n)); (*memory_cell_1_kept(p)) = 3;"),
        ("x = strlen(n->name);", "x = memory_of_call_length(((char *)(n)));"),
        // A pointer that may lead elsewhere tells by its value.
        (
            "int *p = x ? &n->v : &x; *p = 3;",
            "int *p = x ? (memory_of_call_member_2(n)) : &x; (*memory_cell_1_kept_either(p)) = 3;",
        ),
        // Memory is bytes: it may be an object of another type.
        (
            "int *p = x ? &n->v : (int *)word; *p = 3;",
            "int *p = x ? (memory_of_call_member_2(n)) : (int *)word; (*memory_cell_1_kept_either(p)) = 3;",
        ),
        (
            "char *s = x ? n->name : word; s[1] = 0; s++;",
            "char *s = x ? ((char *)(n)) : word; (*memory_cell_1_kept_either(s + (1 - memory_of_call_has(s)) * (1))) = 0; \
             (s += (1 - memory_of_call_has(s)) * (1), s - (1 - memory_of_call_has(s)) * (1));",
        ),
        // Objects with names are accessed as they are.
        ("int *p = all; p[1] = x; x = word[0]; head = n;", "int *p = all; p[1] = x; x = word[0]; head = n;"),
    ] {
        assert_eq!(body(text).unwrap(), expected, "{text}");
    }
}

#[test]
fn pointers_in_it_lead_where_the_program_stores_them() {
    let text = made(&of_nodes("n->next = head; head = n; x = head->next->v;")).unwrap();
    let cell = "value = 0; switch (any_of_memory_int()) { case 1: value = (struct node *)(void *)&memory_of_call_1; break; default: break; }";
    assert!(text.contains(cell), "{text}");
    // The address of a member stands for the addresses of this member of all objects.
    let text = made(&of_nodes("struct node **p = &n->next; *p = head;")).unwrap();
    let has = "return p == (const volatile void *)&memory_of_call_1 || p == (const volatile void *)&memory_of_call_1.next; }";
    assert!(text.contains(has), "{text}");
}

/// Wherever a pointer leads that comes from the address of a member, it is in the memory.
#[test]
fn members_of_what_a_pointer_to_a_member_leads_to_are_members() {
    let text = body(
        "struct node *m = (struct node *)((char *)&n->next - 8); if (&m->next == &n->next) x = 1;",
    );
    let text = text.unwrap();
    let moved = "(struct node *)((char *)(memory_of_call_member_2(n)) - 0 * (8))";
    assert!(text.contains(moved), "{text}");
    let compared = "memory_of_call_equal((memory_of_call_member_5(m)), (memory_of_call_member_";
    assert!(text.contains(compared), "{text}");
}

#[test]
fn pointers_to_void_in_it_lead_to_functions_too() {
    let text = made(
        "struct d { void *p; };\nvoid hit(void) { }\nint main(void) { while (1) { struct d *n = malloc(sizeof *n); n->p = (void *)hit; ((void (*)(void))n->p)(); } }\n",
    );
    let text = text.unwrap();
    assert!(text.contains("value = (void *)(void *)hit;"), "{text}");
}

#[test]
fn pointers_in_it_that_are_never_written_are_null_or_not() {
    let text = made("struct d { int *p; };\nint main(void) { int x; while (1) { struct d *n = malloc(sizeof *n); if (n->p) x = 1; } }\n");
    let text = text.unwrap();
    let cell = "case 1: value = (int *)(void *)&memory_of_call_1; break;";
    assert!(text.contains(cell), "{text}");
}

/// What the program does by way of allocated memory is done to the objects and functions themselves.
#[test]
fn objects_and_functions_that_pointers_in_it_lead_to_are_written_and_called() {
    let text = made(
        "struct d { int *p; void (*f)(void); };\nint g;\nvoid hit(void) { g = 1; }\n\
         int main(void) { while (1) { struct d *n = malloc(sizeof *n); n->p = &g; n->f = hit; *n->p = 1; n->f(); } }\n",
    );
    let text = text.unwrap();
    for part in [
        "value = 0; switch (any_of_memory_int()) { case 1: value = (int *)(void *)&g; break; default: break; }",
        "case 1: value = (void (*)(void))(void *)hit; break;",
        "*(memory_cell_1(n)) = 1; (memory_cell_2(n))();",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// Memory that was freed, or that another pointer leads to, has any content, too.
#[test]
fn nothing_is_known_of_what_was_written_to_it() {
    let freed = body("n->v = 1; free(n); x = n->v;").unwrap();
    let expected = "(*memory_cell_1_kept(n)) = 1; (void)(n); x = (memory_cell_1(n));";
    assert_eq!(freed, expected);
    let array = body("int *a = malloc(x), *b = a; a[0] = 0; b[0] = 7; x = a[0];").unwrap();
    let read = "x = (memory_cell_1(memory_of_call_within(a, 0)));";
    assert!(array.ends_with(read), "{array}");
}

/// Pointers that are numbers or bytes for a while lead where the analysis does not see it, and tell objects apart that are one here.
#[test]
fn pointers_that_are_something_else_are_refused() {
    let (bytes, number) = ("may be accessed as something else", "becomes a number");
    for (text, why) in [
        ("long l = *(long *)&n; x = l != *(long *)&head;", bytes),
        ("char *c = (char *)&n; word[0] = c[0];", bytes),
        ("int *p = &x; ((char *)&p)[0] = word[0];", bytes),
        ("long l; memcpy(&l, &n, 8); x = l == 1;", bytes),
        ("char *b = malloc(x); **(int **)b = 1;", bytes),
        (
            "union { void *p; long l; } u; *(void **)&u = n; x = u.l;",
            bytes,
        ),
        ("x = memcmp(&n, &head, 8);", "gets pointers to pointers"),
        (
            "void h(struct node **); h(&head);",
            "gets pointers to pointers",
        ),
        ("int *p = &x; long l = (long)p; x = l;", number),
        ("long l = n; x = l == 1;", number),
        ("long h(long); x = h(n) == h(head);", number),
        ("long l = 0; int *p = (int *)l; *p = 5;", "a number becomes"),
        ("int *p = 0; long l = 0; p = l; *p = 5;", "a number becomes"),
        (
            "n->next = (struct node *)1; x = n->next == head;",
            "a number becomes",
        ),
        ("void *p = (void *)(long)x; x = p == n;", "a number becomes"),
        (
            "void (*h)(void) = (void (*)(void))n; h();",
            "a pointer to a function",
        ),
        (
            "extern struct node *other; n->next = other;",
            "defined elsewhere",
        ),
        ("__asm__(\"\" : : \"r\"(n));", "assembler"),
    ] {
        let told = body(text).unwrap_err();
        assert!(told.contains(why), "{text}: {told}");
    }
    // Registers of the machine, null pointers and copies of pointers are not.
    for text in [
        "*(volatile int *)0x4000 = x;",
        "head = (struct node *)0;",
        "struct { struct node *at; } one = {n}, two; memcpy(&two, &one, 8); head = two.at;",
    ] {
        assert!(body(text).is_ok(), "{text}: {:?}", body(text));
    }
}

/// Where the program may write by a pointer that lies in allocated memory is known to the byte.
#[test]
fn pointers_to_parts_or_to_other_types_in_it_are_refused() {
    for text in [
        "struct pr { int a, b; }; static struct pr s; void **d = malloc(x); *d = &s.b; *(int *)*d = 5;",
        "void **d = malloc(x); *d = &x; *(char *)*d = 5;",
        "short **d = malloc(x); *d = (short *)&x; **d = 5;",
    ] {
        let told = body(text).unwrap_err();
        assert!(told.contains("a part of") || told.contains("is local"), "{text}: {told}");
    }
}

#[test]
fn memory_that_is_allocated_once_is_exact() {
    let text = made(
        "struct list { int n; int *first; };\nint main(void) { struct list *l = malloc(sizeof *l); l->n = 0; while (in()) { l->first = malloc(4); *l->first = 1; l->n++; } }\n",
    );
    let text = text.unwrap();
    assert!(
        text.contains("struct list *l = ((void *)&memory_of_l); l->n = 0;"),
        "{text}"
    );
    assert!(
        text.contains("(*memory_cell_1_kept(l->first)) = 1; l->n++;"),
        "{text}"
    );
}

#[test]
fn what_cannot_be_followed_is_refused() {
    for (text, why) in [
        ("x = (int)(long)n;", "becomes a number"),
        ("f(&n->v);", "gets a pointer to allocated memory"),
        (
            "strcpy(word, n->name);",
            "writes what lies in allocated memory",
        ),
        (
            "memcpy(&x, &n->v, 4);",
            "writes what lies in allocated memory",
        ),
        (
            "scanf(\"%d\", &n->v);",
            "its effect on this is not followed",
        ),
        ("struct node m = *n; x = m.v;", "an array in a structure"),
        (
            "int local; int **p = malloc(8); *p = &local; **p = 1;",
            "which is local",
        ),
        ("int **p = malloc(8); *p = all; **p = 1;", "a part of `all`"),
        ("char **p = malloc(8); *p = \"a\"; x = **p;", "a string"),
        ("void (*g)(void *) = free; g(n);", "through a pointer"),
        (
            "union { void *p; long l; } u; u.p = n; x = u.l;",
            "a member of a union",
        ),
        (
            "char *s = x ? n->name : word; x = *(s + 1 + x);",
            "or to an object with a name",
        ),
    ] {
        let told = body(text).unwrap_err();
        assert!(told.contains(why), "{text}: {told}");
    }
    assert_eq!(
        made("int main(void) { return 0; }\n").unwrap_err(),
        "nothing"
    );
}
