/* Jobs in a list of allocated nodes, a worker that frees them, and a shutdown.
   -DWRONG: the worker stops without a look at what is left. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct job {
  struct job *next;
  int number;
};

static struct job *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static bool stop;
int done, last;

static void *worker(void *unused) {
  for (;;) {
    pthread_mutex_lock(&lock);
    while (!head && !stop)
      pthread_cond_wait(&filled, &lock);
#ifdef WRONG
    if (stop) {
#else
    if (!head) {
#endif
      pthread_mutex_unlock(&lock);
      return unused;
    }
    struct job *job = head;
    head = job->next;
    pthread_mutex_unlock(&lock);
    last = job->number;
    done++;
    free(job);
  }
}

static void submit(int number) {
  struct job *job = malloc(sizeof *job);
  if (!job)
    abort();
  job->number = number;
  pthread_mutex_lock(&lock);
  job->next = head;
  head = job;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  submit(1);
  submit(2);
  pthread_mutex_lock(&lock);
  stop = true;
  pthread_cond_broadcast(&filled);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
