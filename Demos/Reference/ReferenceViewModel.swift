// SPDX-License-Identifier: MIT
public import Euripus

/// One of each thing that a page can bind: what the reference of the attributes shows them by.
public final class ReferenceViewModel: ViewModel {
  static let longestWord = 8
  /// No more things can be added.
  static let mostThings = 200

  let word = Observable(ShortText(""), name: "word")
  let length: Computed<Int>
  /// The fault of the word; empty if nothing is.
  let problem: Computed<String>
  let share = Observable(0.25, name: "share")
  let isOpen = Observable(true, name: "isOpen")
  /// Rows of two kinds.
  let things = KeyedList<any ViewModel>(name: "things")
  let canAdd: Computed<Bool>
  /// Rows of which a view shows a window; each is made when it is first shown.
  let numbers = KeyedList<NumberViewModel>(window: 40, name: "numbers")
  /// The words that were said last, by whichever action.
  let said = Observable("", name: "said")
  let orientation = Observable(Orientation.portrait, name: "orientation")
  let visits = Observable(0, name: "visits")

  let say = Observer<String>()
  let greet = Observer<Greeting>()
  let add = Observer<Void>()
  let remove = Observer<String>()
  let reverse = Observer<Void>()
  let appeared = Observer<Void>()
  let rotated = Observer<Orientation>()

  /// Counts to ten in three seconds, if it is not cancelled.
  private(set) lazy var count = Command<Void, Int>(self, name: "count") { me, _, run in
    let pause = try me().pause
    for tenth in 1...10 {
      try await pause(.milliseconds(300))
      run.report(Double(tenth) / 10)
    }
    return 10
  }

  private let pause: @Sendable (Duration) async throws -> Void
  private var lastThing = 0

  /// - Parameter pause: lets time pass while the command counts.
  public init(pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }) {
    self.pause = pause
    let word = word
    length = Computed(name: "length") { word.value.text.count }
    problem = Computed(name: "problem") {
      word.value.text.count > Self.longestWord ? "At most \(Self.longestWord) letters, please." : ""
    }
    canAdd = Computed(name: "canAdd") { [things] in things.count < Self.mostThings }
    say.handle(self) { page, text in page.said.value = text }
    greet.handle(self) { page, greeting in page.said.value = "\(greeting.how), \(greeting.whom)!" }
    add.handle(self) { page, _ in page.addWord() }
    remove.handle(self) { page, key in page.things.remove(key) }
    reverse.handle(self) { page, _ in page.things.reorder(page.things.keys.reversed()) }
    appeared.handle(self) { page, _ in page.visits.value += 1 }
    rotated.handle(self) { page, orientation in page.orientation.value = orientation }
    _ = count
    append(NoteViewModel(ShortText("a note")))
    append(TaskViewModel(ShortText("a task")))
    numbers.update((1...1_000).map(String.init)) { NumberViewModel($0) }
  }

  private func addWord() {
    if word.value.text.isEmpty { return }
    append(lastThing.isMultiple(of: 2) ? NoteViewModel(word.value) : TaskViewModel(word.value))
    word.value = ShortText("")
  }

  private func append(_ thing: any ViewModel) {
    lastThing += 1
    things.append(thing, key: "t\(lastThing)")
  }

  public static let surface = Surface<ReferenceViewModel>(
    "reference",
    about: "One of each thing that a page can bind, for the reference of the attributes.",
    .twoWay("word", \.word),
    .value("length", \.length),
    .value("problem", \.problem),
    .twoWay("share", \.share),
    .twoWay("isOpen", \.isOpen),
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
    .value("said", \.said),
    .value("orientation", \.orientation),
    .value("visits", \.visits),
    .command("count", \.count),
    .action("say", \.say),
    .action("greet", \.greet),
    .action("add", \.add, when: \.canAdd),
    .action("remove", \.remove),
    .action("reverse", \.reverse),
    .action("appeared", \.appeared),
    .action("rotated", \.rotated))
}
