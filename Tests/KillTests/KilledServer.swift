// SPDX-License-Identifier: MIT
import Foundation
import Locking

/// A server process that is killed and started again, on one port and one store.
final class KilledServer: Sendable {
  let port: UInt16
  private let store: String
  private let options: [String]
  private let process: Locked<Process?>

  /// - Parameter options: The options of each process, as LedgerServer takes them.
  init(store: String, options: [String]) throws {
    self.store = store
    self.options = options
    let (first, port) = try Self.start(0, store, options)
    self.port = port
    process = Locked(first)
  }

  deinit {
    if let process = process.withLock({ $0 }) { kill(process.processIdentifier, SIGKILL) }
  }

  private static func start(_ port: UInt16, _ store: String, _ options: [String]) throws -> (Process, UInt16) {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("LedgerServer")
    process.arguments = ["\(port)", store] + options
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = UInt16(line.split(separator: "\n").first ?? "") else {
      throw NotStarted(description: "the server has not said its port: '\(line)'")
    }
    return (process, port)
  }

  struct NotStarted: Error, CustomStringConvertible { let description: String }

  /// Kills the process, unless it has died by itself, and starts the next one.
  ///
  /// - Parameter more: Further options of the next process.
  /// - Returns: Whether the process had died by itself.
  @discardableResult func replace(_ more: [String] = []) throws -> Bool {
    let old = process.withLock { $0 }
    let hasDied = old?.isRunning == false
    if let old {
      kill(old.processIdentifier, SIGKILL)
      old.waitUntilExit()
    }
    // Clients are there already, so a process that is to die may do so before it has printed its port. Then
    // another one starts without these options.
    let next = try (try? Self.start(port, store, options + more)) ?? Self.start(port, store, options)
    process.withLock { $0 = next.0 }
    return hasDied
  }

  /// Waits until the process has died by itself, at most for these seconds.
  func waitForDeath(seconds: Double) {
    guard let process = process.withLock({ $0 }) else { return }
    let isDead = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in isDead.signal() }
    if process.isRunning { _ = isDead.wait(timeout: .now() + seconds) }
  }
}
