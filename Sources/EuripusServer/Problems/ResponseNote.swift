// SPDX-License-Identifier: MIT

/// The problem of a response and its limit, for the meters that count responses.
struct ResponseNote {
  /// The index of the kind in `Problem.Kind.allCases`; `nil` for a response that is not a problem.
  let kind: Int?
  /// The index of the limit in `Limit.allCases`; `nil` for none.
  let limit: Int?

  init(_ bits: UInt16) {
    kind = bits & 0xFF == 0 ? nil : Int(bits & 0xFF) - 1
    limit = bits >> 8 == 0 ? nil : Int(bits >> 8) - 1
  }

  static func bits(_ kind: Problem.Kind, _ limit: Limit?) -> UInt16 {
    let place = limit.flatMap { Limit.allCases.firstIndex(of: $0) }.map { UInt16($0) + 1 } ?? 0
    return kinds[kind, default: 0] | place << 8
  }

  private static let kinds = Dictionary(
    uniqueKeysWithValues: Problem.Kind.allCases.enumerated().map { ($0.element, UInt16($0.offset) + 1) })
}
