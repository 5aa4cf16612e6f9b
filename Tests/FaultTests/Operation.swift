// SPDX-License-Identifier: MIT

/// One thing that a client wants done, once.
struct Operation: Equatable {
  enum Kind: CaseIterable {
    case append, guarded, note, toggle, add, turn, drop, fail, batch, badBatch, failingBatch, close
  }

  /// The value that it carries; no other operation has it.
  let id: String
  let kind: Kind
  /// The index of the client that wants it.
  let client: Int
  /// The number of the operation, from 1, without gaps for each client.
  let number: UInt64
  /// The value of its `Idempotency-Key`; nil for a client without keys.
  let key: String?

  /// The values of its two entries, if it is a batch.
  var parts: [String] { ["\(id)a", "\(id)b"] }

  var method: String {
    switch kind {
    case .note: "PUT"
    case .close: "DELETE"
    default: "POST"
    }
  }

  /// The path below the session's.
  var path: String {
    switch kind {
    case .note: "/state/note"
    case .close: ""
    case .batch, .badBatch, .failingBatch: "/actions"
    default: "/actions/\(kind)"
    }
  }

  var body: String? {
    switch kind {
    case .close: nil
    case .batch: batch(#"{"set":"/note","value":"\#(id)"}"#)
    case .badBatch: batch(#"{"do":"/none"}"#)
    case .failingBatch: batch(#"{"do":"/fail","value":"\#(id)"}"#)
    default: "\"\(id)\""
    }
  }

  private func batch(_ last: String) -> String {
    "[" + parts.map { #"{"do":"/append","value":"\#($0)"},"# }.joined() + last + "]"
  }
}
