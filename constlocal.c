int nondet_int(void);
int b,r;
int main(void){ r=0; while(1){ const int k=nondet_int()&1; r=r<3?r+1:3; int go_=1; while(go_){ go_=nondet_int()&1; b=k; } } }