int nondet_int(void);
int a,b; int main(void){ while(1){ if (b) { err: ; } b = nondet_int()&1; } }