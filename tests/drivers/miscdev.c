/* A character device: a table of operations, a bit that says who has it open, a reference count. */
#include "kernel.h"
struct file; struct inode;
struct file_operations {
  int (*open)(struct inode *, struct file *);
  ssize_t (*write)(struct file *, const char *, size_t, long long *);
  int (*release)(struct inode *, struct file *);
  long (*ioctl)(struct file *, unsigned int, unsigned long);
};
struct inode { int minor; };
struct file { void *private_data; const struct file_operations *f_op; };
struct device { struct kref kref; unsigned long is_open; int users, dead; size_t level; struct list_head list; };
static struct device *the_device;
static LIST_HEAD(devices);
int opens, writers, freed, refused;
static void device_release(struct kref *kref)
{
  struct device *d = container_of(kref, struct device, kref);
  list_del(&d->list);
  d->dead = 1;
  freed++;
}
static int dev_open(struct inode *inode, struct file *file)
{
  struct device *d = the_device;
  if (test_and_set_bit(0, &d->is_open)) {
    refused = 1;
    return -EBUSY;
  }
  kref_get(&d->kref);
  file->private_data = d;
  d->users++;
  opens = d->users;
  printk("<6>%s: minor %d opened\n", "miscdev", inode->minor);
  return 0;
}
static ssize_t dev_write(struct file *file, const char *buffer, size_t count, long long *ppos)
{
  struct device *d = file->private_data;
  size_t chunk = min_t(size_t, count, sizeof(long) * 2);
  if (unlikely(!chunk))
    return -EINVAL;
  d->level = max(d->level, chunk);
  *ppos += chunk;
  return chunk;
}
static int dev_release(struct inode *inode, struct file *file)
{
  struct device *d = file->private_data;
  d->users--;
  opens = d->users;
  clear_bit(0, &d->is_open);
  kref_put(&d->kref, device_release);
  return 0;
}
static long dev_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
  switch (command) {
  case 0x5401 ... 0x5403: return argument ? 0 : -EINVAL;
  case _Alignof(int): return 1;
  default: return -ENODEV;
  }
}
static const struct file_operations fops = { .open = dev_open, .write = dev_write, .release = dev_release, .ioctl = dev_ioctl };
static void *user(void *unused)
{
  struct inode inode = { .minor = 1 };
  struct file file = { .f_op = &fops };
  long long position = 0;
  if (file.f_op->open(&inode, &file) == 0) {
    if (file.f_op->write)
      file.f_op->write(&file, "x", 24, &position);
    file.f_op->release(&inode, &file);
  }
  return NULL;
}
int main(void)
{
  pthread_t a, b;
  struct device *d = kmalloc(sizeof(*d), GFP_KERNEL);
  if (!d)
    return -ENOMEM;
  kref_init(&d->kref);
  d->is_open = 0;
  d->users = d->dead = 0;
  d->level = 0;
  list_add_tail(&d->list, &devices);
  the_device = d;
  pthread_create(&a, NULL, user, NULL);
  pthread_create(&b, NULL, user, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  kref_put(&d->kref, device_release);
  return 0;
}
