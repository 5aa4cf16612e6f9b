// SPDX-License-Identifier: MIT
import Buffers
import Glibc

/// Reads a request head, in whatever pieces it comes, and refuses what is not exactly RFC 9112.
///
/// Strict where a recipient may be lenient: what two programs in a row read differently lets a request be smuggled. A
/// line ends with CR and LF and with nothing else; one empty line before the head is let pass (§2.2).
struct HeadReader {
  private(set) var semantics = FieldSemantics()
  /// Where the line that is being read begins, and up to where its end was looked for.
  private var lineStart = 0
  private var searched = 0
  /// Where the fields begin; 0 until the request line was read.
  private var fieldsStart = 0
  private var sawEmptyLine = false

  /// Takes bytes up to the end of the head.
  ///
  /// - Returns: how many were taken, and whether the head is complete.
  mutating func read(
    _ input: UnsafeBufferPointer<UInt8>, into head: RequestHead, _ limits: RequestLimits
  ) throws(HTTPRefusal) -> (taken: Int, isComplete: Bool) {
    let before = head.bytes.count
    head.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: input.prefix(Self.longest(limits) - before)))
    let isComplete = try readLines(head.bytes.elements, head, limits)
    if isComplete { head.bytes.removeAll(from: lineStart) }
    return (head.bytes.count - before, isComplete)
  }

  /// More than any head that is within the limits has, so that what is kept of an endless one is bounded.
  private static func longest(_ limits: RequestLimits) -> Int { limits.target + limits.headerBytes + 128 }

  private mutating func readLines(
    _ all: UnsafeBufferPointer<UInt8>, _ head: RequestHead, _ limits: RequestLimits
  ) throws(HTTPRefusal) -> Bool {
    while let end = lineEnd(in: all) {
      if fieldsStart == 0 { try checkBeginning(UnsafeBufferPointer(rebasing: all[lineStart..<end])) }
      guard end > lineStart, all[end - 1] == 0x0D else { throw .malformedLineEnd }
      let start = lineStart
      let line = UnsafeBufferPointer(rebasing: all[start..<end - 1])
      lineStart = end + 1
      searched = lineStart
      if fieldsStart == 0 {
        if line.isEmpty, !sawEmptyLine {
          sawEmptyLine = true
          continue
        }
        try RequestLine.read(line, at: start, into: head, limits)
        fieldsStart = lineStart
      } else if line.isEmpty {
        try semantics.check(head, limits)
        return true
      } else {
        guard lineStart - fieldsStart <= limits.headerBytes else { throw .headersTooLarge(limit: limits.headerBytes) }
        try readField(line, at: start, head, limits)
      }
    }
    searched = all.count
    try checkUnfinished(UnsafeBufferPointer(rebasing: all[lineStart...]), limits)
    return false
  }

  private func lineEnd(in all: UnsafeBufferPointer<UInt8>) -> Int? {
    guard searched < all.count, let start = all.baseAddress else { return nil }
    return memchr(start + searched, 0x0A, all.count - searched).map { UnsafeRawPointer($0) - UnsafeRawPointer(start) }
  }

  /// A line without its end, of which nothing would be known for long.
  private func checkUnfinished(_ line: UnsafeBufferPointer<UInt8>, _ limits: RequestLimits) throws(HTTPRefusal) {
    guard let first = line.first else { return }
    if fieldsStart == 0 {
      try checkBeginning(line)
      try RequestLine.checkUnfinished(line, limits)
    } else if lineStart - fieldsStart + line.count > limits.headerBytes, line.count > 1 || first != 0x0D {
      throw .headersTooLarge(limit: limits.headerBytes)
    }
  }

  /// Refuses at its first byte what cannot become a request line nor an empty one, such as a hello of TLS.
  private func checkBeginning(_ line: UnsafeBufferPointer<UInt8>) throws(HTTPRefusal) {
    guard let first = line.first, !isTokenByte(first) else { return }
    guard first == 0x0D, line.count == 1, !sawEmptyLine else { throw .malformedRequestLine }
  }

  private mutating func readField(
    _ line: UnsafeBufferPointer<UInt8>, at start: Int, _ head: RequestHead, _ limits: RequestLimits
  ) throws(HTTPRefusal) {
    guard line[0] != 0x20, line[0] != 0x09 else { throw .foldedField }
    guard head.fields.count < limits.headerFields else { throw .tooManyFields(limit: limits.headerFields) }
    let nameEnd = line.firstIndex { !isTokenByte($0) } ?? line.count
    guard nameEnd > 0, nameEnd < line.count, line[nameEnd] == 0x3A else { throw .malformedField }
    var valueStart = nameEnd + 1
    var valueEnd = line.count
    while valueStart < valueEnd, isWhiteSpace(line[valueStart]) { valueStart += 1 }
    while valueEnd > valueStart, isWhiteSpace(line[valueEnd - 1]) { valueEnd -= 1 }
    let value = UnsafeBufferPointer(rebasing: line[valueStart..<valueEnd])
    guard isFieldContent(value) else { throw .malformedField }
    let name = UnsafeBufferPointer(rebasing: line[..<nameEnd])
    head.append(
      RequestHead.Field(
        nameStart: UInt32(truncatingIfNeeded: start), nameEnd: UInt32(truncatingIfNeeded: start + nameEnd),
        valueStart: UInt32(truncatingIfNeeded: start + valueStart),
        valueEnd: UInt32(truncatingIfNeeded: start + valueEnd)), name)
    try semantics.note(name, value, head)
  }
}
