// Preloaded into a process under test: stands between it and the files of one directory.
//   STORAGE_DIRECTORY  the directory; without it that of the file in DATABASE_URL
//   STORAGE_LOG        where every change of those files is recorded, in the order of the calls; none is without it
//   STORAGE_FAULT      while this file exists, calls on them fail: `<w|s|t|c…> <errno>`, such as `wt 28`
//                      (w writes, s syncs, t truncations, c new files); with 0 they do nothing and say that they did
//   STORAGE_DEATH      the process is killed instead of making its n-th change of those files
// A record is: kind, length of the name (1 byte each), length of the data (4 bytes), offset or size (8 bytes), name, data.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES_MAX 65536
#define NAME_MAX_BYTES 128

static char directory[4096];
static size_t directory_length;
static const char *fault_path;
static int log_file = -1;
static long changes_left = 0;
// By file descriptor: the name below the directory, `.` for the directory itself, empty for every other file.
static char names[FILES_MAX][NAME_MAX_BYTES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int (*real_open)(const char *, int, ...);
static int (*real_close)(int);
static int (*real_unlink)(const char *);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_ftruncate)(int, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);

__attribute__((constructor)) static void start(void) {
  real_open = dlsym(RTLD_NEXT, "open64");
  real_close = dlsym(RTLD_NEXT, "close");
  real_unlink = dlsym(RTLD_NEXT, "unlink");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_write = dlsym(RTLD_NEXT, "write");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  fault_path = getenv("STORAGE_FAULT");
  const char *death = getenv("STORAGE_DEATH");
  if (death != NULL) changes_left = atol(death);
  const char *log_path = getenv("STORAGE_LOG");
  if (log_path != NULL) log_file = real_open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const char *wanted = getenv("STORAGE_DIRECTORY");
  const char *url = getenv("DATABASE_URL");
  if (wanted != NULL) snprintf(directory, sizeof directory, "%s", wanted);
  else if (url != NULL && strncmp(url, "sqlite:/", 8) == 0) {
    snprintf(directory, sizeof directory, "%s", url + 7);
    *strrchr(directory, '/') = 0;
  }
  directory_length = strlen(directory);
}

static const char *name_of_path(const char *path) {
  if (directory_length == 0 || strncmp(path, directory, directory_length) != 0) return "";
  if (path[directory_length] == 0) return ".";
  if (path[directory_length] != '/') return "";
  const char *name = path + directory_length + 1;
  return strlen(name) < NAME_MAX_BYTES ? name : "";
}

static const char *name_of_file(int file) { return file < 0 || file >= FILES_MAX ? "" : names[file]; }

// To be called before each change. Sets errno where the call is to fail.
static int fails(char kind) {
  if (changes_left > 0 && --changes_left == 0) kill(getpid(), SIGKILL);
  if (fault_path == NULL) return 0;
  int control = real_open(fault_path, O_RDONLY | O_CLOEXEC);
  if (control < 0) return 0;
  char text[64] = {0};
  ssize_t length = read(control, text, sizeof text - 1);
  real_close(control);
  char *space = length > 0 ? strchr(text, ' ') : NULL;
  if (space == NULL || memchr(text, kind, (size_t)(space - text)) == NULL) return 0;
  errno = atoi(space + 1);
  return 1;
}

static void record(char kind, const char *name, const void *data, size_t length, uint64_t place) {
  if (log_file < 0) return;
  uint8_t header[14] = {(uint8_t)kind, (uint8_t)strlen(name)};
  uint32_t data_length = (uint32_t)length;
  memcpy(header + 2, &data_length, sizeof data_length);
  memcpy(header + 6, &place, sizeof place);
  int before = errno;
  pthread_mutex_lock(&lock);
  if (real_write(log_file, header, sizeof header) != sizeof header ||
      real_write(log_file, name, strlen(name)) != (ssize_t)strlen(name) ||
      (length > 0 && real_write(log_file, data, length) != (ssize_t)length))
    abort();
  pthread_mutex_unlock(&lock);
  errno = before;
}

static int open_recorded(const char *path, int flags, mode_t mode) {
  const char *name = name_of_path(path);
  int is_new = *name != 0 && (flags & O_CREAT) && access(path, F_OK) != 0;
  if (is_new && fails('c') && errno != 0) return -1;
  int file = real_open(path, flags, mode);
  if (file < 0 || file >= FILES_MAX || *name == 0) return file;
  strcpy(names[file], name);
  if (is_new) record('c', name, NULL, 0, 0);
  if (!is_new && (flags & O_TRUNC)) record('t', name, NULL, 0, 0);
  return file;
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_recorded(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_recorded(path, flags, mode);
}

int close(int file) {
  if (file >= 0 && file < FILES_MAX) names[file][0] = 0;
  return real_close(file);
}

int unlink(const char *path) {
  const char *name = name_of_path(path);
  int result = real_unlink(path);
  if (result == 0 && *name != 0) record('u', name, NULL, 0, 0);
  return result;
}

static ssize_t put(int file, const void *data, size_t length, off_t place, int is_placed) {
  const char *name = name_of_file(file);
  if (*name != 0 && fails('w')) return errno == 0 ? (ssize_t)length : -1;
  if (*name != 0 && !is_placed) place = lseek(file, 0, SEEK_CUR);
  ssize_t written = is_placed ? real_pwrite(file, data, length, place) : real_write(file, data, length);
  if (*name != 0 && written > 0) record('w', name, data, (size_t)written, (uint64_t)place);
  return written;
}

ssize_t write(int file, const void *data, size_t length) { return put(file, data, length, 0, 0); }
ssize_t pwrite(int file, const void *data, size_t length, off_t place) { return put(file, data, length, place, 1); }
ssize_t pwrite64(int file, const void *data, size_t length, off_t place) { return put(file, data, length, place, 1); }

static int truncate_to(int file, off_t size) {
  const char *name = name_of_file(file);
  if (*name != 0 && fails('t')) return errno == 0 ? 0 : -1;
  int result = real_ftruncate(file, size);
  if (result == 0 && *name != 0) record('t', name, NULL, 0, (uint64_t)size);
  return result;
}

int ftruncate(int file, off_t size) { return truncate_to(file, size); }
int ftruncate64(int file, off_t size) { return truncate_to(file, size); }

static int sync_with(int (*sync)(int), int file) {
  const char *name = name_of_file(file);
  if (*name != 0 && fails('s')) return errno == 0 ? 0 : -1;
  int result = sync(file);
  if (result == 0 && *name != 0) record('s', name, NULL, 0, 0);
  return result;
}

int fsync(int file) { return sync_with(real_fsync, file); }
int fdatasync(int file) { return sync_with(real_fdatasync, file); }
