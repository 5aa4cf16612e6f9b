// SPDX-License-Identifier: MIT

extension Trace {
  /// The reason, in words, why the node has its value: its last change, the cause of that, and so on, back to
  /// the write that began it. O(records) for each line.
  ///
  /// ```
  /// loginEnabled (Login/LoginViewModel.swift:14) became true, from false, in transaction 3
  ///   because passwordValid (Login/LoginViewModel.swift:13) became true, from false
  ///   because password (Login/LoginViewModel.swift:11) became <secret>
  ///   because 'passwordDidChange' wrote it
  /// ```
  public func why(_ node: Node) -> String {
    let records = records
    let id = ObjectIdentifier(node)
    guard let last = records.lastIndex(where: { $0.node == id && $0.outcome.isChange }) else {
      let runs = records.filter { $0.node == id && $0.outcome == .cut }.count
      let note = runs == 0 ? "" : "; it ran \(runs) times since, and gave the same each time"
      return "\(node.origin) has not changed in the \(records.count) records since tracing began\(note)"
    }
    var lines = ["\(records[last].change) in transaction \(records[last].transaction)"]
    var index = last
    while true {
      switch records[index].cause {
      case .transaction(let name):
        lines.append("  because \(name.isEmpty ? "the body of the transaction" : "'\(name)'") wrote it")
        return lines.joined(separator: "\n")
      case .node(let origin, let cause):
        let before = records[..<index]
        guard
          let found = before.lastIndex(where: { $0.node == cause && $0.outcome.isChange })
        else {
          lines.append("  because of \(origin), whose change is no longer recorded")
          return lines.joined(separator: "\n")
        }
        lines.append("  because \(records[found].change)")
        index = found
      }
    }
  }
}

extension Trace.Record {
  /// `loginEnabled (…) became true, from false`.
  var change: String {
    let what =
      outcome == .failed ? "\(origin) failed with \(new ?? "an error")" : "\(origin) became \(new ?? "nothing")"
    guard let old, old != new else { return what }
    return "\(what), from \(old)"
  }
}

extension Trace.Record.Outcome {
  var isChange: Bool {
    switch self {
    case .written, .recomputed, .failed: true
    case .cut, .told: false
    }
  }
}
