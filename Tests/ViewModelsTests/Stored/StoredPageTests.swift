// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@Suite(.timeLimit(.minutes(30))) struct `The stored state of pages` {
  // MARK: A coordinator

  /// A page for each name, while there is a person of that name.
  final class People: ViewModel {
    final class Person: CoordinatedPage {
      @Observed var draft = ""
      let isGone: ObservableValue<Bool>
      init(_ name: String, _ people: Observable<[String]>) { isGone = Computed { !people.value.contains(name) } }
      static let surface = Surface<Person>("person", .twoWay("draft", \.$draft))
    }

    final class Root: ViewModel {
      @Observed var draft = ""
      static let surface = Surface<Root>("root", .twoWay("draft", \.$draft))
    }

    @Observed var people: [String]
    let navigation = Coordinator()

    /// - Parameter outside: the people that exist when the view model is made, whatever was stored.
    init(_ outside: [String] = ["anna", "bob"]) {
      people = outside
      navigation.build(self) { me, path in
        guard let name = path.last else { return Root() }
        return me.people.contains(name) ? Person(name, me.$people) : nil
      }
    }

    func remove(_ name: String) { people.removeAll { $0 == name } }

    static let surface = Surface<People>(
      "people", .nested("navigation", \.navigation), .value("people", \.$people).notStored(),
      .action("remove", People.remove))
  }

  private static let steps: [Change] = [
    .perform("navigation/go", ["anna", "bob", "anna"]), .set("navigation/pages/items/root/draft", "to all"),
    .set("navigation/pages/items/bob/draft", "to bob"), .set("navigation/pages/items/anna+/draft", "to anna, later"),
  ]

  @Test func `leads to the same pages, each with its own values`() throws {
    let again = try Restoring.expectSame(Self.steps, then: [.perform("navigation/back")]) { People() }
    try again.perform("remove", "bob")
    #expect(try again.shown["navigation"]?["path"] == ["anna"])
  }

  @Test func `leads as far as there are pages`() throws {
    let people = try hosted { People() }
    for step in Self.steps { try people.apply(step) }
    let navigation = try Restoring.restart(people) { People(["anna"]) }.shown["navigation"]
    #expect(navigation?["path"] == ["anna"])
    #expect(navigation?["pages"]?["order"] == ["root", "anna"])
    #expect(navigation?["pages"]?["items"]?["root"] == ["kind": "root", "draft": "to all"])
    #expect(try Restoring.restart(people) { People([]) }.shown["navigation"]?["canGoBack"] == false)
  }

  // MARK: Modules

  /// A page of modules that come and go, and are turned.
  final class Shop: ViewModel {
    struct Sign: ItemBundle {
      func content(in orientation: Orientation) -> String { orientation.isLandscape ? "wide" : "high" }
    }

    final class Stand: Module {
      let sign = BundleItem(Sign())
      let price = BundleItem(1)
      @Observed var name = ""
      private var turns = 0
      @Observed var told = 0
      var items: [ModuleItem] { [sign, price] }
      func willAppear() { price.bundle += 1 }
      func rotated(to orientation: Orientation) {
        turns += 1
        told = turns
      }
      static let surface = Surface<Stand>(
        "stand", .value("sign", \.sign.shown), .value("price", \.price.shown), .twoWay("name", \.$name),
        .value("told", \.$told), .stored("turns", \.turns))
    }

    let page = ModulePage()

    init() {
      page.append(Stand())
      page.append(TextModule("hello"))
      page.didLoad()
    }

    func add() { page.insert(Stand(), at: 0) }
    func removeFirst() { if page.count > 0 { page.remove(at: 0) } }
    func refresh() { page.refresh() }
    func jump() { if page.count > 0 { page.jump(to: 0) } }

    static let surface = Surface<Shop>(
      "shop",
      .modules("modules", \.page, of: Stand.self, TextModule.self) { _, _, kind in kind == "stand" ? Stand() : nil },
      .value("checks", \.page.checks), .value("refreshes", \.page.refreshes), .value("jumpedTo", \.page.jumpedTo),
      .action("willAppear", \.page.willAppear), .action("didAppear", \.page.didAppear),
      .action("didDisappear", \.page.didDisappear), .action("rotated", \.page.rotated), .action("add", Shop.add),
      .action("removeFirst", Shop.removeFirst), .action("refresh", Shop.refresh), .action("jump", Shop.jump))
  }

  @Test func `has the events of a page of modules, and the bundle of each`() throws {
    let again = try Restoring.expectSame(
      [
        .perform("willAppear"), .perform("add"), .perform("rotated", 3), .set("modules/items/stand-2/name", "new"),
      ], then: [.perform("refresh"), .perform("add")]
    ) { Shop() }
    #expect(try again.shown["modules"]?["order"] == ["stand-3", "stand-2", "stand", "text"])
  }

  @Test func `goes on as if nothing had been, whatever was done`() async throws {
    try await expectRestorable { Shop() }
    try await expectRestorable(without: ["remove"], texts: ["anna", "bob"]) { People() }
  }
}
