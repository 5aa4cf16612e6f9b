// SPDX-License-Identifier: MIT
import Euripus

/// The page of a recording: its name and its length.
final class PlayerPage: CoordinatedPage {
  lazy var title = Computed(self) { $0.item?.name ?? "" }
  lazy var length = Computed(self) { $0.item?.length.map(clockTime) ?? "" }
  lazy var isGone: ObservableValue<Bool> = Computed(self) { $0.item == nil }
  let renaming: Renaming
  private var item: LibraryItem? { recordings.library[id] }
  private let recordings: Recordings
  private let id: String

  init(_ recordings: Recordings, _ id: String) {
    (self.recordings, self.id) = (recordings, id)
    renaming = Renaming(recordings, Observable(id))
  }

  static let surface = Surface<PlayerPage>(
    "player", .value("title", \.title), .value("length", \.length), .nested("renaming", \.renaming))
}

/// The name of an item as a draft. It follows the item's name, and is saved when the user asks for that.
final class Renaming: ViewModel {
  @Observed var name: ShortText
  /// Whether there is something to rename: the root's name stays.
  lazy var enabled = Computed(self) { try $0.present.get() != nil }
  private lazy var present = Computed(self) { $0.recordings.library[$0.id.value]?.name }
  private let recordings: Recordings
  private let id: Observable<String>

  init(_ recordings: Recordings, _ id: Observable<String>) {
    (self.recordings, self.id) = (recordings, id)
    name = ShortText(recordings.library[id.value]?.name ?? "")
    Observer(self) { me, name in me.name = ShortText(name ?? "") }.subscribe(present)
  }

  func rename() {
    if !name.text.isEmpty { recordings.save(.rename(id.value, to: name.text), self) }
  }

  static let surface = Surface<Renaming>(
    "renaming",
    .twoWay("name", \.$name, when: \.enabled),
    .value("enabled", \.enabled),
    .action("rename", Renaming.rename, when: \.enabled))
}

/// A length in seconds as a clock shows it: 1:05, or 1:01:05.
func clockTime(_ length: Double) -> String {
  let seconds = Int(min(length, 359_999).rounded())
  let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
  let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
  return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(seconds % 60))"
}
