// SPDX-License-Identifier: MIT
import Buffers

@testable import HTTPListening

extension Property {
  /// The requests in what a client sends are the same in whatever pieces it comes, and are within their limits; none has
  /// two lengths, and no field of one has a byte in it that another reader could take for an end.
  static let requests = Property(name: "requests") { bytes in
    let limits = RequestLimits(target: 64, headerBytes: 256, headerFields: 6, body: 64)
    let whole = try read(bytes, pieces: bytes.count + 1, limits)
    for pieces in [1, 2, 7] {
      let other = try read(bytes, pieces: pieces, limits)
      try want(other == whole, "in pieces of \(pieces) they are \(other), at once \(whole)")
    }
  }

  private struct Sent: Equatable {
    var heads: [[UInt8]] = []
    var targets: [[UInt8]] = []
    var bodies: [[UInt8]] = []
    var isRefused = false
  }

  private static func read(_ bytes: [UInt8], pieces: Int, _ limits: RequestLimits) throws -> Sent {
    var reader = RequestReader(limits: limits)
    var sent = Sent()
    var position = 0
    while position < bytes.count {
      let piece = bytes[position..<min(position + pieces, bytes.count)]
      let (taken, progress) = Array(piece).withUnsafeBufferPointer { reader.read($0) }
      position += taken
      switch progress {
      case .incomplete: try want(taken == piece.count, "\(taken) of \(piece.count) bytes were taken")
      case .complete:
        try want(taken > 0, "a request without a byte")
        try check(reader, limits)
        sent.heads.append([UInt8](reader.head.bytes))
        sent.targets.append(reader.head.target)
        sent.bodies.append([UInt8](reader.body))
        reader.next()
      case .refused:
        sent.isRefused = true
        return sent
      }
    }
    return sent
  }

  private static func check(_ reader: borrowing RequestReader, _ limits: RequestLimits) throws {
    let head = reader.head
    try want(head.target.count <= limits.target, "a target of \(head.target.count) bytes")
    try want(head.fields.count <= limits.headerFields, "\(head.fields.count) fields")
    let length = reader.body.count
    try want(length <= limits.body, "a body of \(length) bytes")
    try want(head.count("Content-Length") + head.count("Transfer-Encoding") <= 1, "two lengths")
    try want(head.count("Host") <= 1, "two hosts")
    let separators = Array(#"(),/:;<=>?@[\]{}" "#.utf8)
    for field in head.fields.elements {
      let name = head.bytes.elements[Int(field.nameStart)..<Int(field.nameEnd)]
      let value = head.bytes.elements[Int(field.valueStart)..<Int(field.valueEnd)]
      try want(
        !name.isEmpty && name.allSatisfy { $0 > 0x20 && $0 < 0x7F && !separators.contains($0) }, "a name \(Array(name))"
      )
      try want(value.allSatisfy { $0 == 9 || $0 >= 0x20 && $0 != 0x7F }, "a value \(Array(value))")
    }
  }
}
