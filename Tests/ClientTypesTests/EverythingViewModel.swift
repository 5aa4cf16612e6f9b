// SPDX-License-Identifier: MIT
import EuripusApp
import Foundation

/// A view model with every kind of entry, and with names that are words of Swift.
final class EverythingViewModel: ViewModel {
  struct Params: Codable, JSONRepresentable {
    var start: Int
    var title: String?
  }

  enum Colour: String, Codable, CaseIterable, JSONRepresentable { case red, blue }

  struct Label: Codable, Equatable { var text: String }

  struct Card: Codable, Equatable, JSONRepresentable {
    var title: String
    var colour: Colour
    var due: Date?
    var labels: [Label]
    var weights: [String: Double]
    var id: UUID
    enum CodingKeys: String, CodingKey { case title, colour, due, labels, weights, id = "the-id" }
  }

  /// A value with a member that is always there, and may be `null`.
  struct Wish: Equatable, JSONRepresentable {
    var text: String?
    static let jsonTypeName = "object with 'text'"
    static let jsonSchema = JSONSchema.object([("text", String.jsonSchema.orNull)]).titled("Wish")
    init(text: String?) { self.text = text }
    init(json: JSON) throws(JSONMismatch) {
      guard let text = json["text"] else { throw JSONMismatch(expected: Self.jsonTypeName, found: json) }
      self.text = try String?(json: text)
    }
    func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.key("text")
      text.write(to: &writer)
      writer.endObject()
    }
  }

  @Observed var count: Int
  @Observed var note: String? = nil
  @Observed var card: Card
  @Observed var wish = Wish(text: "rain")
  @Observed var share = 0.5
  @Observed var isOn = false
  @Observed var password = ""
  @Observed var wages = 0
  lazy var email = Field(self, "")
  let rows = KeyedList<RowViewModel>()
  let things = KeyedList<any ViewModel>()
  let numbers = KeyedList<RowViewModel>(window: 2)
  @Observed(cutOff: .never) var child: EverythingChild? = nil
  lazy var when = Computed(self) { $0.card.due }

  init(_ context: SessionContext) {
    count = context.params(Params.self).start
    let due = Date(timeIntervalSince1970: 1_000_000.25)
    let id = UUID(uuidString: "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6") ?? UUID()
    card = Card(title: "One", colour: .red, due: due, labels: [Label(text: "a")], weights: ["x": 1.5], id: id)
    rows.append(RowViewModel("first"), key: "a/b ~")
    things.append(RowViewModel("row"), key: "1")
    things.append(EverythingChild(), key: "2")
    numbers.update(["1", "2", "3"]) { RowViewModel($0) }
  }

  func show(_ card: Card) { self.card = card }
  func want(_ wish: Wish) { self.wish = wish }
  func double(_ number: Int) -> Int { number * 2 }
  func find(_ text: String) -> Card? { text == card.title ? card : nil }
  func move(_ card: String, _ index: Int) { note = "\(card) \(index)" }
  func grow() { child = EverythingChild() }
  func publish(_ note: String, _ run: CommandRun) async throws -> Card {
    run.report(0.5)
    card.title = note
    return card
  }
  func rest() async throws {}
  func clear() { note = nil }

  static let surface = Surface<EverythingViewModel>(
    "every-thing", about: "One of each */ kind.",
    .params(Params.self),
    .value("count", \.$count), .twoWay("note", \.$note).about("A note, or none."), .twoWay("card", \.$card),
    .value("wish", \.$wish), .twoWay("share", \.$share), .twoWay("is-on", \.$isOn), .secret("password", \.$password),
    .twoWay("wages", \.$wages).visible(to: .role("accounts")), .field("email", \.email, .required),
    .list("rows", \.rows), .list("things", \.things, of: RowViewModel.self, EverythingChild.self),
    .list("numbers", \.numbers, hasWindow: true), .nested("child", \.$child), .value("default", \.when),
    .action("show", EverythingViewModel.show), .action("want", EverythingViewModel.want),
    .action("double", EverythingViewModel.double), .action("find", EverythingViewModel.find),
    .action("move", EverythingViewModel.move, takes: "card", "index"), .action("init", EverythingViewModel.grow),
    .command("publish", EverythingViewModel.publish).about("Publishes a note."),
    .command("rest", EverythingViewModel.rest),
    .action("clear", EverythingViewModel.clear, when: { $0.note != nil }))
}

/// A row with a value, and actions of its own.
final class RowViewModel: ViewModel {
  @Observed var text: String
  init(_ text: String) { self.text = text }
  func shout() { text = text.uppercased() }
  static let surface = Surface<RowViewModel>("row", .twoWay("text", \.$text), .action("shout", RowViewModel.shout))
}

/// A view model that may have one of its own type within it, and none at first.
final class EverythingChild: ViewModel {
  @Observed var depth = 0
  @Observed(cutOff: .never) var child: EverythingChild? = nil
  func grow() { child = EverythingChild() }
  static let surface = Surface<EverythingChild>(
    "child", .value("depth", \.$depth), .nested("child", \.$child), .action("grow", EverythingChild.grow))
}

/// A view model whose names on the wire become one name in Swift. It also has texts that Swift writes in
/// another way than JSON.
final class CollidingViewModel: ViewModel {
  enum Sign: String, Codable, CaseIterable, JSONRepresentable {
    case bell = "\u{7}"
    case quoted = "\"\\"
    case back = "\u{8}"
  }

  @Observed var first = 0
  @Observed var second = 0
  @Observed var flag = false
  @Observed var sign = Sign.bell
  let items = KeyedList<RowViewModel>()

  func act() {}
  func run() async throws {}

  static let surface = Surface<CollidingViewModel>(
    "colliding", .twoWay("a-b", \.$first), .twoWay("aB", \.$second), .value("flag", \.$flag), .twoWay("sign", \.$sign),
    .value("cancelStop", \.$flag), .list("items", \.items), .action("do-it", CollidingViewModel.act),
    .action("doIt", CollidingViewModel.act), .action("itemsRowShout", CollidingViewModel.act),
    .action("cancelRun", CollidingViewModel.act), .command("run", CollidingViewModel.run),
    .command("stop", CollidingViewModel.run))
}
