#![allow(clippy::unwrap_used)]
use super::*;

const HEAD: &str = "typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); \
                    void free(void *); char *strdup(const char *); size_t strlen(const char *); int strcmp(const char *, const char *); \
                    extern int in(void); int scanf(const char *, ...); char *strcpy(char *, const char *); \
                    void *memcpy(void *, const void *, size_t);\n";

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
        ("int *p = &n->v; *p = 3;", "int *p = &n->v; (*memory_cell_1_kept(p)) = 3;"),
        ("x = strlen(n->name);", "x = memory_of_call_length(((char *)(n)));"),
        // A pointer that may lead elsewhere tells by its value.
        ("int *p = x ? &n->v : &x; *p = 3;", "int *p = x ? &n->v : &x; (*memory_cell_1_kept_either(p)) = 3;"),
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
