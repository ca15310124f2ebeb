int nondet_int(void);
int a,b; int main(void){ while(1){ a=nondet_int()&3; if(a==3) { err: ; } b = a==2; } }