//! Threads that start threads, the handles of threads, and what threads leave behind.

use super::*;

#[test]
fn threads_start_threads_and_give_results() {
    let text = "int x; void *child(void *p) { x += 1; return p; }
        void *parent(void *p) { pthread_t t; void *r; pthread_create(&t, 0, child, (void *)5); x += 10; pthread_join(t, &r); return r; }
        int main(void) { pthread_t t; void *r; pthread_create(&t, 0, parent, 0); pthread_join(t, &r); outcome(x * 10 + (int)(long)r); return 0; }";
    // The parent continues after its child in the second round. Losing its sum takes another
    // round: the child reads before it and writes after it, and then the parent waits for the
    // child.
    check(text, 1, &[]);
    check(text, 2, &[105, 115]);
    check(text, 3, &[15, 105, 115]);
}

#[test]
fn functions_get_the_data_of_threads_that_end() {
    let program = "typedef unsigned pthread_key_t;
        int pthread_key_create(pthread_key_t *, void (*)(void *));
        int pthread_setspecific(pthread_key_t, const void *);
        void *pthread_getspecific(pthread_key_t);
        pthread_key_t first, second; int sum; int one = 1, ten = 10;
        void gone(void *data) { sum = 2 * sum + *(int *)data; }
        void *f(void *a) {
            pthread_setspecific(first, &one);
            if (a) pthread_setspecific(second, &ten);
            return 0;
        }
        int main(void) {
            pthread_t t;
            pthread_key_create(&first, gone);
            pthread_key_create(&second, gone);
            pthread_create(&t, 0, f, ARGUMENT);
            pthread_join(t, 0);
            outcome(pthread_getspecific(first) ? -1 : sum);
        }";
    // Either of two keys may come first.
    let both = outcomes(&program.replace("ARGUMENT", "&one"), 1, 2);
    assert_eq!(both, BTreeSet::from([12, 21]));
    assert_eq!(
        outcomes(&program.replace("ARGUMENT", "0"), 1, 2),
        BTreeSet::from([1])
    );
}

/// A program whose main thread starts a number of threads that another thread may change; `handles`
/// declares the memory for their handles.
fn open_number(handles: &str) -> String {
    let text = "int n = 1, done[2];
        void *malloc(unsigned long);
        void *grow(void *a) { n = 2; return a; }
        void *note(void *a) { *(int *)a = 1; return 0; }
        int main(void) {
            pthread_t g;
            pthread_create(&g, 0, grow, 0);
            int k = n;
            HANDLES;
            for (int i = 0; i < k; i++) pthread_create(&t[i], 0, note, &done[i]);
            for (int i = 0; i < k; i++) pthread_join(t[i], 0);
            outcome(10 * k + done[0] + done[1]);
        }";
    text.replace("HANDLES", handles)
}

#[test]
fn threads_of_an_open_number_are_joined() {
    for handles in [
        "pthread_t t[k]",
        "pthread_t *t = malloc(k * sizeof(pthread_t))",
    ] {
        let program = open_number(handles);
        check(&program, 1, &[11]);
        check(&program, 2, &[11, 22]);
    }
}

#[test]
fn a_handle_stands_for_the_thread_that_was_stored_last() {
    let program = "pthread_t t[2];
        void *one(void *a) { return (void *)1; }
        void *two(void *a) { return (void *)2; }
        int main(void) {
            void *r = 0;
            pthread_create(&t[0], 0, one, 0);
            pthread_create(&t[1], 0, two, 0);
            CHANGE
            pthread_join(t[0], &r);
            outcome((int)(long)r);
        }";
    let changed = |change: &str| program.replace("CHANGE", change);
    check(&changed(""), 1, &[1]);
    check(&changed("t[0] = t[1];"), 1, &[2]);
    check(&changed("pthread_t *p = t; *p = t[1];"), 1, &[2]);
    check(&changed("if (t[1] != 7) t[0] = t[1];"), 1, &[2]);
    check(&changed("pthread_create(t, 0, two, 0);"), 1, &[2]);
}

#[test]
fn another_thread_may_store_a_handle_in_the_same_place() {
    let program = "pthread_t t;
        void *two(void *a) { return (void *)2; }
        void *one(void *a) { pthread_create(&t, 0, two, 0); return (void *)1; }
        int main(void) {
            void *r = 0;
            pthread_create(&t, 0, one, 0);
            pthread_join(t, &r);
            outcome((int)(long)r);
        }";
    check(program, 1, &[1, 2]);
}
