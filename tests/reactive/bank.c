/* Money moves between the accounts of an array of structures; the sum stays. */
#include <stdio.h>
#define N 4
struct account { int id; int balance; };
struct account acc[N] = { { 1, 100 }, { 2, 100 }, { 3, 100 }, { 4, 100 } };

static int transfer(int from, int to, int amount)
{
    if (from < 0 || from >= N || to < 0 || to >= N)
        return -1;
#ifdef BROKEN
    if (amount <= 0)
#else
    if (amount <= 0 || acc[from].balance < amount)
#endif
        return -1;
    acc[from].balance -= amount;
    acc[to].balance += amount;
    return 0;
}

int main(void)
{
    int f, t, a;
    while (scanf("%d %d %d", &f, &t, &a) == 3)
        if (transfer(f, t, a) < 0)
            printf("refused\n");
    return 0;
}
