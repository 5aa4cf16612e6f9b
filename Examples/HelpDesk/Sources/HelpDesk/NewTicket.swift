// SPDX-License-Identifier: MIT
import EuripusApp

/// The form by which a customer asks for help.
final class NewTicket: ViewModel {
  lazy var author = Field(self, "")
  lazy var title = Field(self, "")
  lazy var text = Field(self, "")
  let files: Uploads
  /// Whether a file is on its way. One that was refused is left behind.
  lazy var isSending = Computed(self) { $0.files.all.contains { !$0.isReady && $0.error == nil } }
  lazy var canSend = Computed(self) { try $0.fieldsAreValid && !$0.isSending.get() }
  /// The number of the ticket that was sent last; 0 for none.
  @Observed var sent = 0
  private let desk: Desk
  private let context: SessionContext

  init(_ desk: Desk, _ context: SessionContext) {
    (self.desk, self.context) = (desk, context)
    files = Uploads(
      context, most: 3, each: .megabytes(10),
      types: .only("image/png", "image/jpeg", "application/pdf", "text/plain"))
  }

  func send(_ database: DatabaseTransaction) throws {
    let id = try database.query("SELECT coalesce(max(id), 0) + 1 FROM tickets", as: Int.self)[0]
    try database.execute(
      "INSERT INTO tickets (id, title, author, changed) VALUES (?, ?, ?, ?)", id, title.value, author.value, Desk.now)
    try database.execute(
      "INSERT INTO comments (key, ticket, author, text, at) VALUES (?, ?, ?, ?, ?)", context.action?.key ?? "", id,
      author.value, text.value, Desk.now)
    try desk.attachments.take(files.ready, ofSession: context.session, forTicket: id, database)
    for refused in files.all { refused.discard() }
    sent = id
    (title.value, text.value) = ("", "")
    context.tell("tickets")
  }

  static let surface = Surface<NewTicket>(
    "new-ticket", about: "A form that writes a ticket.",
    .field("author", \.author, .required("Your name is missing"), .length(...80, "At most 80 characters")),
    .field("title", \.title, .required("Say it in a line"), .length(3...120, "3 to 120 characters")),
    .field("text", \.text, .required("Tell us more"), .length(10...4_000, "10 to 4,000 characters")),
    .uploads("files", \.files),
    .value("canSend", \.canSend), .value("isSending", \.isSending), .value("sent", \.$sent),
    // Two customers may want the same number: the one who comes second is sent once more.
    .action("send", NewTicket.send, when: \.canSend).repeatable())
}
