// none
#include <pthread.h>
int table[4] = {1, 2, 3, 4};
int sum1, sum2;
void *one(void *a) { for (int i = 0; i < 4; i++) sum1 += table[i]; return 0; }
void *two(void *a) { for (int i = 0; i < 4; i++) sum2 += table[i]; return 0; }

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
