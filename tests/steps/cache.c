/* A cache in allocated memory, with a reader and a writer that share a lock in it.
   -DWRONG: the reader takes no lock. */
#include <pthread.h>
#include <stdlib.h>

struct cache {
  pthread_rwlock_t lock;
  int version;
  int copies[2];
};

int readers, writers;

static void *reader(void *arg) {
  struct cache *cache = arg;
  for (;;) {
#ifndef WRONG
    pthread_rwlock_rdlock(&cache->lock);
#endif
    readers = 1;
    int version = cache->version;
    readers = version >> 8;
#ifndef WRONG
    pthread_rwlock_unlock(&cache->lock);
#endif
  }
  return NULL;
}

static void *writer(void *arg) {
  struct cache *cache = arg;
  for (;;) {
    pthread_rwlock_wrlock(&cache->lock);
    writers = 1;
    cache->version = !cache->version;
    cache->copies[0] = cache->version;
    cache->copies[1] = cache->version;
    writers = 0;
    pthread_rwlock_unlock(&cache->lock);
  }
  return NULL;
}

static struct cache *made;

int main(void) {
  made = malloc(sizeof *made);
  if (!made)
    return 1;
  pthread_rwlock_init(&made->lock, NULL);
  made->version = 0;
  pthread_t r, w;
  pthread_create(&r, NULL, reader, made);
  pthread_create(&w, NULL, writer, made);
  pthread_join(r, NULL);
  pthread_join(w, NULL);
  return 0;
}
