// SPDX-License-Identifier: MIT
import Euripus

/// A view model with an entry for each thing that a page may have.
final class SheetViewModel: ViewModel {
  enum Size: String, Codable, CaseIterable, JSONRepresentable { case small, veryLarge }

  struct Age: Codable, Equatable, JSONRepresentable {
    var years = 0
    static let jsonTypeName = "age"
    static let jsonSchema = JSONSchema.integer(in: 0...120)
    init() {}
    init(json: JSON) throws(JSONMismatch) { years = try Int(json: json) }
    func write(to writer: inout JSONWriter) { writer.integer(years) }
  }

  struct Essay: Equatable, JSONRepresentable {
    var text = ""
    static let jsonTypeName = "essay"
    static let jsonSchema = JSONSchema(["type": "string", "maxLength": 2_000])
    init() {}
    init(json: JSON) throws(JSONMismatch) { text = try String(json: json) }
    func write(to writer: inout JSONWriter) { writer.string(text) }
  }

  struct Move: Codable, Equatable, JSONRepresentable {
    var part: String
    var place: Int?
    var size: Size
    var isLast: Bool
  }

  @Observed var firstName = ""
  @Observed var age = Age()
  @Observed var essay = Essay()
  @Observed var isPublic = false
  @Observed var size = Size.small
  @Observed var code = ""
  @Observed var tags: [String] = []
  @Observed var total = 1
  @Observed var isReady = true
  @Observed var marks: [Int] = []
  @Observed var firstNameHint = ""
  @Observed var problem = ""
  @Observed var link = "/sheets/1"
  @Observed var paper: FileOffer?
  @Observed var canSend = false
  lazy var email = Field(self, "")
  let parts = KeyedList<SheetPart>()
  @Observed(cutOff: .never) var child: SheetPart? = nil

  func send() {}
  func removePart(_ key: String) {}
  func move(_ move: Move) {}
  func resize(_ size: Size) {}
  func willAppear() {}
  func firstNameDidChange(_ text: String) {}
  nonisolated(nonsending) func save() async throws -> Int { 1 }
  nonisolated(nonsending) func export() async throws -> FileOffer { throw CancellationError() }
  nonisolated(nonsending) func find(_ text: String) async throws {}

  static let surface = Surface<SheetViewModel>(
    "time-sheet", about: "Hours & <i>minutes</i>.",
    .twoWay("firstName", \.$firstName).about("As in a \"passport\"."), .twoWay("age", \.$age),
    .twoWay("essay", \.$essay), .twoWay("isPublic", \.$isPublic), .twoWay("size", \.$size), .secret("code", \.$code),
    .field("email", \.email, .required, .length(3...80)), .twoWay("tags", \.$tags),
    .value("total", \.$total).about("All <hours>."), .value("isReady", \.$isReady), .value("marks", \.$marks),
    .value("firstNameHint", \.$firstNameHint), .value("problem", \.$problem), .value("link", \.$link),
    .value("paper", \.$paper), .value("canSend", \.$canSend),
    .list("parts", \.parts), .list("others", \.parts, hasWindow: true), .nested("child", \.$child),
    .action("send", SheetViewModel.send, when: \.$canSend).about("Sends it."),
    .action("removePart", SheetViewModel.removePart), .action("move", SheetViewModel.move),
    .action("resize", SheetViewModel.resize), .action("willAppear", SheetViewModel.willAppear),
    .action("firstNameDidChange", SheetViewModel.firstNameDidChange), .command("save", SheetViewModel.save),
    .command("export", SheetViewModel.export), .command("find", SheetViewModel.find))
}

/// A row, which may have one of its own kind within it.
final class SheetPart: ViewModel {
  @Observed var name = ""
  @Observed var hours = 0
  @Observed(cutOff: .never) var inner: SheetPart? = nil
  func rename(_ name: String) {}
  func clear() {}

  static let surface = Surface<SheetPart>(
    "part", .value("name", \.$name), .twoWay("hours", \.$hours), .nested("inner", \.$inner),
    .action("rename", SheetPart.rename), .action("clear", SheetPart.clear))
}

/// A view model with parameters.
final class SheetOfYear: ViewModel {
  struct Params: Codable, JSONRepresentable {
    var year: Int
    var team: String?
    var isOpen: Bool
  }

  @Observed var note = ""
  init(_ context: SessionContext) {}
  static let surface = Surface<SheetOfYear>("sheet-of-year", .params(Params.self), .twoWay("note", \.$note))
}
