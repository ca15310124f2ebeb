/* A print queue: a linked list of jobs, commands by line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct job { int pages; struct job *next; };
static struct job pool[4];
static struct job *first, *last, *unused;
static int waiting, printing;
static void setup(void) {
    for (int i = 0; i < 4; i++) { pool[i].next = unused; unused = &pool[i]; }
}
static int add(int pages) {
    struct job *j = unused;
    if (!j) return 0;
    unused = j->next;
    j->pages = pages;
    j->next = NULL;
    if (last) last->next = j; else first = j;
    last = j;
    waiting++;
    return 1;
}
static void done(void) {
    struct job *j = first;
#ifndef BROKEN
    if (!j) return;
#endif
    waiting--;
    if (!j) return;
    first = j->next;
    if (!first) last = NULL;
    j->next = unused;
    unused = j;
}
int main(void) {
    char line[64];
    setup();
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == '+') { if (!add(1)) printf("full\n"); }
        else if (line[0] == '-') { printing = 1; done(); printing = 0; }
        else printf("? %s", line);
    }
    return 0;
}
