// SPDX-License-Identifier: MIT

/// Variables of the environment that look like settings and are none: a misspelt name has no effect, and nobody would notice.
enum UnknownVariables {
  /// The variables that this project's scripts and documents have for themselves.
  private static let known: Set<String> = [
    HandOver.variable, "EURIPUS_URL", "EURIPUS_BIN", "EURIPUS_SEED", "EURIPUS_FAULT_SEED", "EURIPUS_CANARY",
    "EURIPUS_RECORDING", "EURIPUS_RECORDINGS", "EURIPUS_USERS",
  ]

  /// Each with the setting's variable that is nearest to it, if one is near.
  static func find(
    in environment: [String: String], table: [Setting] = Setting.table
  ) -> [(name: String, nearest: String?)] {
    let variables = table.map(\.variable)
    let unknown = environment.keys.filter {
      $0.hasPrefix(Setting.prefix) && !variables.contains($0) && !known.contains($0)
    }
    return unknown.sorted().map { name in
      let distances = variables.map { (name: $0, distance: distance(Array(name.utf8), Array($0.utf8))) }
      let nearest = distances.min { ($0.distance, $0.name) < ($1.distance, $1.name) }
      // About one letter in four.
      let isNear = nearest.map { $0.distance <= max(2, (name.utf8.count - Setting.prefix.utf8.count) / 4) } ?? false
      return (name, isNear ? nearest?.name : nil)
    }
  }

  /// How many bytes must be put in, taken out or changed to make one text of the other (Levenshtein's distance).
  private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var row = Array(0...other.count)
    for (index, byte) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, otherByte) in other.enumerated() {
        let above = row[column + 1]
        row[column + 1] = min(diagonal + (byte == otherByte ? 0 : 1), row[column] + 1, above + 1)
        diagonal = above
      }
    }
    return row[other.count]
  }
}
