int nondet_int(void);
int main(void){ int x=0; while(1){ 
b_a: x=nondet_int()&1; if(x) continue;
e_a: ; } }