// SPDX-License-Identifier: MIT

/// One element of `Forwarded`: a proxy's statement about the request that it got (RFC 7239 §4).
struct ForwardedElement: Equatable {
  var address: String?
  var scheme: String?
  var host: String?

  /// The elements of a field, with the first proxy's element first.
  ///
  /// An element that says nothing about its client counts too: the elements before it are not this proxy's
  /// statement.
  ///
  /// - Returns: `nil` for a field of another form.
  static func list(_ field: String) -> [ForwardedElement]? {
    var elements: [ForwardedElement] = []
    var element = ForwardedElement()
    var names: Set<String> = []
    var rest = Array(field.utf8)[...]
    while true {
      skipSpace(&rest)
      // Lists may have empty elements (RFC 9110 §5.6.1).
      if let byte = rest.first, byte != UInt8(ascii: ","), byte != UInt8(ascii: ";") {
        guard let (name, value) = pair(&rest), names.insert(name).inserted else { return nil }
        switch name {
        case "for": element.address = node(value)
        case "proto": element.scheme = value
        case "host": element.host = value
        default: break
        }
        skipSpace(&rest)
      }
      let end = rest.popFirst()
      switch end {
      case UInt8(ascii: ";"): continue
      case UInt8(ascii: ","), nil:
        if !names.isEmpty { elements.append(element) }
        if end == nil { return elements }
        element = ForwardedElement()
        names = []
      default: return nil
      }
    }
  }

  /// The address of a node without its port (RFC 7239 §6).
  static func node(_ text: String) -> String {
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      return String(text[text.index(after: text.startIndex)..<end])
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 ? String(parts[0]) : text
  }

  private static func skipSpace(_ rest: inout ArraySlice<UInt8>) {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  private static func pair(_ rest: inout ArraySlice<UInt8>) -> (name: String, value: String)? {
    guard let name = token(&rest), rest.popFirst() == UInt8(ascii: "=") else { return nil }
    guard let value = rest.first == UInt8(ascii: "\"") ? quoted(&rest) : token(&rest) else { return nil }
    return (name.lowercased(), value)
  }

  private static func token(_ rest: inout ArraySlice<UInt8>) -> String? {
    let bytes = rest.prefix(while: isTokenByte)
    rest = rest.dropFirst(bytes.count)
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  private static func quoted(_ rest: inout ArraySlice<UInt8>) -> String? {
    rest = rest.dropFirst()
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { return nil }
        bytes.append(escaped)
      default: bytes.append(byte)
      }
    }
    return nil
  }

  /// Whether a byte may stand in a token (RFC 9110 §5.6.2), or is one of `:`, `[` and `]`, which some proxies
  /// do not quote.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: "!#$%&'*+-.^_`|~:[]".utf8.contains(byte)
    }
  }
}
