int nondet_int(void);
int a;
int main(void){
again: a=nondet_int()&1;
 if (a==2) return 0;
 goto again; }