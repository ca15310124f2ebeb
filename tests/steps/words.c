#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* commands are split with strtok and put into a mailbox */
struct mailbox { pthread_mutex_t m; pthread_cond_t c; int full; int command; };
static struct mailbox box = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0 };
enum { NONE, START, STOP };
int running, sent_start, overwritten, motor;
static void put(struct mailbox *b, int command)
{
    pthread_mutex_lock(&b->m);
#ifndef WRONG
    while (b->full) pthread_cond_wait(&b->c, &b->m);
#endif
    if (b->full) overwritten = 1;
    b->command = command;
    b->full = 1;
    pthread_cond_broadcast(&b->c);
    pthread_mutex_unlock(&b->m);
}
static int take(struct mailbox *b)
{
    pthread_mutex_lock(&b->m);
    while (!b->full) pthread_cond_wait(&b->c, &b->m);
    int c = b->command;
    b->full = 0;
    pthread_cond_broadcast(&b->c);
    pthread_mutex_unlock(&b->m);
    return c;
}
static void *controller(void *arg)
{
    while (1) {
        int c = take(&box);
        if (c == START) motor = 1;
        if (c == STOP) motor = 0;
    }
    return NULL;
}
int main(void)
{
    char line[80];
    pthread_t t;
    pthread_create(&t, NULL, controller, NULL);
    while (1) {
        if (fgets(line, sizeof(line), stdin) == NULL) clearerr(stdin);
        else {
            char *word = strtok(line, " \t\n");
            while (word != NULL) {
                if (strcmp(word, "start") == 0) { put(&box, START); sent_start = 1; sent_start = 0; }
                else if (strcmp(word, "stop") == 0) put(&box, STOP);
                else printf("unknown command %s\n", word);
                word = strtok(NULL, " \t\n");
            }
        }
    }
}
