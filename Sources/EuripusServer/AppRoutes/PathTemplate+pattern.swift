// SPDX-License-Identifier: MIT

/// The fault of an app's path that cannot be served.
struct PatternFault: Error {
  let text: String
}

extension PathTemplate {
  /// Reads the path of an app's route, such as `/reports/{name}.csv`.
  init(pattern: String) throws(PatternFault) {
    guard pattern.utf8.first == UInt8(ascii: "/") else { throw PatternFault(text: "expected a slash at its beginning") }
    var names: Set<String> = []
    var parts: [Part] = []
    let texts = pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for text in texts {
      // The path "/" has one part, and that is empty.
      if text.isEmpty, texts.count > 1 { throw PatternFault(text: "expected something after each slash") }
      let part = try Self.part(text)
      if case .parameter(let name, _, _) = part, !names.insert(name).inserted {
        throw PatternFault(text: "the parameter {\(name)} is there twice")
      }
      parts.append(part)
    }
    self.init(text: pattern, parts: parts)
  }

  private static func part(_ text: Substring) throws(PatternFault) -> Part {
    let pieces = text.split(separator: "{", omittingEmptySubsequences: false)
    guard pieces.count > 1 else { return .literal(try literal(text)) }
    let rest = pieces[1].split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
    guard pieces.count == 2, rest.count == 2 else {
      throw PatternFault(text: "expected one parameter between two slashes at most, such as {name}; got '\(text)'")
    }
    guard !rest[0].isEmpty, rest[0].utf8.allSatisfy(isNameByte) else {
      throw PatternFault(text: "the name of a parameter has ASCII letters, digits, - and _ alone; got '{\(rest[0])}'")
    }
    return .parameter(String(rest[0]), before: try literal(pieces[0]), after: try literal(rest[1]))
  }

  private static func literal(_ text: Substring) throws(PatternFault) -> String {
    if text == "." || text == ".." { throw PatternFault(text: "no client sends the part '\(text)'") }
    if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || "%?#}".utf8.contains($0) }) {
      throw PatternFault(text: "'\(text)' has a control character or one of %?#}; expected text that is not encoded")
    }
    return String(text)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// The path without the names of its parameters. Two templates of one shape match the same paths.
  var shape: [String] {
    parts.map { part in
      switch part {
      case .literal(let text): text
      case .parameter(_, let before, let after): "\(before){}\(after)"
      case .model, .id, .name, .rest: "{}"
      }
    }
  }

  /// Whether this path counts before another one that matches too. The first part in which one has more text
  /// decides.
  func isNarrower(than other: PathTemplate) -> Bool {
    if parts.count != other.parts.count { return parts.count < other.parts.count }
    for (one, other) in zip(parts, other.parts) where one.textCount != other.textCount {
      return one.textCount > other.textCount
    }
    return false
  }
}

extension PathTemplate.Part {
  /// The bytes of text in the part. A part without a parameter counts as more than any other.
  fileprivate var textCount: Int {
    switch self {
    case .literal: .max
    case .parameter(_, let before, let after): before.utf8.count + after.utf8.count
    case .model, .id, .name, .rest: 0
    }
  }
}
