// SPDX-License-Identifier: MIT
import Glibc

/// Which file a name leads to: another one if the file was replaced, and none if it was removed.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let inode: UInt64

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}
