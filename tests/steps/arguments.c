#include <pthread.h>
#include <stdlib.h>
struct job { int id; int *out; };
int out[2], done;
static void *run(void *p) { struct job *j = p; *j->out = j->id + 1; free(j); return 0; }
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) {
        struct job *j = malloc(sizeof *j);
        if (!j) abort();
        j->id = i;
#ifdef WRONG
        j->out = &out[0];
#else
        j->out = &out[i];
#endif
        pthread_create(&t[i], 0, run, j);
    }
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    done = 1;
    for (;;) ;
}
