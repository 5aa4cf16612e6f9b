// SPDX-License-Identifier: MIT
import Euripus
import Locking

/// A row of a ledger, which a store has by itself.
final class Entry: ViewModel {
  let text: Observable<String>

  init(_ text: String = "") { self.text = Observable(text, name: "text") }

  static let surface = Surface<Entry>("entry", .value("text", \.text))
}

/// A record of the writers' deeds, which tells whether one was lost, doubled or reversed.
class Deeds {
  /// The last number of each writer.
  let numbers = Observable([Int](repeating: 0, count: 16), name: "numbers")
  let total = Observable(0, name: "total")
  /// The first number that did not follow the one before.
  let fault = Observable("", name: "fault")
  /// The count of numbers that were left out, and of numbers that came again.
  let missing = Observable(0, name: "missing")
  let again = Observable(0, name: "again")
  /// How often the command began, and came to its end.
  let begun = Observable(0, name: "begun")
  let ended = Observable(0, name: "ended")
  /// Whether the command is at work, as it says itself: no longer than it is, whatever ended it.
  let isWorking = Observable(false, name: "isWorking")
  /// The last three entries. The key of each is the total with it, by modulus 7: rows come, and go, and come again.
  let recent = KeyedList<Entry>()
  /// A list that is long enough to be stored by its changed rows, and the sum of the numbers in it. Each entry takes
  /// the place of another one: in its row, or in a new row at the end.
  let rows = KeyedList<Entry>()
  let sum = Observable(0, name: "sum")
  /// The number of seats that it has booked, and the sum of their ids.
  let seats = Observable(0, name: "seats")
  let seatSum = Observable(0, name: "seatSum")
  let add = Observer<String>()
  /// The ledger's name in the log.
  let tag = Observable(String(UInt64.random(in: 0 ... .max), radix: 36), name: "tag")
  /// Takes its entry, and starts a command.
  let work = Observer<String>()
  /// Ends some milliseconds later. The log has its start, so that one which comes twice is found.
  private(set) lazy var working = Command<String, Int>(self, policy: .latest, name: "working") { me, entry, _ in
    StandardError.write("started \(try me().tag.value) \(entry)")
    try await Task.sleep(for: .milliseconds(5))
    Death.atWork.mayCome()
    let ledger = try me()
    ledger.ended.value += 1
    ledger.isWorking.value = false
    return ledger.ended.value
  }

  private let context: SessionContext

  init(_ context: SessionContext) {
    self.context = context
    for key in 0..<40 { rows.append(Entry("0/0"), key: "\(key)") }
    add.handle(self) { ledger, entry in ledger.take(entry) }
    work.handle(self) { ledger, entry in
      ledger.take(entry)
      ledger.begun.value += 1
      ledger.isWorking.value = true
      ledger.working.execute(entry)
    }
  }

  /// Takes its entry, and books a seat.
  func book(_ entry: String, _ database: DatabaseTransaction) throws {
    try bookOne(entry, database)
    take(entry)
  }

  /// Books the next seat of all ledgers: a row of a table, in the same transaction. Each row has the key of its action.
  func bookOne(_ entry: String, _ database: DatabaseTransaction) throws {
    let seat = try database.query("UPDATE last_seat SET id = id + 1 RETURNING id", as: Int.self)[0]
    var key = context.action?.key ?? ""
    if Deeds.hasRequestKeys.withLock(\.self) { key = key.split(separator: " ").first.map(String.init) ?? "" }
    try database.execute("INSERT INTO seats (id, ledger, entry, key) VALUES (?, ?, ?, ?)", seat, tag.value, entry, key)
    seats.value += 1
    seatSum.value += seat
  }

  /// Whether all actions of a request have one key, as the control of the tests.
  static let hasRequestKeys = Locked(false)

