union u {int a; char c[4];} x; int b;
int main(void){ while(1){ x.a=1-x.a; b=x.c[0]; } }