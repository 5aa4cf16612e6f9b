// SPDX-License-Identifier: MIT
import Euripus

/// The page of a recording: its name and its length.
final class PlayerPage: CoordinatedPage {
  let title: Computed<String>
  let length: Computed<String>
  let isGone: ObservableValue<Bool>
  let renaming: Renaming

  init(_ recordings: Recordings, _ id: String) {
    let library = recordings.library
    title = Computed(name: "title") { library.value[id]?.name ?? "" }
    length = Computed(name: "length") { library.value[id]?.length.map(clockTime) ?? "" }
    isGone = Computed(name: "isGone") { library.value[id] == nil }
    renaming = Renaming(recordings, Observable(id))
  }

  static let surface = Surface<PlayerPage>(
    "player", .value("title", \.title), .value("length", \.length), .nested("renaming", \.renaming))
}

/// The name of an item as a draft: it is saved when that is asked for, and follows the item's.
final class Renaming: ViewModel {
  let name: Observable<ShortText>
  /// Whether there is something to rename: the root's name stays.
  let enabled: Computed<Bool>
  let rename = Observer<Void>()

  init(_ recordings: Recordings, _ id: Observable<String>) {
    let library = recordings.library
    let present = Computed(name: "name") { library.value[id.value]?.name }
    name = Observable(ShortText((try? present.get()) ?? ""), name: "draft")
    enabled = Computed(name: "enabled") { try present.get() != nil }
    Observer(self) { me, name in me.name.value = ShortText(name ?? "") }.subscribe(present)
    rename.handle(self) { me, _ in
      let name = me.name.value.text
      if !name.isEmpty { recordings.save(.rename(id.value, to: name), me) }
    }
  }

  static let surface = Surface<Renaming>(
    "renaming",
    .twoWay("name", \.name, when: \.enabled),
    .value("enabled", \.enabled),
    .action("rename", \.rename, when: \.enabled))
}

/// A length in seconds as a clock shows it: 1:05, or 1:01:05.
func clockTime(_ length: Double) -> String {
  let seconds = Int(min(length, 359_999).rounded())
  let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
  let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
  return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(seconds % 60))"
}
