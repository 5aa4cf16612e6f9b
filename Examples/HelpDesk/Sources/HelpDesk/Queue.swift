// SPDX-License-Identifier: MIT
import EuripusApp

/// The list of all tickets, as one agent looks at it, and the door through which agents come in.
final class Queue: ViewModel {
  lazy var name = Field(self, "")
  lazy var code = Field(self, "")
  @Observed var words = ""
  @Observed var status = Filter.any
  @Observed var order = Order.newest
  @Observed var refusal = ""
  @Observed var exported: FileOffer?
  let tickets = KeyedList<Row>(window: 40)
  lazy var user = Computed(self) { try $0.context.user.get()?.name ?? "" }
  lazy var failure = Computed(self) { try $0.reading?.failure.get() == nil ? "" : "The tickets cannot be read now." }
  private let desk: Desk
  private let context: SessionContext
  private var reading: TopicFollowing?
  private lazy var wanted = Computed(self) { queue in
    Wanted(
      search: Search(words: queue.words, filter: queue.status, order: queue.order),
      window: try queue.tickets.window?.get(), isAgent: try queue.context.user.get()?.roles.contains("agent") == true)
  }

  /// The search, the window and the reader, by which tickets are read.
  private struct Wanted: Equatable {
    var search: Search
    var window: ListWindow?
    var isAgent: Bool
  }

  init(_ desk: Desk, _ context: SessionContext) {
    (self.desk, self.context) = (desk, context)
    reading = context.follow("tickets", and: wanted, by: self, Queue.read)
  }

  func read() async throws {
    let wanted = try wanted.get()
    guard wanted.isAgent, let window = wanted.window else { return }
    let page = try await desk.page(wanted.search, window)
    tickets.show(page.tickets, from: page.first, of: page.total, key: { "\($0.id)" }) {
      Row($0)
    } update: { row, ticket in
      row.ticket = ticket
    }
  }

  func signIn() throws {
    guard desk.isAgent(name.value, code.value) else { return refusal = "No agent has this name and code." }
    refusal = ""
    try withdrawExport()
    try context.signIn(User(id: name.value, name: name.value, roles: ["agent"]))
    code.value = ""
  }

  func signOut() throws {
    tickets.removeAll()
    try withdrawExport()
    try context.signOut()
  }

  private func withdrawExport() throws {
    for export in context.offers { try context.withdraw(export) }
    exported = nil
  }

  /// Writes the tickets that are looked for into a file, which takes the place of the last one.
  func export(_ run: CommandRun) async throws {
    let agent = context.user.value?.id
    let search = Search(words: words, filter: status, order: order)
    var lines = [["Number", "Title", "Customer", "Status", "Urgency"]]
    var total = 1
    while lines.count <= total {
      let page = try await desk.page(search, ListWindow(first: lines.count - 1, count: 500))
      total = page.total
      if page.tickets.isEmpty { break }
      // A window beyond the end has the last rows, of which some are there already.
      lines += page.tickets.dropFirst(lines.count - 1 - page.first).map {
        ["\($0.id)", $0.title, $0.author, $0.status.rawValue, "\($0.urgency)"]
      }
      run.report(Double(lines.count) / Double(total + 1))
    }
    // Somebody else may have come in meanwhile.
    guard agent != nil, context.user.value?.id == agent else { return }
    try withdrawExport()
    exported = try context.offer(CSV.bytes(lines, escapingFormulas: true), named: "Tickets.csv")
  }

  final class Row: ViewModel {
    @Observed var ticket: Ticket
    lazy var title = Computed(self) { $0.ticket.title }
    lazy var author = Computed(self) { $0.ticket.author }
    lazy var status = Computed(self) { $0.ticket.status }
    lazy var urgency = Computed(self) { $0.ticket.urgency }
    lazy var link = Computed(self) { "/tickets.html?ticket=\($0.ticket.id)" }

    init(_ ticket: Ticket) { self.ticket = ticket }

    static let surface = Surface<Row>(
      "ticket-row", .value("title", \.title), .value("author", \.author), .value("status", \.status),
      .value("urgency", \.urgency), .value("link", \.link), .stored("ticket", \.$ticket))
  }

  static let surface = Surface<Queue>(
    "queue", about: "The tickets of a help desk, for its agents.",
    .field("name", \.name, .required("Your name is missing")),
    .secretField("code", \.code, .required("Your code is missing")),
    .value("user", \.user), .value("refusal", \.$refusal), .value("failure", \.failure),
    .twoWay("words", \.$words).inAddress(.replace), .twoWay("status", \.$status).inAddress(),
    .twoWay("order", \.$order).inAddress(),
    .list("tickets", \.tickets, hasWindow: true) { _, key in Row(Ticket(id: Int(key) ?? 0)) }.for(.role("agent")),
    .action("signIn", Queue.signIn), .action("signOut", Queue.signOut),
    .value("exported", \.$exported).for(.role("agent")), .command("export", Queue.export).for(.role("agent")))
}
