/* Figure 2, P1: ends with s == 1 after an odd number of iterations, with s == 0 after an even one. */
#include <stdbool.h>

int s = 0;

int main(void)
{
    while (true) {
        s = 1 - s;
    }
}
