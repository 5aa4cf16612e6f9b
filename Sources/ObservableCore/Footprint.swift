// SPDX-License-Identifier: MIT
import CRuntime

/// Where in memory that lies which an action in a session reaches, in about the order of that: a list of cache lines, which can
/// be asked for before they are needed.
///
/// A server of many sessions finds the next one in no cache. Each object that an action reaches then costs a wait for memory,
/// one after the other, as each says where the next one lies. Those that are asked for together come together; a processor
/// has some sixteen requests under way and forgets what is asked for beyond, so they are asked for in stages
/// (Decisions/0035).
///
/// It is made once, and not kept up to date: asking for memory that is something else by now does no harm.
// @unchecked Sendable: its lines are written while it is made, by who makes it.
package struct Footprint: ~Copyable, @unchecked Sendable {
  /// How far an action is when the lines of a stage are asked for.
  package enum Stage: Int, CaseIterable, Sendable {
    /// The session was found; the request is yet to be read.
    case found
    /// Its turn is about to be taken.
    case entering
    /// It is about to change.
    case changing
    /// The view model is about to be called.
    case performing
  }

  static let linesOfStage = 16
  private static let most = Stage.allCases.count * linesOfStage
  private static let lineBytes = 64
  /// Of one object no more is taken: an action reaches a few fields of a large one.
  private static let mostBytes = 512

  /// The first line, by its number.
  private var first = 0
  /// How many lines each is from the first: one that is too far away is left out. In lines of their own, so that one is
  /// read for each stage, and without a count of references, which would be written.
  private let lines: UnsafeMutableBufferPointer<Int32>
  private var count = 0

  package init() {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.most * MemoryLayout<Int32>.stride, alignment: Self.lineBytes)
    lines = memory.bindMemory(to: Int32.self)
    lines.initialize(repeating: 0)
  }

  deinit { lines.deallocate() }

  var isFull: Bool { count == Self.most }

  var distances: [Int32] { Array(lines[..<count]) }

  /// Adds an object, up to so many bytes of it.
  package mutating func add(_ object: AnyObject, bytes: Int = .max) {
    let start = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    add(start, bytes: min(bytes, euripus_allocated_bytes(start)))
  }

  /// Adds the elements of an array, and what it knows of them.
  package mutating func add<Element>(_ array: [Element]) {
    array.withUnsafeBytes { bytes in
      // Where there are none yet there may be room for some.
      if let start = bytes.baseAddress { add(start - Self.arrayHeader, bytes: Self.arrayHeader + max(1, bytes.count)) }
    }
  }

  private static let arrayHeader = 32

  mutating func add(_ start: UnsafeRawPointer, bytes: Int) {
    let address = Int(bitPattern: start)
    let last = address + min(max(1, bytes), Self.mostBytes) - 1
    for line in address / Self.lineBytes...last / Self.lineBytes {
      if isFull { return }
      if count == 0 { first = line }
      guard let distance = Int32(exactly: line - first), !lines[..<count].contains(distance) else { continue }
      lines[count] = distance
      count += 1
    }
  }

  /// Whether the line of an address is among those of a stage: for tests, as asking for a line leaves no trace.
  func has(_ address: UnsafeRawPointer, in stage: Stage) -> Bool {
    lines[range(of: stage)].contains { Int($0) == Int(bitPattern: address) / Self.lineBytes - first }
  }

  /// Asks for the lines of a stage, without waiting for them; in the first stage for its own list as well.
  package func prefetch(_ stage: Stage) {
    guard let start = lines.baseAddress else { return }
    let range = range(of: stage)
    if stage == .found { euripus_prefetch_next_lines(start, Stage.allCases.count - 1) }
    euripus_prefetch_lines(UInt(bitPattern: first), start + range.lowerBound, range.count)
  }

  private func range(of stage: Stage) -> Range<Int> {
    let start = min(stage.rawValue * Self.linesOfStage, count)
    return start..<min(start + Self.linesOfStage, count)
  }
}

/// What knows where its parts lie.
package protocol HasFootprint {
  /// Adds what an action reaches of it.
  func addFootprint(to footprint: inout Footprint)
}
