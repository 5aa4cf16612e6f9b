// SPDX-License-Identifier: MIT

/// Names of a surface as people read them: "New length" for `newLength`.
enum PageWords {
  static func of(_ name: String) -> String { sentence(words(name)) ?? name }

  /// The words for a value that is true or false: "Public" for `isPublic`.
  static func ofTruth(_ name: String) -> String {
    let words = words(name)
    return (words.first == "is" ? sentence(words.dropFirst()) : nil) ?? of(name)
  }

  /// The first word, in small letters.
  static func first(_ name: String) -> String { words(name).first ?? "" }

  private static func sentence(_ words: some Collection<String>) -> String? {
    guard let first = words.first else { return nil }
    return ([first.prefix(1).uppercased() + first.dropFirst()] + words.dropFirst()).joined(separator: " ")
  }

  /// The words of a name, in small letters but for those of capitals alone: `the`, `HTML`, `page` for `theHTMLPage`.
  private static func words(_ name: String) -> [String] {
    let letters = Array(name)
    var words: [[Character]] = [[]]
    for (index, letter) in letters.enumerated() {
      guard letter.isLetter || letter.isNumber else {
        words.append([])
        continue
      }
      let before = index > 0 ? letters[index - 1] : " "
      let endsCapitals = before.isUppercase && index + 1 < letters.count && letters[index + 1].isLowercase
      if letter.isUppercase, before.isLowercase || before.isNumber || endsCapitals { words.append([]) }
      words[words.count - 1].append(letter)
    }
    return words.filter { !$0.isEmpty }.map { word in
      word.count > 1 && word.allSatisfy { $0.isUppercase || $0.isNumber } ? String(word) : String(word).lowercased()
    }
  }
}
