// SPDX-License-Identifier: MIT
import EuripusApp
import JSONPatching
import ObservableCore

final class Page: ViewModel {
  @Observed var count = 0
  // expected error: cannot find 'self' in scope; did you mean to use it in a type or extension context?
  let computedOfSelfThatIsNotLazy = Computed(self) { $0.count * 2 }

  static let surface = Surface<Page>("page", .value("count", \.$count))
}

final class Form: ViewModel {
  // expected error: 'init(_:)' is unavailable: a field finds its rules on the surface of its view model: expected 'lazy var name = Field(self, …)'
  let fieldWithoutItsViewModel = Field("")

  static let surface = Surface<Form>("form", .field("title", \.fieldWithoutItsViewModel, .required))
}

final class Article {
  // expected error: call can throw, but errors cannot be thrown out of a property initializer
  // expected warning: an async method has to stay in its session: add .enableUpcomingFeature("NonisolatedNonsendingByDefault") to the swiftSettings of the target, or write 'nonisolated(nonsending)' before 'func'
  lazy var commandOffItsSession = Command(self, Article.publish)
  func publish(_ note: String, _ run: CommandRun) async throws -> Int { 1 }

  // expected error: call can throw, but errors cannot be thrown out of a property initializer
  // expected warning: an async method has to stay in its session: add .enableUpcomingFeature("NonisolatedNonsendingByDefault") to the swiftSettings of the target, or write 'nonisolated(nonsending)' before 'func'
  lazy var commandOfNothing = Command(self, Article.withdraw)
  func withdraw() async throws -> Int { 1 }
}

struct Plain {}

// expected error: 'init(wrappedValue:)' is unavailable: the type is not Equatable: say what is no change
final class ObservedThatIsNotEquatable { @Observed var plain = Plain() }

// expected error: unavailable initializer 'init(json:)' was used to satisfy a requirement of protocol 'JSONRepresentable': the type does not say its JSON: expected 'Codable, JSONRepresentable', or 'init(json:)', 'write(to:)' and 'jsonTypeName' of its own
struct JSONOfATypeThatIsNotCodable: Equatable, JSONRepresentable {
  var name = ""
}

// expected error: non-class type 'Struct' cannot conform to class protocol 'ViewModel'
struct Struct: ViewModel {
  static let surface = Surface<Struct>("page")
}

// expected error: protocol 'ViewModel' requirement 'surface' cannot be satisfied by a non-final class ('Open')
class Open: ViewModel {
  static let surface = Surface<Open>("page")
}

final class Note: ViewModel {
  init(_ text: String) {}

  static let surface = Surface<Note>("note")
}

final class Other {}

struct ModelsOfAType: EuripusApp {
  // expected error: 'buildExpression' is unavailable: a line is a maker of a view model: expected its '.init', or 'hosting { … }'
  var models: Models { Page.self }
}

struct ModelsOfAnInitThatTakesSomething: EuripusApp {
  // expected error: 'buildExpression' is unavailable: this 'init' takes something: expected 'hosting { … }' around a call of it
  var models: Models { Note.init }
}

struct ModelsOfAnInstance: EuripusApp {
  // expected error: 'buildExpression' is unavailable: each session has a view model of its own: expected its '.init', or 'hosting { … }' around it
  var models: Models { Page() }
}

struct ModelsOfNoViewModel: EuripusApp {
  // expected error: 'buildExpression' is unavailable: a line is the '.init' of a class that is a 'ViewModel', or 'hosting { … }'
  var models: Models { Other.init }
}
