// SPDX-License-Identifier: MIT

/// A position in a JSON text, and the grammar of RFC 8259 §2 to §5 from there on.
///
/// Each method starts at the first byte of its piece of text, and leaves `position` after the last byte.
struct JSONScanner {
  let bytes: [UInt8]
  private let limits: JSONLimits
  var position = 0
  private var nodes = 0

  init(bytes: [UInt8], limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// The byte at `position`. At the end it is 0, which begins nothing in JSON.
  var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

  func failure(_ expected: String, at offset: Int) -> JSONError { JSONError(expected, at: offset, in: bytes) }

  mutating func text() throws(JSONError) -> JSON {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw JSONError(offset: 0, expected: "a JSON value", found: "a byte order mark")
    }
    skipWhitespace()
    let value = try value(depth: 0)
    skipWhitespace()
    guard position == bytes.count else { throw failure("nothing after the value", at: position) }
    return value
  }

  /// Skips these four bytes and no others (RFC 8259 §2).
  private mutating func skipWhitespace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  /// One value inside `depth` open arrays and objects.
  private mutating func value(depth: Int) throws(JSONError) -> JSON {
    guard nodes < limits.nodes else {
      throw JSONError(offset: position, expected: "at most \(limits.nodes) values", found: "one more")
    }
    nodes += 1
    switch byte {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return .object(try members(depth: depth))
    case UInt8(ascii: "["): return .array(try elements(depth: depth))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: throw failure("a JSON value", at: position)
    }
  }

  private mutating func literal(_ text: String, _ value: JSON) throws(JSONError) -> JSON {
    for expected in text.utf8 {
      guard byte == expected else { throw failure(text, at: position) }
      position += 1
    }
    return value
  }

  /// Steps over the opening bracket of a container that is nested `depth` deep.
  private mutating func open(depth: Int) throws(JSONError) {
    guard depth < limits.depth else {
      throw JSONError(offset: position, expected: "at most \(limits.depth) levels of nesting", found: "one more")
    }
    position += 1
    skipWhitespace()
  }

  private mutating func elements(depth: Int) throws(JSONError) -> [JSON] {
    try open(depth: depth)
    var elements: [JSON] = []
    if byte == UInt8(ascii: "]") {
      position += 1
      return elements
    }
    while true {
      elements.append(try value(depth: depth + 1))
      if try closes(with: UInt8(ascii: "]"), "',' or ']'") { return elements }
    }
  }

  private mutating func members(depth: Int) throws(JSONError) -> [JSON.Member] {
    try open(depth: depth)
    var members: [JSON.Member] = []
    if byte == UInt8(ascii: "}") {
      position += 1
      return members
    }
    members.reserveCapacity(4)
    var names = NameIndex()
    while true {
      let start = position
      guard byte == UInt8(ascii: "\"") else { throw failure("a member's name in quotes", at: position) }
      let name = try string()
      guard names.isNew(name, among: members) else {
        throw JSONError(offset: start, expected: "a name that this object does not have yet", found: "a duplicate")
      }
      skipWhitespace()
      guard byte == UInt8(ascii: ":") else { throw failure("':'", at: position) }
      position += 1
      skipWhitespace()
      members.append(JSON.Member(name: name, value: try value(depth: depth + 1)))
      if try closes(with: UInt8(ascii: "}"), "',' or '}'") { return members }
    }
  }

  /// Steps over a comma, with the whitespace around it, or over the closing bracket. Returns whether it was the
  /// bracket.
  private mutating func closes(with bracket: UInt8, _ expected: String) throws(JSONError) -> Bool {
    skipWhitespace()
    switch byte {
    case bracket:
      position += 1
      return true
    case UInt8(ascii: ","):
      position += 1
      skipWhitespace()
      return false
    default: throw failure(expected, at: position)
    }
  }
}
