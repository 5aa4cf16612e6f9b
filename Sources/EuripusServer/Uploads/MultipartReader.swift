// SPDX-License-Identifier: MIT

/// Reads the files of `multipart/form-data` (RFC 7578) piece by piece. It holds no more of a form than a boundary or the
/// head of a part is long.
struct MultipartReader {
  enum Event: Equatable {
    /// A file begins. Its media type has no parameters, and is empty if there is none.
    case begin(name: String, type: String)
    case bytes([UInt8])
    case end
  }

  private enum Place {
    /// Before the first boundary, or in a field that is no file.
    case skipping
    /// After a boundary.
    case afterBoundary
    case head
    case file
    case over
  }

  /// A line break, two hyphens and the boundary.
  private let boundary: [UInt8]
  private var place = Place.skipping
  /// Bytes that are not read yet. The form's first boundary has no line break before it.
  private var rest: [UInt8] = [0x0D, 0x0A]

  private static let longestHead = 8_192

  /// - Parameter type: the `Content-Type` of the form.
  /// - Returns: `nil` without a boundary of 1 to 70 bytes (RFC 2046 §5.1.1).
  init?(_ type: String) {
    guard let boundary = DispositionParameters(type)["boundary"], (1...70).contains(boundary.utf8.count) else {
      return nil
    }
    self.boundary = Array("\r\n--\(boundary)".utf8)
  }

  /// Whether the last boundary has come.
  var isOver: Bool { if case .over = place { true } else { false } }

  /// - Throws: `bad-request` for a form that is malformed.
  mutating func read(_ piece: [UInt8]) throws(Problem) -> [Event] {
    var events: [Event] = []
    rest += piece
    while try step(&events) {}
    return events
  }

  /// - Returns: whether there may be another step with the bytes that are there.
  private mutating func step(_ events: inout [Event]) throws(Problem) -> Bool {
    switch place {
    case .over:
      rest = []
      return false
    case .skipping, .file:
      let isFile = if case .file = place { true } else { false }
      if let start = boundaryStart {
        if isFile {
          if start > 0 { events.append(.bytes(Array(rest[..<start]))) }
          events.append(.end)
        }
        rest.removeFirst(start + boundary.count)
        place = .afterBoundary
        return true
      }
      // The beginning of a boundary may stand at the end.
      let certain = rest.count - boundary.count - 1
      if certain > 0 {
        if isFile { events.append(.bytes(Array(rest[..<certain]))) }
        rest.removeFirst(certain)
      }
      return false
    case .afterBoundary:
      guard rest.count >= 2 else { return false }
      // A line break belongs to the empty line after the head, if there is no field.
      place = rest.starts(with: "--".utf8) ? .over : .head
      return true
    case .head:
      guard let end = Self.first(Array("\r\n\r\n".utf8), in: rest[...]) else {
        if rest.count > Self.longestHead { throw Problem(.badRequest, "the head of a part is too long") }
        return false
      }
      if end > Self.longestHead { throw Problem(.badRequest, "the head of a part is too long") }
      let head = String(decoding: rest[..<end], as: UTF8.self)
      // The line break before a boundary may be the one that ends the head.
      rest.removeFirst(end + 2)
      if let (name, type) = Self.file(head) {
        rest.removeFirst(2)
        events.append(.begin(name: name, type: type))
        place = .file
      } else {
        place = .skipping
      }
      return true
    }
  }

  /// The name and the type of the file of which this is the head; `nil` for a field that is no file, or has none.
  private static func file(_ head: String) -> (name: String, type: String)? {
    var (disposition, type) = ("", "")
    for line in head.split(separator: "\r\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      switch parts[0].trimmed.lowercased() {
      case "content-disposition": disposition = String(parts[1].trimmed)
      case "content-type": type = MediaType.name(of: String(parts[1].trimmed))
      default: break
      }
    }
    guard let name = UploadRequest.fileName(disposition), !name.isEmpty else { return nil }
    return (name, type)
  }

  /// The index at which a boundary begins; `nil` if there is none yet, or it is not sure to be one. A longer line that begins
  /// like a boundary is none.
  private var boundaryStart: Int? {
    var index = 0
    while let start = Self.first(boundary, in: rest[index...]) {
      let end = rest[(start + boundary.count)...].prefix(2)
      if end.count < 2 { return nil }
      if end.elementsEqual([0x0D, 0x0A]) || end.elementsEqual("--".utf8) { return start }
      index = start + 1
    }
    return nil
  }

  /// The index at which some bytes first stand.
  private static func first(_ wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    var index = bytes.startIndex
    while let found = bytes[index...].firstIndex(of: wanted[0]) {
      if bytes.endIndex - found < wanted.count { return nil }
      if bytes[found...].starts(with: wanted) { return found }
      index = found + 1
    }
    return nil
  }
}
