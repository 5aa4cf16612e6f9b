// SPDX-License-Identifier: MIT
import Glibc

/// A program, as its file was when it was opened. A file that replaces it later does not count.
struct ProgramFile {
  private let descriptor: Int32
  /// A path that leads to the file until it is closed (proc(5)).
  let path: String

  /// The program of this process.
  static let own = ProgramFile(descriptor: -1, path: "/proc/self/exe")

  private init(descriptor: Int32, path: String) { (self.descriptor, self.path) = (descriptor, path) }

  /// The program whose file is now at a path.
  init(at path: String) throws(SupervisionError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("opening the program \(path)", errno) }
    self.init(descriptor: descriptor, path: "/proc/self/fd/\(descriptor)")
  }

  func close() { if descriptor >= 0 { Glibc.close(descriptor) } }
}
