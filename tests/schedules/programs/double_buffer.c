/* A writer fills the back buffer and then makes it the front; a reader reads the front.
 * WRONG: the reader asks for the front twice. */
#include <assert.h>
#include <pthread.h>

struct frame {
    int left, right;
};

static struct frame buffer[2];
static int front;

static void *writer(void *unused)
{
    int back = 1 - front;
    buffer[back].left = 5;
    buffer[back].right = 5;
    front = back;
    return unused;
}

static void *reader(void *unused)
{
#ifdef WRONG
    int left = buffer[front].left;
    int right = buffer[front].right;
#else
    struct frame *shown = &buffer[front];
    int left = shown->left;
    int right = shown->right;
#endif
    assert(left == right);
    return unused;
}

int main(void)
{
    pthread_t w, r;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
    return 0;
}
