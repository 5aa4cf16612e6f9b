// SPDX-License-Identifier: MIT
#include "faulty_files.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

struct faulty_files {
  sqlite3_vfs vfs;
  pthread_mutex_t mutex;  // of all members after it
  long calls, fails_at, fails_for, failures;
  enum faulty_kind fails_how;
  char synced[512];
};

// The lock for making layers. They are few: each is made once for its name, and stays.
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static sqlite3_vfs *real_vfs;

// A file of a layer. The real file stands behind it in memory.
struct faulty_file {
  sqlite3_file base;
  struct faulty_files *files;
  char path[512];
};

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((struct faulty_file *)file + 1); }
static struct faulty_files *layer(sqlite3_file *file) { return ((struct faulty_file *)file)->files; }

// Counts a call. Returns the code with which it has to fail, or 0.
static int failure(struct faulty_files *files, int code, bool needs_room) {
  pthread_mutex_lock(&files->mutex);
  long since = ++files->calls - files->fails_at;
  bool fails = files->fails_for > 0 && since >= 0 && since < files->fails_for;
  if (files->fails_how == FAULTY_FULL) {
    fails = fails && needs_room;
    code = SQLITE_FULL;
  }
  if (fails) files->failures++;
  pthread_mutex_unlock(&files->mutex);
  return fails ? code : SQLITE_OK;
}

static bool is_torn(struct faulty_files *files) {
  pthread_mutex_lock(&files->mutex);
  bool torn = files->fails_how == FAULTY_TORN;
  pthread_mutex_unlock(&files->mutex);
  return torn;
}

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int file_read(sqlite3_file *file, void *to, int count, sqlite3_int64 offset) {
  int code = failure(layer(file), SQLITE_IOERR_READ, false);
  if (code) return code;
  return real(file)->pMethods->xRead(real(file), to, count, offset);
}

static int file_write(sqlite3_file *file, const void *from, int count, sqlite3_int64 offset) {
  int code = failure(layer(file), SQLITE_IOERR_WRITE, true);
  if (code && is_torn(layer(file))) real(file)->pMethods->xWrite(real(file), from, count / 2, offset);
  if (code) return code;
  return real(file)->pMethods->xWrite(real(file), from, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int code = failure(layer(file), SQLITE_IOERR_TRUNCATE, false);
  if (code) return code;
  return real(file)->pMethods->xTruncate(real(file), size);
}

static int copy_synced(struct faulty_files *files, const char *path) {
  const char *name = strrchr(path, '/');
  char copy[1100];
  pthread_mutex_lock(&files->mutex);
  bool is_kept = files->synced[0] && path[0];
  snprintf(copy, sizeof copy, "%s/%s", files->synced, name ? name + 1 : path);
  pthread_mutex_unlock(&files->mutex);
  if (!is_kept) return SQLITE_OK;
  int from = open(path, O_RDONLY | O_CLOEXEC), to = open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  bool done = from >= 0 && to >= 0;
  ssize_t count = 1;
  while (done && (count = sendfile(to, from, NULL, 1 << 20)) > 0) {}
  if (to >= 0) close(to);
  // To close a descriptor of the database would give up SQLite's locks on it. So this one stays open.
  (void)from;
  return done && count == 0 ? SQLITE_OK : SQLITE_IOERR_FSYNC;
}

static int file_sync(sqlite3_file *file, int flags) {
  int code = failure(layer(file), SQLITE_IOERR_FSYNC, false);
  if (code == SQLITE_OK) code = real(file)->pMethods->xSync(real(file), flags);
  return code == SQLITE_OK ? copy_synced(layer(file), ((struct faulty_file *)file)->path) : code;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) { return real(file)->pMethods->xFileSize(real(file), size); }
static int file_lock(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }
static int file_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }
static int file_check(sqlite3_file *file, int *is_reserved) {
  return real(file)->pMethods->xCheckReservedLock(real(file), is_reserved);
}
static int file_control(sqlite3_file *file, int op, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), op, argument);
}
static int file_sector(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }
static int file_traits(sqlite3_file *file) { return real(file)->pMethods->xDeviceCharacteristics(real(file)); }

static int file_map(sqlite3_file *file, int region, int size, int extend, void volatile **memory) {
  int code = failure(layer(file), SQLITE_IOERR_SHMMAP, true);
  if (code) return code;
  return real(file)->pMethods->xShmMap(real(file), region, size, extend, memory);
}
static int file_map_lock(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
static void file_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int file_unmap(sqlite3_file *file, int remove) { return real(file)->pMethods->xShmUnmap(real(file), remove); }

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_traits,
    .xShmMap = file_map,
    .xShmLock = file_map_lock,
    .xShmBarrier = file_barrier,
    .xShmUnmap = file_unmap,
};

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *flags_out) {
  struct faulty_file *faulty = (struct faulty_file *)file;
  file->pMethods = NULL;
  faulty->files = vfs->pAppData;
  // A full disk has no room for what is written into a file, and room for its name.
  int code = failure(faulty->files, SQLITE_CANTOPEN, false);
  if (code) return code;
  snprintf(faulty->path, sizeof faulty->path, "%s", path ? path : "");
  code = real_vfs->xOpen(real_vfs, path, real(file), flags, flags_out);
  if (code == SQLITE_OK) file->pMethods = &methods;
  return code;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int sync_directory) {
  int code = failure(vfs->pAppData, SQLITE_IOERR_DELETE, false);
  return code ? code : real_vfs->xDelete(real_vfs, path, sync_directory);
}

struct faulty_files *faulty_files_named(const char *name) {
  pthread_mutex_lock(&making);
  sqlite3_initialize();
  if (!real_vfs) real_vfs = sqlite3_vfs_find(NULL);
  sqlite3_vfs *known = sqlite3_vfs_find(name);
  struct faulty_files *files = known ? known->pAppData : calloc(1, sizeof *files);
  if (!known && files && real_vfs) {
    files->vfs = *real_vfs;
    files->vfs.pNext = NULL;
    files->vfs.zName = strdup(name);
    files->vfs.pAppData = files;
    files->vfs.szOsFile = (int)sizeof(struct faulty_file) + real_vfs->szOsFile;
    files->vfs.xOpen = vfs_open;
    files->vfs.xDelete = vfs_delete;
    pthread_mutex_init(&files->mutex, NULL);
    if (sqlite3_vfs_register(&files->vfs, 0) != SQLITE_OK) files = NULL;
  }
  pthread_mutex_unlock(&making);
  return files;
}

void faulty_files_fail(struct faulty_files *files, long nth, enum faulty_kind kind, long count) {
  pthread_mutex_lock(&files->mutex);
  files->calls = files->failures = 0;
  files->fails_at = nth;
  files->fails_for = count;
  files->fails_how = kind;
  pthread_mutex_unlock(&files->mutex);
}

static long read_count(struct faulty_files *files, const long *count) {
  pthread_mutex_lock(&files->mutex);
  long now = *count;
  pthread_mutex_unlock(&files->mutex);
  return now;
}

long faulty_files_calls(struct faulty_files *files) { return read_count(files, &files->calls); }
long faulty_files_failures(struct faulty_files *files) { return read_count(files, &files->failures); }

void faulty_files_keep_synced(struct faulty_files *files, const char *directory) {
  pthread_mutex_lock(&files->mutex);
  snprintf(files->synced, sizeof files->synced, "%s", directory ? directory : "");
  pthread_mutex_unlock(&files->mutex);
}
