// race
#include <pthread.h>
#include <stdatomic.h>
struct cfg { int a, b; }; static struct cfg storage; static _Atomic(struct cfg *) instance; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct cfg *get(void){ struct cfg *p = atomic_load_explicit(&instance, memory_order_relaxed); if(!p){ pthread_mutex_lock(&m); p = atomic_load_explicit(&instance, memory_order_relaxed); if(!p){ storage.a=1; storage.b=2; p=&storage; atomic_store_explicit(&instance,p,memory_order_release);} pthread_mutex_unlock(&m);} return p; }
void *user(void *x){ struct cfg *c=get(); return (void*)(long)(c->a+c->b); }
int main(void){ pthread_t a,b; pthread_create(&a,0,user,0); pthread_create(&b,0,user,0); pthread_join(a,0); pthread_join(b,0); return 0; }
