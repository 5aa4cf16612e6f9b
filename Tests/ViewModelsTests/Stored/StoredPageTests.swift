// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Testing
import ViewModels

@testable import ObservableCore

@Suite(.timeLimit(.minutes(5))) struct `The stored state of pages` {
  // MARK: A coordinator

  /// A page for each name, while there is a person of that name.
  final class People: ViewModel {
    final class Person: CoordinatedPage {
      let draft = Observable("")
      let isGone: ObservableValue<Bool>
      init(_ name: String, _ people: Observable<[String]>) { isGone = Computed { !people.value.contains(name) } }
      static let surface = Surface<Person>("person", .twoWay("draft", \.draft))
    }

    final class Root: ViewModel {
      let draft = Observable("")
      static let surface = Surface<Root>("root", .twoWay("draft", \.draft))
    }

    let people = Observable(["anna", "bob"])
    let navigation = Coordinator()
    let remove = Observer<String>()

    /// - Parameter outside: the people that exist when the view model is made, whatever was stored.
    init(_ outside: [String] = ["anna", "bob"]) {
      people.value = outside
      navigation.build(self) { me, path in
        guard let name = path.last else { return Root() }
        return me.people.value.contains(name) ? Person(name, me.people) : nil
      }
      remove.handle(self) { me, name in me.people.value.removeAll { $0 == name } }
    }

    static let surface = Surface<People>(
      "people", .nested("navigation", \.navigation), .value("people", \.people).notStored(), .action("remove", \.remove)
    )
  }

  private static let pages = ["navigation", "pages", "items"]

  private func people() throws -> any HostedModel {
    let model = try HostedModelType.hosting { People() }.make(for: "a session")
    try model.perform(["navigation", "go"], ["anna", "bob", "anna"])
    try model.set(Self.pages + ["root", "draft"], "to all")
    try model.set(Self.pages + ["bob", "draft"], "to bob")
    try model.set(Self.pages + ["anna+", "draft"], "to anna, later")
    return model
  }

  @Test func `leads to the same pages, each with its own values`() throws {
    let model = try people()
    let again = try Restoring.restart(model) { People() }
    #expect(try Restoring.state(again) == Restoring.state(model))
    #expect(Restoring.stored(again) == Restoring.stored(model))
    for each in [model, again] { try each.perform(["navigation", "back"], nil) }
    #expect(try Restoring.state(again) == Restoring.state(model))
    try again.perform(["remove"], "bob")
    #expect(try Restoring.state(again)["navigation"]?["path"] == ["anna"])
  }

  @Test func `leads as far as there are pages`() throws {
    let again = try Restoring.restart(try people()) { People(["anna"]) }
    let navigation = try Restoring.state(again)["navigation"]
    #expect(navigation?["path"] == ["anna"])
    #expect(navigation?["pages"]?["order"] == ["root", "anna"])
    #expect(navigation?["pages"]?["items"]?["root"] == ["kind": "root", "draft": "to all"])
    let alone = try Restoring.restart(try people()) { People([]) }
    #expect(try Restoring.state(alone)["navigation"]?["canGoBack"] == false)
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
      let name = Observable("")
      private var turns = 0
      let told = Observable(0)
      var items: [ModuleItem] { [sign, price] }
      func willAppear() { price.bundle += 1 }
      func rotated(to orientation: Orientation) {
        turns += 1
        told.value = turns
      }
      static let surface = Surface<Stand>(
        "stand", .value("sign", \.sign.shown), .value("price", \.price.shown), .twoWay("name", \.name),
        .value("told", \.told), .stored("turns", \.turns))
    }

    let page = ModulePage()
    let add = Observer<Void>()
    let removeFirst = Observer<Void>()
    let refresh = Observer<Void>()
    let jump = Observer<Void>()

    init() {
      page.append(Stand())
      page.append(TextModule("hello"))
      add.handle(self) { shop, _ in shop.page.insert(Stand(), at: 0) }
      removeFirst.handle(self) { shop, _ in if shop.page.count > 0 { shop.page.remove(at: 0) } }
      refresh.handle(self) { shop, _ in shop.page.refresh() }
      jump.handle(self) { shop, _ in if shop.page.count > 0 { shop.page.jump(to: 0) } }
      page.didLoad()
    }

    static let surface = Surface<Shop>(
      "shop",
      .modules("modules", \.page, of: Stand.self, TextModule.self) { _, _, kind in kind == "stand" ? Stand() : nil },
      .value("checks", \.page.checks), .value("refreshes", \.page.refreshes), .value("jumpedTo", \.page.jumpedTo),
      .action("willAppear", \.page.willAppear), .action("didAppear", \.page.didAppear),
      .action("didDisappear", \.page.didDisappear), .action("rotated", \.page.rotated), .action("add", \.add),
      .action("removeFirst", \.removeFirst), .action("refresh", \.refresh), .action("jump", \.jump))
  }

  @Test func `has what happened to a page of modules, and what each is bound from`() throws {
    let shop = try HostedModelType.hosting { Shop() }.make(for: "a session")
    try shop.perform(["willAppear"], nil)
    try shop.perform(["add"], nil)
    try shop.perform(["rotated"], 3)
    try shop.set(["modules", "items", "stand-2", "name"], "new")
    let again = try Restoring.restart(shop) { Shop() }
    #expect(try Restoring.state(again) == Restoring.state(shop))
    for each in [shop, again] {
      try each.perform(["refresh"], nil)
      try each.perform(["add"], nil)
    }
    #expect(try Restoring.state(again) == Restoring.state(shop))
    #expect(try Restoring.state(again)["modules"]?["order"] == ["stand-3", "stand-2", "stand", "text"])
  }

  @Test func `goes on as if nothing had been, whatever was done`() async throws {
    try await expectRestorable { Shop() }
  }

  @Test func `goes on as if nothing had been, wherever one was`() async throws {
    try await expectRestorable(without: ["remove"], texts: ["anna", "bob"]) { People() }
  }
}
