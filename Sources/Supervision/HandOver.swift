// SPDX-License-Identifier: MIT

/// What a supervisor hands to each server that it starts, as the text of one variable of the environment.
///
/// Valid if and only if it is `listening=N memory=N status=N supervisor=N life=N`, each a number in decimal digits.
package struct HandOver: Equatable {
  /// No setting: nobody but a supervisor sets it.
  package static let variable = "EURIPUS_HANDED_OVER"

  /// The descriptor of the socket that listens.
  var listening: Int32
  /// The descriptor of the memory that both have.
  var memory: Int32
  /// The descriptor that the server tells how it is by.
  var status: Int32
  /// The supervisor's process.
  var supervisor: Int32
  /// Which server of this supervisor's it is, counted from 1.
  var life: Int32

  init(listening: Int32, memory: Int32, status: Int32, supervisor: Int32, life: Int32) {
    (self.listening, self.memory, self.status) = (listening, memory, status)
    (self.supervisor, self.life) = (supervisor, life)
  }

  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == Self.names.count else { return nil }
    var numbers: [Int32] = []
    for (word, name) in zip(words, Self.names) {
      let digits = word.dropFirst(name.count + 1)
      guard word.hasPrefix("\(name)="), digits.allSatisfy({ ("0"..."9").contains($0) }), let number = Int32(digits)
      else { return nil }
      numbers.append(number)
    }
    self.init(listening: numbers[0], memory: numbers[1], status: numbers[2], supervisor: numbers[3], life: numbers[4])
  }

  var text: String {
    zip(Self.names, [listening, memory, status, supervisor, life]).map { "\($0)=\($1)" }.joined(separator: " ")
  }

  private static let names = ["listening", "memory", "status", "supervisor", "life"]
}
