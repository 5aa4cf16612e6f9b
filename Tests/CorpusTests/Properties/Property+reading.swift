// SPDX-License-Identifier: MIT
@testable import HTTPListening

extension Property {
  /// A head that passes the gate has one host, and one length at most. Its names are tokens, and another reader
  /// takes no byte of its target or its values for an end. The bytes become a line and fields by a lenient reading.
  static let requests = Property(name: "requests") { bytes in
    let limits = RequestLimits(target: 64, headerBytes: 256, headerFields: 6, body: 64)
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
    let first = lines.removeFirst().split(separator: 0x20, omittingEmptySubsequences: false)
    let method = String(decoding: first[0], as: UTF8.self)
    let target = first.count > 1 ? String(validating: first[1], as: UTF8.self) : nil
    let isVersion0 = first.last.map { $0.last == 0x30 } ?? false
    let fields = lines.map { line in
      let parts = line.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
      return (name: Array(parts[0]), value: parts.count > 1 ? Array(parts[1].drop { $0 == 0x20 }) : [])
    }
    var gate = RequestGate(method: method, target: target, isVersion0: isVersion0, limits: limits)
    for field in fields { gate.look(at: field.name.span, field.value.span) }
    gate.close()
    if gate.refusal == nil { try check(method, target, isVersion0, fields, limits) }
  }

  private static func check(
    _ method: String, _ target: String?, _ isVersion0: Bool, _ fields: [(name: [UInt8], value: [UInt8])],
    _ limits: RequestLimits
  ) throws {
    guard let target else { throw Violated("a target that is not UTF-8") }
    try want(!target.isEmpty && target.utf8.count <= limits.target, "a target of \(target.utf8.count) bytes")
    try want(target.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } && !target.contains("%00"), "a target '\(target)'")
    try want(fields.count <= limits.headerFields, "\(fields.count) fields")
    func count(_ name: String) -> Int {
      fields.count { String(decoding: $0.name, as: UTF8.self).lowercased() == name }
    }
    try want(count("content-length") + count("transfer-encoding") <= 1, "two lengths")
    try want(count("host") == 1 || isVersion0 && count("host") == 0, "\(count("host")) hosts")
    let separators = Array(#"(),/:;<=>?@[\]{}" "#.utf8)
    for name in [Array(method.utf8)] + fields.map(\.name) {
      try want(
        !name.isEmpty && name.allSatisfy { $0 > 0x20 && $0 < 0x7F && !separators.contains($0) }, "a name \(name)")
    }
    for field in fields {
      try want(field.value.allSatisfy { $0 == 9 || $0 >= 0x20 && $0 != 0x7F }, "a value \(field.value)")
    }
  }
}
