// SPDX-License-Identifier: MIT

/// An `Accept` field: the media types that the client takes, and their order of preference (RFC 9110 §12.5.1).
///
/// Parameters of media types are ignored, since none of ours has any. A member that cannot be read is left out.
struct Accept {
  private struct Range {
    let type: String
    /// The precision: 0 for `*/*`, 1 for `text/*`, 2 for a whole type. The most precise range decides.
    let precision: Int
    /// The weight, in thousandths.
    let weight: Int
  }

  private let ranges: [Range]

  /// - Parameter field: the field; `nil` if there is none, which accepts everything.
  init(_ field: String?) {
    ranges = field.map { $0.split(separator: ",").compactMap(Self.range) } ?? []
  }

  /// The most preferred of the types, or the first of several; `nil` if none is acceptable.
  func best(of types: [String]) -> String? {
    if ranges.isEmpty { return types.first }
    var best: (type: String, weight: Int)?
    for type in types {
      let weight = weight(of: type)
      if weight > best?.weight ?? 0 { best = (type, weight) }
    }
    return best?.type
  }

  private func weight(of type: String) -> Int {
    let slash = type.firstIndex(of: "/") ?? type.endIndex
    let matching = ranges.filter { range in
      switch range.precision {
      case 0: true
      case 1: range.type == type[..<slash]
      default: range.type == type
      }
    }
    // If two ranges are equally precise, the higher weight counts: the client sent both.
    return matching.max { ($0.precision, $0.weight) < ($1.precision, $1.weight) }?.weight ?? 0
  }

  private static func range(_ text: Substring) -> Range? {
    guard let member = WeightedMember(text) else { return nil }
    let names = member.name.split(separator: "/", omittingEmptySubsequences: false)
    guard names.count == 2, !names[0].isEmpty, !names[1].isEmpty else { return nil }
    switch (names[0], names[1]) {
    case ("*", "*"): return Range(type: "", precision: 0, weight: member.weight)
    case ("*", _): return nil
    case (let name, "*"): return Range(type: String(name), precision: 1, weight: member.weight)
    case (let name, let subtype): return Range(type: "\(name)/\(subtype)", precision: 2, weight: member.weight)
    }
  }
}
