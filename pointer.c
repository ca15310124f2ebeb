int nondet_int(void);
int a,b; int *p=&a;
int main(void){ while(1){ *p=1-*p; p = nondet_int()? &a:&b; } }