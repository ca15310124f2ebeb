/* Figure 2, P2: the same infinite run as P1, but every iteration ends with an open request. */
#include <stdbool.h>

int s = 0;

int main(void)
{
    while (true) {
        s = 1;
        s = 0;
    }
}
