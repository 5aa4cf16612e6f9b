// SPDX-License-Identifier: MIT
#include "faulty_files.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static sqlite3_vfs shim;
static sqlite3_vfs *real_vfs;

static long calls, fails_at;
static enum faulty_kind fails_how;
static bool fails_on, has_failed;
static char synced[512];

// The real file stands after it.
struct faulty_file {
  sqlite3_file base;
  char path[512];
};

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((struct faulty_file *)file + 1); }

// Counts a call. Returns whether it is to fail.
static bool is_to_fail(bool needs_room) {
  calls++;
  if (fails_at == 0 || calls < fails_at || (calls > fails_at && !fails_on)) return false;
  if (fails_how == FAULTY_FULL && !needs_room) return false;
  has_failed = true;
  return true;
}

static int failure(int code) { return fails_how == FAULTY_FULL ? SQLITE_FULL : code; }

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int file_read(sqlite3_file *file, void *to, int count, sqlite3_int64 offset) {
  if (is_to_fail(false)) return failure(SQLITE_IOERR_READ);
  return real(file)->pMethods->xRead(real(file), to, count, offset);
}

static int file_write(sqlite3_file *file, const void *from, int count, sqlite3_int64 offset) {
  if (is_to_fail(true)) {
    if (fails_how == FAULTY_TORN) real(file)->pMethods->xWrite(real(file), from, count / 2, offset);
    return failure(SQLITE_IOERR_WRITE);
  }
  return real(file)->pMethods->xWrite(real(file), from, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  if (is_to_fail(false)) return failure(SQLITE_IOERR_TRUNCATE);
  return real(file)->pMethods->xTruncate(real(file), size);
}

static int copy_synced(const char *path) {
  const char *name = strrchr(path, '/');
  char copy[1100];
  snprintf(copy, sizeof copy, "%s/%s", synced, name ? name + 1 : path);
  int from = open(path, O_RDONLY | O_CLOEXEC), to = open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  bool done = from >= 0 && to >= 0;
  ssize_t count = 1;
  while (done && (count = sendfile(to, from, NULL, 1 << 20)) > 0) {}
  if (to >= 0) close(to);
  // A descriptor of the database that is closed here would give up SQLite's locks on it: one is kept instead.
  (void)from;
  return done && count == 0 ? SQLITE_OK : SQLITE_IOERR_FSYNC;
}

static int file_sync(sqlite3_file *file, int flags) {
  if (is_to_fail(false)) return failure(SQLITE_IOERR_FSYNC);
  int code = real(file)->pMethods->xSync(real(file), flags);
  if (code == SQLITE_OK && synced[0] && ((struct faulty_file *)file)->path[0])
    return copy_synced(((struct faulty_file *)file)->path);
  return code;
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
  if (is_to_fail(true)) return failure(SQLITE_IOERR_SHMMAP);
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
  (void)vfs;
  struct faulty_file *faulty = (struct faulty_file *)file;
  file->pMethods = NULL;
  if (is_to_fail(true)) return failure(SQLITE_CANTOPEN);
  snprintf(faulty->path, sizeof faulty->path, "%s", path ? path : "");
  int code = real_vfs->xOpen(real_vfs, path, real(file), flags, flags_out);
  if (code == SQLITE_OK) file->pMethods = &methods;
  return code;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int sync_directory) {
  (void)vfs;
  if (is_to_fail(false)) return failure(SQLITE_IOERR_DELETE);
  return real_vfs->xDelete(real_vfs, path, sync_directory);
}

int faulty_files_register(void) {
  if (real_vfs) return SQLITE_OK;
  sqlite3_initialize();
  real_vfs = sqlite3_vfs_find(NULL);
  if (!real_vfs) return SQLITE_ERROR;
  shim = *real_vfs;
  shim.pNext = NULL;
  shim.zName = "faulty";
  shim.szOsFile = (int)sizeof(struct faulty_file) + real_vfs->szOsFile;
  shim.xOpen = vfs_open;
  shim.xDelete = vfs_delete;
  return sqlite3_vfs_register(&shim, 0);
}

void faulty_files_fail(long nth, enum faulty_kind kind, bool stays) {
  calls = 0;
  fails_at = nth;
  fails_how = kind;
  fails_on = stays;
  has_failed = false;
}

long faulty_files_calls(void) { return calls; }
bool faulty_files_failed(void) { return has_failed; }

void faulty_files_keep_synced(const char *directory) { snprintf(synced, sizeof synced, "%s", directory ? directory : ""); }
