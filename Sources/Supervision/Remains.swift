// SPDX-License-Identifier: MIT

/// What the shared memory has of a server that is dead.
struct Remains: Equatable {
  /// What its handler of deadly signals has written.
  struct Crash: Equatable {
    var signal: Int32
    var code: Int32
    var address: UInt64
    /// Where the code was.
    var instruction: UInt64
    /// Addresses to return to, from the innermost on; the handler's own are among them.
    var frames: [UInt64]
    var modules: [Module]
  }

  /// A program or library that it had loaded.
  struct Module: Equatable {
    /// Empty for the program itself.
    var path: String
    /// What is to be taken from an address to find it in the file.
    var bias: UInt64
    var addresses: Range<UInt64>
  }

  /// Something that was noted as at work: a method and a path.
  struct Work: Equatable {
    var mark: UInt64
    var text: String
  }

  var crash: Crash?
  /// What the thread was at that the deadly signal came to.
  var culprit: Work?
  /// What the others were at, or all if it is not known which one it was.
  var others: [Work] = []
}
