/* Taubenfeld's black-white bakery: numbers stay small. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
enum color { BLACK, WHITE };
static _Atomic enum color shared_color = BLACK;
static struct { atomic_bool choosing; _Atomic enum color mine; atomic_uchar number; } slot[2];
int inside;
bool waits[2];
static void enter(unsigned i)
{
    unsigned j = 1 - i;
    slot[i].choosing = true;
    enum color c = shared_color;
    slot[i].mine = c;
    unsigned char other = 0;
    if (slot[j].mine == c) other = slot[j].number;
    slot[i].number = other + 1;
    slot[i].choosing = false;
    while (slot[j].choosing) ;
#ifndef WRONG
    if (slot[j].mine == c) {
        while (!(slot[j].number == 0 || slot[j].number > slot[i].number || (slot[j].number == slot[i].number && j > i) || slot[j].mine != c)) ;
    } else {
        while (!(slot[j].number == 0 || c != shared_color || slot[j].mine == c)) ;
    }
#else
    while (!(slot[j].number == 0 || slot[j].number >= slot[i].number)) ;
#endif
}
static void leave(unsigned i)
{
    if (slot[i].mine == BLACK) shared_color = WHITE; else shared_color = BLACK;
    slot[i].number = 0;
}
static void *proc(void *arg)
{
    unsigned i = *(unsigned *)arg;
    while (true) {
        waits[i] = true;
        enter(i);
        waits[i] = false;
        inside++;
        inside--;
        leave(i);
    }
}
int main(void)
{
    static unsigned ids[2] = { 0, 1 };
    pthread_t a, b;
    pthread_create(&a, NULL, proc, &ids[0]);
    pthread_create(&b, NULL, proc, &ids[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
