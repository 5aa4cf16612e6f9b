// SPDX-License-Identifier: MIT
import Euripus

/// A view model in whose state every action leaves a trace of its own. So an action that took effect twice,
/// late or out of order shows.
final class Ledger: ViewModel {
  final class Row: ViewModel {
    let text: Observable<String>
    init(_ text: String) { self.text = Observable(text) }
    static let surface = Surface<Row>("row", .twoWay("text", \.text))
  }

  struct Failure: Error {}
  let entries = Observable<[String]>([])
  let note = Observable("")
  let isOpen = Observable(true)
  let rows = KeyedList<Row>()
  /// A text so long that a patch is shorter than the state, most times.
  let padding = Observable(String(repeating: "long enough. ", count: 24))
  let append = Observer<String>()
  let guarded = Observer<String>()
  let toggle = Observer<String>()
  let add = Observer<String>()
  let turn = Observer<String>()
  let drop = Observer<String>()
  let fail = Observer<String>()
  /// Appends a text, and starts a command that is over a little later.
  let work = Observer<String>()
  private(set) lazy var working = Command<Void, Int>(self, policy: .latest, name: "working") { me, _, _ in
    await Task.yield()
    return try me().entries.value.count
  }

  init() {
    append.handle(self) { $0.entries.value.append($1) }
    guarded.handle(self) { $0.entries.value.append($1) }
    toggle.handle(self) { ledger, _ in ledger.isOpen.value.toggle() }
    add.handle(self) { $0.rows.put(Row($1), key: $1) }
    turn.handle(self) { ledger, _ in
      let keys = ledger.rows.keys
      ledger.rows.update(keys.reversed()) { Row($0) }
    }
    drop.handle(self) { ledger, _ in
      if let first = ledger.rows.keys.first { _ = ledger.rows.remove(first) }
    }
    fail.handle(self) { ledger, text in
      ledger.entries.value.append(text)
      throw Failure()
    }
    work.handle(self) { ledger, text in
      ledger.entries.value.append(text)
      ledger.working.execute(())
    }
  }

  static let surface = Surface<Ledger>(
    "ledger", .value("entries", \.entries), .twoWay("note", \.note), .value("isOpen", \.isOpen),
    .list("rows", \.rows) { _, _ in Row("") },
    .value("padding", \.padding), .action("append", \.append), .action("guarded", \.guarded, when: \.isOpen),
    .action("toggle", \.toggle), .action("add", \.add), .action("turn", \.turn), .action("drop", \.drop),
    .action("fail", \.fail), .action("work", \.work),
    .command("working", \.working))
}
