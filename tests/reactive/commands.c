/* A player with a line of commands. */
#include <stdio.h>
#include <string.h>
enum { STOPPED, PLAYING, PAUSED } mode = STOPPED;
int track = 1, volume = 5, quit;
int main(void) {
    char cmd[80];
    while (!quit) {
        if (fgets(cmd, sizeof cmd, stdin) == NULL) { quit = 1; break; }
        cmd[strcspn(cmd, "\n")] = '\0';
        if (strcmp(cmd, "play") == 0) mode = PLAYING;
        else if (strcmp(cmd, "stop") == 0) mode = STOPPED;
        else if (strcmp(cmd, "pause") == 0) {
#ifndef BROKEN
            if (mode == PLAYING)
#endif
                mode = PAUSED;
        }
        else if (strcmp(cmd, "louder") == 0) { if (volume < 10) volume++; }
        else if (strcmp(cmd, "softer") == 0) {
#ifdef BROKEN
            volume--;
#else
            if (volume > 0) volume--;
#endif
        }
        else if (strcmp(cmd, "quit") == 0) quit = 1;
        else printf("what?\n");
    }
    return 0;
}
