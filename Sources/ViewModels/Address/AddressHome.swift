// SPDX-License-Identifier: MIT
package import JSONPatching

/// The place where the addresses of a hosted view model begin: the path of its page.
package struct AddressHome: Sendable {
  /// The most bytes of an address: those of a target that the server takes (PROTOCOL §7).
  package static let maxBytes = 4_096

  /// The path, encoded; `/` for the root.
  package let text: String
  package let segments: [String]
  /// The segments without the ending of the page's file, where they have it: the page is found there too.
  private let bare: [String]

  /// - Parameter path: the path of the page, as plain text, such as `/recordings`.
  package init(_ path: String) {
    segments = path.split(separator: "/").map(String.init)
    var bare = segments
    if let file = segments.last, file.hasSuffix(HostedPage.ending) {
      bare[bare.count - 1].removeLast(HostedPage.ending.count)
    }
    self.bare = bare
    text = "/" + segments.map(PercentCoding.encoded).joined(separator: "/")
  }

  // MARK: Reading

  /// Takes an address apart. A person may have typed it, so malformed parts are passed over.
  ///
  /// - Throws: `SurfaceError.mismatch` for a value that is no string, is too long, or is neither at this place nor
  ///   below it.
  package func read(_ json: JSON) throws(SurfaceError) -> Address {
    let expected = "an address at or below '\(text)', of \(Self.maxBytes) bytes at most"
    guard case .string(let address) = json else { throw .mismatch(JSONMismatch(expected: expected, found: json)) }
    guard address.utf8.count <= Self.maxBytes else {
      throw .mismatch(JSONMismatch(expected: expected, found: "one of \(address.utf8.count)"))
    }
    guard let parts = parts(of: address) else {
      throw .mismatch(JSONMismatch(expected: expected, found: "another string"))
    }
    return Address(steps: parts.steps, items: parts.query.map(Self.items) ?? [])
  }

  /// The steps and the query of an address at or below this place; `nil` for another.
  private func parts(of address: String) -> (steps: [String], query: Substring?)? {
    // A fragment is the page's own affair.
    let whole = address.utf8.prefix { $0 != UInt8(ascii: "#") }
    let path = whole.prefix { $0 != UInt8(ascii: "?") }
    guard path.first == UInt8(ascii: "/") else { return nil }
    var found = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { segment in
      // A malformed segment stands as it came: it leads nowhere.
      PercentCoding.decoded(segment, plusIsSpace: false) ?? String(Substring(segment))
    }
    // A slash at the end means nothing.
    if found.last == "" { found.removeLast() }
    guard Self.begins(found, with: segments) || Self.begins(found, with: bare) else { return nil }
    let query = whole[path.endIndex...].dropFirst()
    return (Array(found.dropFirst(segments.count)), path.endIndex == whole.endIndex ? nil : Substring(query))
  }

  /// Whether a path begins with the segments of a place, byte by byte.
  private static func begins(_ path: [String], with place: [String]) -> Bool {
    path.count >= place.count && zip(path, place).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }

  private static func items(of query: Substring) -> [Address.Item] {
    query.utf8.split(separator: UInt8(ascii: "&")).compactMap { pair in
      let name = pair.prefix { $0 != UInt8(ascii: "=") }
      guard let decodedName = PercentCoding.decoded(name, plusIsSpace: true) else { return nil }
      if name.endIndex == pair.endIndex { return Address.Item(name: decodedName, text: nil) }
      guard let text = PercentCoding.decoded(pair[name.endIndex...].dropFirst(), plusIsSpace: true) else { return nil }
      return Address.Item(name: decodedName, text: text)
    }
  }

  // MARK: Writing

  /// The text of an address. An item that does not fit into ``maxBytes`` is left out. The path ends before a
  /// step that does not fit, or that browsers take for another path.
  package func write(_ address: Address) -> String {
    var text = text
    for (index, step) in address.steps.enumerated() {
      let isRoot = index == 0 && segments.isEmpty
      guard step != ".", step != "..", !(isRoot && step.isEmpty) else { break }
      let isLastAndEmpty = step.isEmpty && index == address.steps.count - 1
      let piece = (isRoot ? "" : "/") + PercentCoding.encoded(step) + (isLastAndEmpty ? "/" : "")
      guard Self.fits(text, piece) else { break }
      text += piece
    }
    var separator = "?"
    for item in address.items {
      let piece = separator + item.name + (item.text.map { "=" + PercentCoding.encoded($0) } ?? "")
      guard Self.fits(text, piece) else { continue }
      text += piece
      separator = "&"
    }
    return text
  }

  private static func fits(_ text: String, _ piece: String) -> Bool {
    text.utf8.count + piece.utf8.count <= maxBytes
  }
}

/// The page of a hosted view model.
package struct HostedPage: Sendable {
  /// The ending of a page's file. A page is found without it too.
  package static let ending = ".html"

  /// The path that it lies at.
  package let path: String
  /// The page's file in the directory of static files.
  package let file: String
}
