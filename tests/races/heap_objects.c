// none
#include <pthread.h>
#include <stdlib.h>
struct job { int in, out; };
void *work(void *a) { struct job *j = a; j->out = j->in * 2; return 0; }
int main(void) {
    struct job *p = malloc(sizeof *p), *q = malloc(sizeof *q);
    pthread_t t, u;
    p->in = 1;
    q->in = 2;
    pthread_create(&t, 0, work, p);
    pthread_create(&u, 0, work, q);
    pthread_join(t, 0);
    pthread_join(u, 0);
    int sum = p->out + q->out;
    free(p);
    free(q);
    return sum;
}
