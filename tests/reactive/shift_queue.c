/* Orders wait in an array that is shifted when one is taken. */
#include <stdio.h>
#include <stdlib.h>
#define MAX 5
int orders[MAX];
int n = 0;
int current = 0;
int cooking = 0;
static void take(void) {
    current = orders[0];
    for (int i = 0; i + 1 < n; i++) orders[i] = orders[i + 1];
    n--;
}
int main(void) {
    char line[40];
    while (fgets(line, sizeof line, stdin) != NULL) {
        int meal = atoi(line);
#ifdef BROKEN
        if (meal <= 9) {
#else
        if (meal >= 1 && meal <= 9) {
#endif
            if (n < MAX) orders[n++] = meal;
            else printf("full\n");
        }
        if (n > 0 && !cooking) { take(); cooking = 1; }
        else cooking = 0;
    }
    return 0;
}
