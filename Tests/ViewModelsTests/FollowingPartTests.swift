// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

/// A view model with a part that follows a sequence, in one of the places for parts.
private final class Studio: ViewModel {
  final class Listener: Module {
    private let heard = Observer<Int>()
    init(_ numbers: AsyncStream<Int>) { heard.follow(numbers) }
    static let surface = Surface<Listener>("listener")
  }

  let rows = KeyedList<Listener>()
  let page = ModulePage()
  let navigation = Coordinator()

  init(_ place: String, whenOver: @escaping @Sendable () -> Void) {
    func listener(_ isHeard: Bool) -> Listener {
      Listener(
        AsyncStream { numbers in if isHeard { numbers.onTermination = { _ in whenOver() } } else { numbers.finish() } })
    }
    rows.append(listener(place == "rows"), key: "a")
    page.append(listener(place == "modules"))
    page.didLoad()
    navigation.build(self) { _, path in listener(place == "pages" && !path.isEmpty) }
  }

  func remove() { rows.remove("a") }
  func replace() { rows.put(Listener(AsyncStream { $0.finish() }), key: "a") }
  func cut() { page.remove(at: 0) }

  static let surface = Surface<Studio>(
    "studio", .list("rows", \.rows), .modules("modules", \.page), .nested("navigation", \.navigation),
    .action("remove", Studio.remove), .action("replace", Studio.replace), .action("cut", Studio.cut))
}

@Suite(.timeLimit(.minutes(30))) struct `A sequence that a part follows` {
  @Test(arguments: [("rows", "remove"), ("rows", "replace"), ("modules", "cut"), ("pages", "navigation/back")])
  func `ends as the part leaves, be it a row, a module or a page`(place: String, leaving: String) async throws {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let studio = try ModelDriver { Studio(place) { end.finish() } }
    try studio.perform("navigation/go", ["booth"] as JSON)
    try studio.perform(leaving)
    for await _ in ends {}
  }
}