  /// The tables of the seats. No rule of theirs keeps an entry from being there twice, as the tests look for that.
  static let migrations = [
    Migration(
      1, "CREATE TABLE last_seat (id INTEGER NOT NULL)", "INSERT INTO last_seat VALUES (0)",
      "CREATE TABLE seats (id INTEGER NOT NULL, ledger TEXT NOT NULL, entry TEXT NOT NULL, key TEXT NOT NULL)")
  ]

  func didInterrupt(_ command: String) { isWorking.value = false }

  deinit { Death.left.mayCome() }

  /// - Parameter entry: a writer and its next number, such as `3/17`.
  private func take(_ entry: String) {
    let parts = entry.split(separator: "/").compactMap { Int($0) }
    guard parts.count == 2, numbers.value.indices.contains(parts[0]) else { return fault.value = entry }
    let (writer, number) = (parts[0], parts[1])
    let last = numbers.value[writer]
    if number != last + 1, fault.value.isEmpty { fault.value = "\(entry) after \(last)" }
    if number > last + 1 { missing.value += number - last - 1 }
    if number <= last { again.value += 1 }
    numbers.value[writer] = number
    total.value += 1
    recent.append(Entry(entry), key: "\(total.value % 7)")
    if total.value > 3 { recent.remove("\((total.value - 3) % 7)") }
    replace(rows.keys[total.value * 7 % rows.keys.count], by: entry, number)
  }

  private func replace(_ key: String, by entry: String, _ number: Int) {
    let old = rows[key]?.text.value.split(separator: "/").last.flatMap { Int($0) } ?? 0
    sum.value += number - old
    if total.value % 4 == 0 {
      rows.remove(key)
      rows.append(Entry(entry), key: "new \(total.value)")
    } else {
      rows[key]?.text.value = entry
    }
  }

  /// Names a room of several clients; those of one client have no name.
  struct Name: Codable, JSONRepresentable, Sendable { var ledger: Int? }

  fileprivate static func surface<Model: Deeds & ViewModel>(_ name: String) -> Surface<Model> {
    Surface<Model>(
      name, .params(Name.self), .value("numbers", \.numbers), .value("total", \.total), .value("fault", \.fault),
      .value("missing", \.missing), .value("again", \.again), .value("begun", \.begun), .value("ended", \.ended),
      .value("isWorking", \.isWorking), .value("sum", \.sum), .value("tag", \.tag),
      .value("seats", \.seats), .value("seatSum", \.seatSum),
      .list("recent", \.recent) { _, _ in Entry() }, .list("rows", \.rows) { _, _ in Entry() },
      .action("add", \.add), .action("work", \.work),
      .action("book") { model in { try model.book($0, $1) } }.repeatable(),
      .action("bookOne") { model in { try model.bookOne($0, $1) } }.repeatable(), .command("working", \.working))
  }
}

/// The record of one client's deeds.
final class Ledger: Deeds, ViewModel {
  static let surface: Surface<Ledger> = surface("ledger")
}

/// The record of the deeds of all members of a room.
final class SharedLedger: Deeds, ViewModel {
  static let surface: Surface<SharedLedger> = surface("shared-ledger")
}

/// A member's own view of a shared ledger.
final class Onlooker: ViewModel {
  struct Shown: Codable, JSONRepresentable, Equatable {
    var numbers: [Int]
    var total: Int
    var begun: Int
  }

  /// Whether the onlookers show half a version, as the control of the tests.
  static let isHalf = Locked(false)

  private let ledger: ObservableValue<Shown?>
  lazy var shown = Computed(self) { onlooker in
    var shown = try onlooker.ledger.get()
    if Onlooker.isHalf.withLock(\.self) { shown?.total += 1 }
    return shown
  }

  init(_ context: SessionContext) {
    ledger = context.room(SharedLedger.self, context.params(Deeds.Name.self), as: Shown.self)
  }

  static let surface = Surface<Onlooker>("onlooker", .params(Deeds.Name.self), .value("shown", \.shown))
}
