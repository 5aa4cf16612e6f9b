// SPDX-License-Identifier: MIT
import ObservableCore
import ViewModels

struct Thing: Equatable {}

final class Page: ViewModel {
  var count = 0
  var rows: [Int] = []
  var child: Page?
  @Observed var draft = ""
  @Observed var thing = Thing()
  lazy var canAdd = Computed(self) { _ in true }
  lazy var title = Field(self, "")
  lazy var age = Field<Int?>(self, nil)
  func add() {}
  func move(_ key: String, _ index: Int) {}
  func take(_ thing: Thing) {}
  func publish(_ note: String, _ run: CommandRun) async throws -> Int { note.count }
  nonisolated(nonsending) func load(_ page: Int) async -> Int { page }
  nonisolated(nonsending) func save() async {}

  static let surface = Surface<Page>("page", .value("canAdd", \.canAdd), .action("add", Page.add))

  // expected error: 'action(_:_:when:)' is unavailable: a method of several values has names for them: expected 'takes: "first", "second"'
  static let actionOfTwoValuesWithoutNames = Surface<Page>("page", .action("move", Page.move))

  // expected error: type 'Page' has no member 'hiide'
  static let actionThatIsNotThere = Surface<Page>("page", .action("hide", Page.hiide))

  // expected error: 'action(_:_:when:)' is unavailable: an async method is a command: expected '.command'
  static let asyncMethodAsAnAction = Surface<Page>("page", .action("save", Page.save))

  // expected error: 'action(_:_:when:)' is unavailable: an async method is a command: expected '.command'
  static let asyncMethodWithACondition = Surface<Page>("page", .action("save", Page.save, when: \.canAdd))

  // expected error: call can throw, but errors cannot be thrown out of a global variable initializer
  // expected warning: an async method has to stay in its session: add .enableUpcomingFeature("NonisolatedNonsendingByDefault") to the swiftSettings of the target, or write 'nonisolated(nonsending)' before 'func'
  static let commandOffItsSession = Surface<Page>("page", .command("publish", Page.publish))

  // expected error: 'command(_:_:policy:when:)' is unavailable: the condition has to be a Bool, or an observable of one
  static let conditionOfACommandThatIsNoBool = Surface<Page>("page", .command("load", Page.load, when: \.count))

  // expected error: 'action(_:_:when:)' is unavailable: the condition has to be a Bool, or an observable of one
  static let conditionThatIsNoBool = Surface<Page>("page", .action("add", Page.add, when: \.count))

  // expected error: 'twoWay' is unavailable: it is a field, which the view shows with its error: expected '.field'
  static let fieldAsTwoWay = Surface<Page>("page", .twoWay("title", \.title))

  // expected error: 'field(_:_:_:when:)' is unavailable: a field has more than a value: expected 'lazy var name = Field(self, …)' as '\.name', or '.twoWay'
  static let fieldOfAnObservedVariable = Surface<Page>("page", .field("draft", \.$draft, .required))

  // expected error: 'length' is unavailable: the field has no text: expected '.range' for a number, or '.rule'
  static let fieldWithARuleOfAnotherType = Surface<Page>("page", .field("age", \.age, .length(1...3)))

  // expected error: 'list' is unavailable: the view follows a list by its keys: expected a 'KeyedList' of view models, or '.value' for an array
  static let listOfAnArray = Surface<Page>("page", .list("rows", \.rows))

  // expected error: 'nested' is unavailable: a view model that may be absent has to be observed
  static let nestedThatMayBeAbsent = Surface<Page>("page", .nested("child", \.child))

  // expected error: 'twoWay' is unavailable: a client cannot write what is computed: expected '.value', or an '@Observed var' as '\.$name'
  static let twoWayOfAComputed = Surface<Page>("page", .twoWay("canAdd", \.canAdd))

  // expected error: 'twoWay' is unavailable: a client writes an observed variable by its observable: expected '@Observed var name' and '\.$name'
  static let twoWayOfAPlainVariable = Surface<Page>("page", .twoWay("draft", \.draft))

  // expected error: 'twoWay' is unavailable: the type of the value has no JSON: expected 'Codable, JSONRepresentable' beside its name; for Date, UUID, URL and Decimal 'import EuripusFoundation'
  static let twoWayWithoutJSON = Surface<Page>("page", .twoWay("thing", \.$thing))

  // expected error: 'value' is unavailable: the view follows what is observed: expected '@Observed var name' as '\.$name', or a 'Computed' as '\.name'
  static let valueOfAPlainVariable = Surface<Page>("page", .value("count", \.count))

  // expected error: 'action(_:_:when:)' is unavailable: what the method takes and gives has to have JSON: expected 'struct TheType: Codable, JSONRepresentable'
  static let actionOfATypeWithoutJSON = Surface<Page>("page", .action("take", Page.take))

  // expected error: 'value' is unavailable: the type of the value has no JSON: expected 'Codable, JSONRepresentable' beside its name; for Date, UUID, URL and Decimal 'import EuripusFoundation'
  static let valueWithoutJSON = Surface<Page>("page", .value("thing", \.$thing))

  func find(_ name: String, _ database: DatabaseTransaction) throws -> [Int] {
    // expected error: 'execute' is unavailable: a statement is a literal, with '?' for each value: execute("… WHERE id = ?", id)
    _ = try database.execute("DELETE FROM things WHERE name = '\(name)'")
    // expected error: 'query(_:_:as:)' is unavailable: a statement is a literal, with '?' for each value: query("… WHERE id = ?", id)
    return try database.query("SELECT id FROM things WHERE name = '" + name + "'")
  }
}
