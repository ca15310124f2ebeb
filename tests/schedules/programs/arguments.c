/* Each thread gets a number from main.
 * WRONG: all get the address of the variable that main counts with. */
#include <assert.h>
#include <pthread.h>

#define THREADS 2

static int seen[THREADS];
static pthread_t ids[THREADS];

struct job {
    int number;
    int weight;
};

static struct job jobs[THREADS];

static void *note(void *argument)
{
#ifdef WRONG
    int number = *(int *)argument;
#else
    struct job *job = argument;
    int number = job->number;
    assert(job->weight == 10 * number);
#endif
    if (number < THREADS)
        seen[number]++;
    return 0;
}

int main(void)
{
    int i;
    for (i = 0; i < THREADS; i++) {
        jobs[i].number = i;
        jobs[i].weight = 10 * i;
#ifdef WRONG
        pthread_create(&ids[i], 0, note, &i);
#else
        pthread_create(&ids[i], 0, note, &jobs[i]);
#endif
    }
    for (int k = 0; k < THREADS; k++)
        pthread_join(ids[k], 0);
    assert(seen[0] == 1 && seen[1] == 1);
    return 0;
}
