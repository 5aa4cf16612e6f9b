// SPDX-License-Identifier: MIT
import EuripusApp

/// The answer that one agent is writing to a ticket. The others see it when it is sent.
final class Answer: ViewModel {
  lazy var text = Field(self, "")
  lazy var canSend = Computed(self) { $0.fieldsAreValid }
  @Observed var refusal = ""
  private let context: SessionContext

  init(_ context: SessionContext) { self.context = context }

  func send(_ database: DatabaseTransaction) throws {
    guard let action = context.action else { return }
    let id = context.params(TicketNumber.self).ticket
    let count = try database.execute(
      "UPDATE tickets SET status = 'waiting', changed = ? WHERE id = ? AND status <> 'closed'", Desk.now, id)
    if count == 0 { return refusal = "The ticket is closed." }
    try database.execute(
      "INSERT INTO comments (key, ticket, author, text, at) VALUES (?, ?, ?, ?, ?)", action.key, id,
      context.user.value?.name ?? "", text.value, Desk.now)
    (text.value, refusal) = ("", "")
    context.tell("tickets/\(id)")
    context.tell("tickets")
  }

  static let surface = Surface<Answer>(
    "answer", about: "An answer to a ticket.",
    .params(TicketNumber.self),
    .field("text", \.text, .required("Write something"), .length(...4_000, "At most 4,000 characters")),
    .value("canSend", \.canSend), .value("refusal", \.$refusal),
    .action("send", Answer.send, when: \.canSend).repeatable().for(.role("agent")))
}
