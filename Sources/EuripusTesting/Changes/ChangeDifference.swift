// SPDX-License-Identifier: MIT
import JSONPatching

/// A value that did not change as the test names it.
struct ChangeDifference {
  let path: [String]
  let before: JSON?
  let after: JSON?
  let expected: JSON?

  /// All differences, in the order of the state.
  static func all(from before: JSON, to after: JSON, expected: ExpectedState) -> [ChangeDifference] {
    let differences = all(before, after, expected.json, [])
    let idle = expected.named.filter { path in
      let value = before.value(at: path)
      return after.value(at: path) == value && expected.json?.value(at: path) == value
    }
    return differences
      + idle.map { path in
        let value = before.value(at: path)
        return ChangeDifference(path: path, before: value, after: value, expected: value)
      }
  }

  private static func all(_ before: JSON?, _ after: JSON?, _ expected: JSON?, _ path: [String]) -> [ChangeDifference] {
    if after == expected { return [] }
    guard case .object(let members)? = after, case .object(let others)? = expected else {
      return [ChangeDifference(path: path, before: before, after: after, expected: expected)]
    }
    let names = members.map(\.name) + others.map(\.name).filter { after?[$0] == nil }
    return names.flatMap { all(before?[$0], after?[$0], expected?[$0], path + [$0]) }
  }

  private var verdict: String {
    if expected == before, after == before {
      return before == nil ? "was named, and there is no such value" : "was named, and is as it was"
    }
    if expected == before {
      if before == nil { return "appeared, and was not named" }
      return after == nil ? "went, and was not named" : "changed, and was not named"
    }
    guard after == before else { return "changed, and not to what was named" }
    if before == nil { return "was named, and there is no such value" }
    return expected == nil ? "was named to go, and is still there" : "was named, and did not change"
  }

  /// The place with its fault, and the values below it.
  var text: String {
    var rows = [("before", before), ("after", after)]
    if expected != before { rows.append(("named", expected)) }
    let texts = JSONExcerpt.texts(rows.map(\.1))
    let lines = zip(rows, texts).map { row, text in
      "    \(row.0)\(String(repeating: " ", count: 8 - row.0.count))\(text)"
    }
    let place = String(JSONPointer(path).description.dropFirst())
    return (["  \(place.isEmpty ? "the state" : place) \(verdict)"] + lines).joined(separator: "\n")
  }
}
