// SPDX-License-Identifier: MIT
import Euripus

/// The numbers that clients have added, in order. They show whether a number was lost, doubled or half applied.
final class Tally: ViewModel {
  let entries = Observable<[Int]>([], name: "entries")
  let total = Observable(0, name: "total")
  let filler = Observable("", name: "filler")
  let add = Observer<Int>()
  /// A command that adds a number at once, and is over a little later.
  private(set) lazy var work = Command<Int, Int>(self, policy: .latest, name: "work") { me, entry, _ in
    let tally = try me()
    tally.take(entry)
    await Task.yield()
    return try me().total.value
  }

  init() {
    add.handle(self) { tally, entry in tally.take(entry) }
    _ = work
  }

  private func take(_ entry: Int) {
    entries.value.append(entry)
    total.value += 1
  }

  static let surface = Surface<Tally>(
    "tally", .value("entries", \.entries), .value("total", \.total), .twoWay("filler", \.filler),
    .action("add", \.add), .command("work", \.work))
}
