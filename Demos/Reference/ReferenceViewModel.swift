// SPDX-License-Identifier: MIT
public import Euripus

/// One of each thing that a page can bind: the reference of the attributes shows them with it.
public final class ReferenceViewModel: ViewModel {
  static let longestWord = 8
  /// The most things that the page can have.
  static let mostThings = 200

  @Observed var word = ShortText("")
  lazy var length = Computed(self) { $0.word.text.count }
  /// The fault of the word; empty if it has none.
  lazy var problem = Computed(self) {
    $0.length.value > Self.longestWord ? "At most \(Self.longestWord) letters, please." : ""
  }
  @Observed var share = 0.25
  @Observed var isOpen = true
  /// Rows of two kinds.
  let things = KeyedList<any ViewModel>()
  lazy var canAdd = Computed(self) { $0.things.count < Self.mostThings }
  /// A bar for each letter of the word.
  lazy var heights = Computed(self) { $0.word.text.unicodeScalars.map { Int($0.value % 32) } }
  /// Rows of which a view shows a window; each is made when it is first shown.
  let numbers = KeyedList<NumberViewModel>(window: 40)
  /// The words that were said last, by whichever action.
  @Observed var said = ""
  @Observed var orientation = Orientation.portrait
  @Observed var visits = 0
  private let pause: @Sendable (Duration) async throws -> Void
  private var lastThing = 0

  /// - Parameter pause: lets time pass while the command counts.
  public init(pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }) {
    self.pause = pause
    append(NoteViewModel(ShortText("a note")))
    append(TaskViewModel(ShortText("a task")))
    numbers.update((1...1_000).map(String.init)) { NumberViewModel($0) }
  }

  /// Counts to ten in three seconds, if it is not cancelled.
  func count(_ run: CommandRun) async throws -> Int {
    for tenth in 1...10 {
      try await pause(.milliseconds(300))
      run.report(Double(tenth) / 10)
    }
    return 10
  }

  func say(_ text: String) { said = text }
  func greet(_ greeting: Greeting) { said = "\(greeting.how), \(greeting.whom)!" }

  func add() {
    if word.text.isEmpty { return }
    append(lastThing.isMultiple(of: 2) ? NoteViewModel(word) : TaskViewModel(word))
    word = ShortText("")
  }

  func remove(_ key: String) { things.remove(key) }
  func reverse() { things.reorder(things.keys.reversed()) }
  func appeared() { visits += 1 }
  func rotated(_ orientation: Orientation) { self.orientation = orientation }

  private func append(_ thing: any ViewModel) {
    lastThing += 1
    things.append(thing, key: "t\(lastThing)")
  }

  public static let surface = Surface<ReferenceViewModel>(
    "reference",
    about: "One of each thing that a page can bind, for the reference of the attributes.",
    .twoWay("word", \.$word),
    .value("length", \.length),
    .value("problem", \.problem),
    .twoWay("share", \.$share),
    .value("heights", \.heights).about("A bar for each letter of the word."),
    .twoWay("isOpen", \.$isOpen).inAddress(),
    .list("things", \.things, of: NoteViewModel.self, TaskViewModel.self) { _, _, kind in
      switch kind {
      case "note": NoteViewModel(ShortText(""))
      case "task": TaskViewModel(ShortText(""))
      default: nil
      }
    },
    .stored("lastThing", \.lastThing),
    .value("canAdd", \.canAdd).about("Whether there are fewer things than there may be."),
    .list("numbers", \.numbers, hasWindow: true).orderNotStored(),
    .value("said", \.$said),
    .value("orientation", \.$orientation),
    .value("visits", \.$visits),
    .command("count", ReferenceViewModel.count),
    .action("say", ReferenceViewModel.say),
    .action("greet", ReferenceViewModel.greet),
    .action("add", ReferenceViewModel.add, when: \.canAdd),
    .action("remove", ReferenceViewModel.remove),
    .action("reverse", ReferenceViewModel.reverse),
    .action("appeared", ReferenceViewModel.appeared),
    .action("rotated", ReferenceViewModel.rotated))
}
