// SPDX-License-Identifier: MIT

/// Variables of the environment that look like settings and are none. A misspelt name has no effect, and nobody
/// would notice.
enum UnknownVariables {
  /// The variables that the project's own scripts and documents use.
  private static let known: Set<String> = [
    HandOver.variable, DevelopmentServer.variable, "EURIPUS_URL", "EURIPUS_BIN", "EURIPUS_SEED", "EURIPUS_FAULT_SEED",
    "EURIPUS_CANARY",
    "EURIPUS_RECORDING", "EURIPUS_RECORDINGS", "EURIPUS_USERS",
  ]

  /// The unknown variables, each with the nearest setting's variable, if one is near.
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
      // About one letter in four may differ.
      let isNear = nearest.map { $0.distance <= max(2, (name.utf8.count - Setting.prefix.utf8.count) / 4) } ?? false
      return (name, isNear ? nearest?.name : nil)
    }
  }

  /// The number of bytes that must be inserted, removed or changed to turn one text into the other
  /// (Levenshtein's distance).
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
