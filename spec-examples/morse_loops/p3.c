/* Figure 2, P3: the same infinite run again, and every iteration ends with the answer. */
#include <stdbool.h>

int s = 0;

int main(void)
{
    s = 1;
    while (true) {
        s = 0;
        s = 1;
    }
}
