// SPDX-License-Identifier: MIT

/// What a node is called and where it was made: how errors and traces name it.
///
/// All of it points into the program's own text, so that a node carries 20 bytes of it.
public struct Origin: CustomStringConvertible {
  private let nameStart: UnsafePointer<UInt8>
  private let fileStart: UnsafePointer<UInt8>
  /// The line of the source file.
  public let line: Int

  init(name: UnsafePointer<UInt8>, file: UnsafePointer<UInt8>, line: UInt32) {
    nameStart = name
    fileStart = file
    self.line = Int(line)
  }

  /// What the node was called; empty if nothing.
  public var name: String { String(cString: nameStart) }
  /// `#fileID`: the module and the file.
  public var file: String { String(cString: fileStart) }

  /// `usernameValid (Login/LoginViewModel.swift:12)`, or the place alone for a node without a name.
  public var description: String { nameStart.pointee == 0 ? "\(file):\(line)" : "\(name) (\(file):\(line))" }
}
