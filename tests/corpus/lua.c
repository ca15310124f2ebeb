/* Runs a Lua script, with a hook that counts instructions. */
#include <stdio.h>
#include "lua.h"
#include "lauxlib.h"
#include "lualib.h"

unsigned long steps;
int failures;

static void hook(lua_State *L, lua_Debug *what) {
    (void)L;
    (void)what;
    steps += 100;
}

int main(int argc, char **argv) {
    lua_State *L = luaL_newstate();
    int i;
    if (!L) return 2;
    luaL_openlibs(L);
    lua_sethook(L, hook, LUA_MASKCOUNT, 100);
    for (i = 1; i < argc; i++) {
        if (luaL_dofile(L, argv[i])) {
            printf("error: %s\n", lua_tostring(L, -1));
            failures++;
        }
    }
    lua_close(L);
    printf("%lu steps, %d failures\n", steps, failures);
    return failures;
}
