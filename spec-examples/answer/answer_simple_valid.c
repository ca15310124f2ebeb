/* A client asks, a server answers once. The mutex `ready` tells the server that there is something to
 * answer: main takes it before the threads start, the client releases it when the request is set. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

int request = 0;
int answer = 0;
pthread_mutex_t ready = PTHREAD_MUTEX_INITIALIZER;

int is_set(int flag)
{
    return flag != 0;
}

void *client(void *arg)
{
    (void)arg;
begin_request:
    request = 1;
end_request:
    pthread_mutex_unlock(&ready);
    printf("client: asked\n");
    return NULL;
}

void *server(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&ready);
begin_answer:
    if (request) {
        usleep(1000);
        answer = 1;
    }
end_answer:
    printf("server: done\n");
    return NULL;
}

int main(void)
{
    pthread_t client_thread, server_thread;

    pthread_mutex_lock(&ready);
    pthread_create(&server_thread, NULL, server, NULL);
    pthread_create(&client_thread, NULL, client, NULL);
    pthread_join(client_thread, NULL);
    pthread_join(server_thread, NULL);
    return 0;
}
