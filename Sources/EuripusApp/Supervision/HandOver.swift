// SPDX-License-Identifier: MIT

/// The things that a supervisor hands to each server that it starts. They are the text of a variable of the
/// environment.
///
/// Valid if and only if it is `listening=N memory=N status=N supervisor=N life=N turn=N poisoned=M@T,M@T`. N, M
/// and T are numbers in decimal digits. `turn=` has no number for a server that need not wait. Any number of
/// works may be poisoned.
struct HandOver: Equatable {
  /// It is no setting: only a supervisor sets it.
  static let variable = "EURIPUS_HANDED_OVER"

  /// The descriptor of the socket that listens.
  var listening: Int32
  /// The descriptor of the memory that the supervisor and the server share.
  var memory: Int32
  /// The descriptor to which the server writes that it is ready.
  var status: Int32
  /// The supervisor's process.
  var supervisor: Int32
  /// The number of the server among this supervisor's servers, from 1.
  var life: Int32
  /// The descriptor from which the server learns that the one before it has ended; `nil` if there is none
  /// before it.
  var turn: Int32?
  /// The works by which earlier servers died, by mark, and the times of the last deaths.
  var poisoned: [UInt64: Int64] = [:]

  init(
    listening: Int32, memory: Int32, status: Int32, supervisor: Int32, life: Int32, turn: Int32? = nil,
    poisoned: [UInt64: Int64] = [:]
  ) {
    (self.listening, self.memory, self.status) = (listening, memory, status)
    (self.supervisor, self.life, self.turn, self.poisoned) = (supervisor, life, turn, poisoned)
  }

  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == Self.names.count else { return nil }
    var values: [Substring] = []
    for (word, name) in zip(words, Self.names) {
      guard word.hasPrefix("\(name)=") else { return nil }
      values.append(word.dropFirst(name.count + 1))
    }
    let numbers = values.prefix(5).compactMap { Self.number($0, Int32.self) }
    let turn = Self.number(values[5], Int32.self)
    guard numbers.count == 5, turn != nil || values[5].isEmpty, let poisoned = Self.poisoned(values[6]) else {
      return nil
    }
    self.init(
      listening: numbers[0], memory: numbers[1], status: numbers[2], supervisor: numbers[3], life: numbers[4],
      turn: turn, poisoned: poisoned)
  }

  var text: String {
    let works = poisoned.map { "\($0)@\($1)" }.joined(separator: ",")
    let values = [listening, memory, status, supervisor, life].map { "\($0)" } + [turn.map { "\($0)" } ?? "", works]
    return zip(Self.names, values).map { "\($0)=\($1)" }.joined(separator: " ")
  }

  private static let names = ["listening", "memory", "status", "supervisor", "life", "turn", "poisoned"]

  private static func poisoned(_ text: Substring) -> [UInt64: Int64]? {
    var poisoned: [UInt64: Int64] = [:]
    for work in text.split(separator: ",") {
      let parts = work.split(separator: "@", omittingEmptySubsequences: false)
      guard parts.count == 2, let mark = number(parts[0], UInt64.self), let time = number(parts[1], Int64.self) else {
        return nil
      }
      poisoned[mark] = time
    }
    return poisoned
  }

  private static func number<Number: FixedWidthInteger>(_ text: Substring, _: Number.Type) -> Number? {
    text.allSatisfy { ("0"..."9").contains($0) } ? Number(text) : nil
  }
}
