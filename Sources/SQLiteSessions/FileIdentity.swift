// SPDX-License-Identifier: MIT
import Glibc

/// The identity of the file that a name leads to.
///
/// It differs once the file was replaced. There is none once the file was removed.
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
