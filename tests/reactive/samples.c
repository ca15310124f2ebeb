/* A histogram: no bin has more than there are samples. */
#include <stdio.h>
static int bins[10], n;

int main(void)
{
    int v;
    while (scanf("%d", &v) == 1) {
        if (v < 0 || v >= 100)
            continue;
        if (n == 1000)
#ifdef BROKEN
            n = 0;
#else
            break;
#endif
        bins[v / 10]++;
        n++;
    }
    for (int i = 0; i < 10; i++)
        printf("%d: %d\n", i, bins[i]);
    return 0;
}
