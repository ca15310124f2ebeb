int nondet_int(void);
int a,b; int main(void){ while(1){ a=nondet_int()&1; if(a) b=!b;
tick: ; } }