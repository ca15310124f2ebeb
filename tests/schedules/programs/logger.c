/* Messages are formatted by a function that the caller chooses, and written to a ring; the oldest is dropped.
 * WRONG: the position is taken and moved on in two sections. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define LINES 2

struct line {
    char text[8];
    int level;
};

struct logger {
    pthread_mutex_t lock;
    struct line *lines;
    unsigned next, total;
    void (*format)(struct line *, int);
};

static void plain(struct line *l, int level)
{
    strcpy(l->text, "plain");
    l->level = level;
}

static void debug(struct line *l, int level)
{
    strcpy(l->text, "debug");
    l->level = level + 10;
}

static struct logger *logger;

static void write_line(int level)
{
    unsigned at;
    pthread_mutex_lock(&logger->lock);
    at = logger->next;
#ifdef WRONG
    pthread_mutex_unlock(&logger->lock);
    pthread_mutex_lock(&logger->lock);
#endif
    logger->format(&logger->lines[at], level);
    logger->next = (at + 1) % LINES;
    logger->total++;
    pthread_mutex_unlock(&logger->lock);
}

static void *user(void *argument)
{
    write_line(*(int *)argument);
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t s, t;
    int one = 1, two = 2;
    (void)argv;
    logger = malloc(sizeof *logger);
    pthread_mutex_init(&logger->lock, 0);
    logger->lines = calloc(LINES, sizeof *logger->lines);
    logger->next = logger->total = 0;
    logger->format = argc > 1 ? debug : plain;
    pthread_create(&s, 0, user, &one);
    pthread_create(&t, 0, user, &two);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(logger->total == 2);
    assert(logger->lines[0].level && logger->lines[1].level);
    return 0;
}
