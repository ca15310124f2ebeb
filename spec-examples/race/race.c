/* Two players race. Each sets its flag and the score: 10 if player 1 wins, -10 if player 2 does. The
 * slower one's score must stay, because it has seen what the other did.
 *
 * Flag and score are set one after the other, so a player who has shown the flag may still overwrite the
 * score of one who came later. With -DFAIR a lock keeps them together. */
#include <pthread.h>
#include <stdio.h>

int score = 0;
#ifdef FAIR
pthread_mutex_t line = PTHREAD_MUTEX_INITIALIZER;
#endif

int is_set(int flag)
{
    return flag != 0;
}

int first_leads(int points)
{
    return points == 10;
}

void *player1(void *arg)
{
    int f = 0;

    (void)arg;
start1:
#ifdef FAIR
    pthread_mutex_lock(&line);
#endif
    f = 1;
    score = 10;
#ifdef FAIR
    pthread_mutex_unlock(&line);
#endif
finish1:
    return NULL;
}

void *player2(void *arg)
{
    int f = 0;

    (void)arg;
start2:
#ifdef FAIR
    pthread_mutex_lock(&line);
#endif
    f = 1;
    score = -10;
#ifdef FAIR
    pthread_mutex_unlock(&line);
#endif
finish2:
    return NULL;
}

int main(void)
{
    pthread_t first, second;

    pthread_create(&first, NULL, player1, NULL);
    pthread_create(&second, NULL, player2, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("score: %d\n", score);
    return 0;
}
