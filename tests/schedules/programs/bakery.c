/* Lamport's bakery for two threads: who has the smaller ticket goes first.
 * WRONG: nobody waits for a ticket that is being drawn. */
#include <pthread.h>

int drawing[2];
int ticket[2];
int inside;

static int before(int other, int me)
{
    int theirs = ticket[other];
    int mine = ticket[me];
    return theirs != 0 && (theirs < mine || (theirs == mine && other < me));
}

static void *customer(void *number)
{
    int me = (int)(long)number, other = 1 - me, seen;
#ifndef WRONG
    drawing[me] = 1;
#endif
    seen = ticket[other];
    ticket[me] = seen + 1;
#ifndef WRONG
    drawing[me] = 0;
    while (drawing[other])
        ;
#endif
    while (before(other, me))
        ;
    inside++;
    inside--;
    ticket[me] = 0;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, customer, (void *)0L);
    pthread_create(&b, 0, customer, (void *)1L);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
