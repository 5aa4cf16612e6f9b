// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusNodes

/// An app as a programmer outside of this project would write it, with options of its own.
@main struct BoardApp: EuripusApp {
  @Option(help: "The title of the board.")
  var title = "Board"

  @Flag(help: "Host notes as well.")
  var notes = false

  @Flag(help: "Host notes as a later version has them.")
  var laterNotes = false

  @Flag(help: "Host notes as a later version has them that has forgotten what was stored.")
  var forgetfulNotes = false

  @Flag(help: "Host reminders as well.")
  var reminders = false

  @Flag(help: "Host chores as well.")
  var chores = false

  @Flag(inversion: .prefixedNo, help: "Offer the route of the title.")
  var titleRoute = true

  @Flag(inversion: .prefixedEnableDisable, help: "Offer a route of its own address.")
  var siteURL = false

  @Flag(help: "Say more.")
  var loudness: Int

  @Option(help: "Host work as well, with the directory of another service.")
  var work: String?

  @Option(help: "What keeps the program from its models.")
  var obstacle: String?

  static let abstract = "A board of votes."
  static let version = "Board 3"
  static var sharedStore: SharedStore? { .postgreSQL }
  static var migrations: [Migration] { WorkViewModel.migrations }

  @Service var database: AppDatabase

  func start(_ server: EuripusServer) async throws {
    guard let work, let found = server.database else { return }
    database = found
    server.background("outbox") { try await WorkViewModel.empty(found, OtherService(directory: work)) }
  }

  var models: Models {
    get throws {
      let title = try checkedTitle()
      hosting { BoardViewModel(title: title) }
      if notes { NotesViewModel.init }
      if laterNotes { LaterNotesViewModel.init }
      if forgetfulNotes { ForgetfulNotesViewModel.init }
      if reminders { hosting { ReminderViewModel($0) } }
      if chores { hosting { ChoreViewModel() } }
      if let work { hosting { WorkViewModel(OtherService(directory: work), database, $0) } }
      for _ in 1..<(title == "twice" ? 3 : 1) { NotesViewModel.init }
    }
  }

  var routes: [AppRoute] {
    (titleRoute ? [.get("/title") { [title] _ in .text(title) }] : [])
      + (siteURL ? [.get("/site") { _ in .text("site") }] : [])
  }

  private func checkedTitle() throws -> String {
    if let obstacle { throw Obstacle(description: obstacle) }
    return title
  }

  func configure(_ configuration: inout ServerConfiguration) {
    configuration.publicDirectory = nil
    configuration.listener.port = 8_181
  }
}

struct Obstacle: Error, CustomStringConvertible {
  let description: String
}

final class BoardViewModel: ViewModel {
  let title: Observable<String>
  let votes = Observable(0)
  let vote = Observer<Void>()

  init(title: String) {
    self.title = Observable(title)
    vote.handle(self) { board, _ in board.votes.value += 1 }
  }

  static let surface = Surface<BoardViewModel>(
    "board", .value("title", \.title), .value("votes", \.votes), .action("vote", \.vote))
}

final class NotesViewModel: ViewModel {
  let text = Observable("")

  static let surface = Surface<NotesViewModel>("notes", .twoWay("text", \.text))
}

/// The notes of a later version, in which the text has another name.
final class LaterNotesViewModel: ViewModel {
  let body = Observable("")

  static let surface = Surface<LaterNotesViewModel>(
    "notes",
    migrations: [
      { state in
        state["body"] = state["text"]
        state["text"] = nil
      }
    ], .twoWay("body", \.body))
}

/// The later notes without their migration.
final class ForgetfulNotesViewModel: ViewModel {
  let body = Observable("")

  static let surface = Surface<ForgetfulNotesViewModel>("notes", .twoWay("body", \.body))
}

/// A view model that asks its session to wake it.
final class ReminderViewModel: ViewModel {
  private let context: SessionContext
  let rings = Observable(0)

  init(_ context: SessionContext) { self.context = context }

  func remind(_ milliseconds: Int) throws { try context.wake(in: .milliseconds(milliseconds), for: "reminder") }
  func ring(_: String) { rings.value += 1 }

  static let surface = Surface<ReminderViewModel>(
    "reminder", .value("rings", \.rings), .action("remind", ReminderViewModel.remind), .onWake(ReminderViewModel.ring))
}
