int nondet_int(void);
int t; int main(void){ int x=0; while(1){ 
b_a: x=nondet_int()&1; while(x==1) { x = 1+(nondet_int()&1); t=x; }
e_a: ; } }