// SPDX-License-Identifier: MIT
import EuripusApp

/// Names a ticket.
struct TicketNumber: Codable, JSONRepresentable, Sendable { var ticket: Int }

/// A ticket, at which several agents may be at once.
final class TicketRoom: ViewModel {
  static let scope = SessionScope.room { $0?.roles.contains("agent") == true }

  @Observed var title = ""
  @Observed var author = ""
  @Observed var status = Status.open
  @Observed var isThere = true
  /// A note that all agents at the ticket write together.
  @Observed var note = ""
  let comments = KeyedList<Row>()
  let attachments = KeyedList<File>()
  let people: KeyedList<Person>
  lazy var canAnswer = Computed(self) { $0.isThere && $0.status != .closed }
  private let desk: Desk
  private let context: SessionContext
  private let id: Int
  private var reading: TopicFollowing?

  init(_ desk: Desk, _ context: SessionContext) {
    (self.desk, self.context) = (desk, context)
    id = context.params(TicketNumber.self).ticket
    people = context.memberList { Person($0) }
    reading = context.follow("tickets/\(id)", by: self, TicketRoom.read)
  }

  func read() async throws {
    guard let (ticket, found, files) = try await desk.ticket(id) else { return isThere = false }
    (title, author, status, isThere) = (ticket.title, ticket.author, ticket.status, true)
    let byKey = Dictionary(uniqueKeysWithValues: found.map { ($0.key, $0) })
    comments.update(found.map(\.key)) { key in Row(byKey[key]) }
    let names = Dictionary(uniqueKeysWithValues: files.map { ($0.file, $0.name) })
    attachments.update(files.map(\.file)) { file in File(names[file] ?? "") }
    for row in files {
      // A file that is offered already keeps its address. One that is lost is shown by its name alone.
      attachments[row.file]?.offer = try? context.offer(fileAt: desk.attachments.path(row.file), named: row.name)
    }
  }

  func move(_ status: Status, _ database: DatabaseTransaction) throws {
    try database.execute("UPDATE tickets SET status = ?, changed = ? WHERE id = ?", status.rawValue, Desk.now, id)
    self.status = status
    tell()
  }

  private func tell() {
    context.tell("tickets/\(id)")
    context.tell("tickets")
  }

  final class Row: ViewModel {
    @Observed var comment: Comment?
    lazy var author = Computed(self) { $0.comment?.author ?? "" }
    lazy var text = Computed(self) { $0.comment?.text ?? "" }
    init(_ comment: Comment?) { self.comment = comment }

    static let surface = Surface<Row>("comment", .value("author", \.author), .value("text", \.text))
  }

  final class File: ViewModel {
    @Observed var name: String
    @Observed var offer: FileOffer?
    init(_ name: String) { self.name = name }

    static let surface = Surface<File>("attachment", .value("name", \.$name), .value("offer", \.$offer))
  }

  final class Person: ViewModel {
    @Observed var name: String
    init(_ member: SessionMember) { name = member.user?.name ?? "" }

    static let surface = Surface<Person>("agent", .value("name", \.$name))
  }

  static let surface = Surface<TicketRoom>(
    "ticket", about: "A ticket and its comments.",
    .params(TicketNumber.self), .value("title", \.$title), .value("author", \.$author), .value("status", \.$status),
    .value("isThere", \.$isThere), .value("canAnswer", \.canAnswer), .twoWay("note", \.$note),
    .list("comments", \.comments).orderNotStored(), .list("people", \.people).orderNotStored(),
    .list("attachments", \.attachments).orderNotStored(),
    .action("move", TicketRoom.move).repeatable())
}
