// SPDX-License-Identifier: MIT

extension JSON {
  /// The value after a patch (RFC 6902), which has `add`, `remove`, `replace` and `move` alone.
  func patched(by patch: JSON) -> JSON {
    guard case .array(let operations) = patch else { return self }
    return operations.reduce(self) { state, operation in
      var (state, kind, value) = (state, operation["op"]?.text, operation["value"])
      let path = Self.names(operation["path"]?.text)
      if kind == "move" {
        let from = Self.names(operation["from"]?.text)
        value = from.reduce(state as JSON?) { $0?[$1] }
        state = state.changed(at: from, kind: "remove", nil)
        kind = "add"
      }
      return state.changed(at: path, kind: kind, value)
    }
  }

  private static func names(_ pointer: String?) -> ArraySlice<String> {
    (pointer ?? "").split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map { String($0).replacing("~1", with: "/").replacing("~0", with: "~") }[...]
  }

  private func changed(at names: ArraySlice<String>, kind: String?, _ value: JSON?) -> JSON {
    guard let name = names.first else { return value ?? .null }
    let isLast = names.count == 1
    let value = isLast ? value : self[name]?.changed(at: names.dropFirst(), kind: kind, value)
    switch self {
    case .array(var elements):
      guard let index = Int(name), index <= elements.count else { return self }
      if !isLast || kind != "add" { elements.remove(at: index) }
      if let value { elements.insert(value, at: index) }
      return .array(elements)
    case .object(var members):
      members[name] = value
      return .object(members)
    default: return self
    }
  }
}
