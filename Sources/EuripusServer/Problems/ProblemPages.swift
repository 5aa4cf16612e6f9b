// SPDX-License-Identifier: MIT
import HTTPListening
import JSONPatching

/// The pages on which it stands what each kind of problem means, and the one that lists them (PROTOCOL §1): as text, as
/// HTML and as JSON, made once.
struct ProblemPages: Sendable {
  /// The media types, the first where a client likes all of them the same: a terminal shows text.
  static let types = ["text/plain", "text/html", "application/json"]

  static let all = ProblemPages()

  private let list: [String: FixedDocument]
  private let pages: [Problem.Kind: [String: FixedDocument]]

  private init() {
    list = Self.documents(
      text: ProblemText.list(), html: ProblemHTML.list(),
      json: ["problems": .array(Problem.Kind.allCases.map { Self.summary($0) })])
    let pages = Problem.Kind.allCases.map { kind in
      (kind, Self.documents(text: ProblemText.page(kind), html: ProblemHTML.page(kind), json: Self.json(kind)))
    }
    self.pages = Dictionary(uniqueKeysWithValues: pages)
  }

  /// - Parameter name: of the kind; `nil` for the list.
  /// - Throws: `not-found` for a kind that there is not, `not-acceptable` for a client that takes none of the forms.
  func response(_ name: String?, _ request: HTTPRequest) throws(Problem) -> HTTPResponse {
    guard let documents = name.map({ Problem.Kind(rawValue: $0).flatMap { pages[$0] } }) ?? list else {
      throw Problem(.notFound, "there is no problem of this name; /problems has a list of them")
    }
    let accept = request.list("Accept")
    guard let document = Accept(accept).best(of: Self.types).flatMap({ documents[$0] }) else {
      throw Problem(
        .notAcceptable, "the page comes as \(Self.types.joined(separator: ", ")); got 'Accept: \(accept ?? "")'")
    }
    return document.response([HTTPField("Vary", "Accept")])
  }

  private static func documents(text: String, html: String, json: JSON) -> [String: FixedDocument] {
    var writer = JSONWriter(capacity: 1024)
    writer.json(json)
    return [
      "text/plain": FixedDocument("text/plain; charset=utf-8", Array(text.utf8)),
      "text/html": FixedDocument("text/html; charset=utf-8", Array(html.utf8)),
      "application/json": FixedDocument("application/json", writer.bytes),
    ]
  }

  // MARK: As JSON

  private static func summary(_ kind: Problem.Kind) -> JSON {
    ["type": .string(kind.path), "title": .string(kind.title), "status": .integer(Int64(kind.status))]
  }

  private static func json(_ kind: Problem.Kind) -> JSON {
    [
      "type": .string(kind.path), "title": .string(kind.title), "status": .integer(Int64(kind.status)),
      "why": .string(kind.meaning.why), "remedy": .string(kind.meaning.remedy), "example": kind.example.json,
    ]
  }

  /// What a page is as JSON.
  static let schema = JSONSchema.object([
    ("type", .string), ("title", .string), ("status", .integer(in: 400...599)), ("why", .string), ("remedy", .string),
    ("example", StateSchemas.reference("Problem")),
  ])

  /// What the list is as JSON.
  static let listSchema = JSONSchema.object([
    (
      "problems",
      .array(of: .object([("type", .string), ("title", .string), ("status", .integer(in: 400...599))]))
    )
  ])
}
