// Regression: what keeps the pointers in two structures, which a function without a body may change, had one name for both, and
// the model checker refused it. The function returns any value: 5 violates the formula for good.
struct firmware { int *image; int size; };
struct device { char *name; struct firmware *loaded; };
int load(struct device *device, struct firmware *firmware);
int result;
int main(void)
{
    struct device device = { 0 };
    struct firmware firmware = { 0 };
    result = load(&device, &firmware);
    return 0;
}
