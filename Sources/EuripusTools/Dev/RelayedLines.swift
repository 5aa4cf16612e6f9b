// SPDX-License-Identifier: MIT
import Foundation
import Locking

/// The lines that a child process writes, passed on as they come, and kept.
final class RelayedLines: Sendable {
  let pipe = Pipe()
  private let target: FileHandle
  private let hear: @Sendable (String) -> Void
  private let kept = Locked<[String]>([])
  private let isOver = DispatchSemaphore(value: 0)

  /// - Parameter hear: gets each line, on a thread of its own.
  init(to target: FileHandle, hear: @escaping @Sendable (String) -> Void = { _ in }) {
    (self.target, self.hear) = (target, hear)
  }

  /// Passes the lines on from now on. The child has begun.
  func begin() {
    let (input, target) = (pipe.fileHandleForReading, target)
    try? pipe.fileHandleForWriting.close()
    Thread.detachNewThread { [self] in
      var rest = Data()
      while case let data = input.availableData, !data.isEmpty {
        try? target.write(contentsOf: data)
        rest.append(data)
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          take(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
          rest = Data(rest[rest.index(after: end)...])
        }
      }
      if !rest.isEmpty { take(String(decoding: rest, as: UTF8.self)) }
      isOver.signal()
    }
  }

  /// Waits for the last line. To be called once, after the child's end.
  func finish() { isOver.wait() }

  var all: [String] { kept.withLock { $0 } }

  private func take(_ line: String) {
    kept.withLock { lines in
      lines.append(line)
      if lines.count > 2_000 { lines.removeFirst(1_000) }
    }
    hear(line)
  }
}
