// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

/// People who know each other, and a page for each; the root's is a list.
private final class People: ViewModel {
  struct Failure: Error {}

  final class Person: CoordinatedPage {
    let name: String
    let greeting: ObservableValue<String>
    let isGone: ObservableValue<Bool>
    init(_ name: String, among people: Observable<[String]>) {
      self.name = name
      greeting = Observable("I am \(name)")
      isGone = Computed { !people.value.contains(name) }
    }
    static let surface = Surface<Person>("person", .value("greeting", \.greeting))
  }

  final class Everybody: ViewModel {
    let show = Observer<String>()
    static let surface = Surface<Everybody>("everybody", .action("show", \.show))
  }

  @Observed var people = ["anna", "bob", "root"]
  let navigation = Coordinator()
  @Observed var built: [String] = []

  init() {
    navigation.build(self) { me, path in
      me.built.append(path.joined(separator: "/"))
      if let name = path.last { return me.people.contains(name) ? Person(name, among: me.$people) : nil }
      let page = Everybody()
      page.show.handle(me.navigation) { $0.push($1) }
      return page
    }
  }

  func remove(_ name: String) { people.removeAll { $0 == name } }
  func removeAndFail(_ name: String) throws {
    remove(name)
    navigation.go(to: ["bob"])
    throw Failure()
  }

  static let surface = Surface<People>(
    "people", .nested("navigation", \.navigation), .value("built", \.$built), .action("remove", People.remove),
    .action("removeAndFail", People.removeAndFail))
}

@Suite struct `A coordinator` {
  private let people: ModelDriver

  init() throws { people = try ModelDriver { People() } }

  private func go(_ path: [String]) throws {
    try people.perform("navigation/go", .array(path.map { .string($0) }))
  }

  private func person(_ name: String) -> JSON { ["kind": "person", "greeting": .string("I am \(name)")] }

  @Test func `S3-14 has the root's page built at first, and each page when the path leads to it`() throws {
    #expect(
      people["navigation"] == [
        "path": [], "notFound": .null, "canGoBack": false,
        "pages": ["order": ["root"], "items": ["root": ["kind": "everybody"]]],
      ])
    try people.perform("navigation/pages/items/root/show", "anna")
    #expect(people["navigation/path"] == ["anna"])
    #expect(people["navigation/canGoBack"] == true)
    #expect(people["navigation/pages/order"] == ["root", "anna"])
    #expect(people["navigation/pages/items/anna"] == person("anna"))
    #expect(people["built"] == ["", "anna"])
  }

  @Test func `goes back page by page, and no further than to the root's`() throws {
    try go(["anna", "bob"])
    try people.perform("navigation/back")
    #expect(people["navigation/path"] == ["anna"])
    try people.perform("navigation/back")
    #expect(people["navigation/path"] == [])
    #expect(throws: SurfaceError.self) { try people.perform("navigation/back") }
    #expect(people["navigation/pages/order"] == ["root"])
  }

  @Test func `pages that stay on the path are the same ones`() throws {
    try go(["anna", "bob"])
    try go(["anna", "root", "bob"])
    #expect(people["navigation/path"] == ["anna", "root", "bob"])
    #expect(people["built"] == ["", "anna", "anna/bob", "anna/root", "anna/root/bob"])
    _ = people.takeChanges()
    try go(["anna", "root", "bob"])
    #expect(people.takeChanges() == [])
  }

  @Test func `one that is twice on the path has two keys, as one called like the root has`() throws {
    try go(["anna", "bob", "anna", "anna", "root"])
    #expect(people["navigation/pages/order"] == ["root", "anna", "bob", "anna+", "anna++", "root+"])
    #expect(people["navigation/pages/items/anna++"] == person("anna"))
  }

  @Test func `S3-R9 a path is restored as far as it leads; the page that is missing and those above it are dropped`()
    throws
  {
    try go(["anna", "nobody", "bob"])
    #expect(people["navigation/path"] == ["anna"])
    #expect(people["navigation/pages/order"] == ["root", "anna"])
    #expect(people["built"] == ["", "anna", "anna/nobody"])
    try go(["nobody"])
    #expect(people["navigation/path"] == [])
  }

  @Test func `S3-R7 pops a page that goes with its model, and the pages above it, in one revision`() throws {
    try go(["bob", "anna", "bob", "root"])
    let revision = people.revision
    try people.perform("remove", "anna")
    #expect(people["navigation/path"] == ["bob"])
    #expect(people["navigation/pages/order"] == ["root", "bob"])
    #expect(people.revision == revision + 1)
    try people.perform("remove", "root")
    #expect(people["navigation/pages/order"] == ["root", "bob"])
  }

  @Test func `an action that throws leaves the pages as they were, and a page that goes later is popped`() throws {
    try go(["bob", "anna"])
    let before = people.state
    #expect(throws: ViewModelFailure.self) { try people.perform("removeAndFail", "anna") }
    #expect(people["navigation"] == before["navigation"])
    try people.perform("remove", "anna")
    #expect(people["navigation/path"] == ["bob"])
  }

  @Test func `follows no path for ever`() throws {
    try go(Array(repeating: "anna", count: 5_000))
    guard case .array(let path)? = people["navigation/path"] else { throw People.Failure() }
    #expect(path.count == Coordinator.maximumDepth)
  }

  @Test func `has no pages without a builder, and shows those of the builder that it gets`() throws {
    let navigation = Coordinator()
    navigation.go(to: ["a"])
    #expect(navigation.pages.isEmpty)
    #expect(try navigation.path.get() == [])
    let people = Observable(["a"])
    navigation.build(people) { people, path in People.Person(path.last ?? "a", among: people) }
    navigation.push("a")
    #expect(navigation.pages.keys == ["root", "a"])
    people.value = []
    #expect(navigation.pages.isEmpty)
    #expect(try navigation.path.get() == [])
  }

  @Test func `goes with its owner, and does not keep it`() {
    weak var gone: People?
    weak var page: People.Person?
    do {
      let people = People()
      people.navigation.push("anna")
      gone = people
      page = people.navigation.pages["anna"] as? People.Person
      #expect(page != nil)
    }
    #expect(gone == nil)
    #expect(page == nil)
  }
}
