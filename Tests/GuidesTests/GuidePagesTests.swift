// SPDX-License-Identifier: MIT
import Euripus
import EuripusApp
import EuripusTesting
import Testing

/// The pages that the guides show, each held to its view model.
@Suite struct `The pages of the guides` {
  /// Makes the view model of a guide. Each look takes one of its own, as a look may change it.
  typealias Make = @Sendable () throws -> ModelDriver

  static let makers: [String: Make] = [
    "Forms": { try ModelDriver { Booking() } },
    "Lists": { try ModelDriver { Playlist() } },
    "Commands": { try ModelDriver { Report { _ in "" } } },
    "Files": { try ModelDriver { Scrapbook($0, directory: "") } },
    "Pages": { try ModelDriver { Museum() } },
    "Invitations": {
      try ModelDriver(
        scope: .room { $0?.id == "7" }.orInvited, as: User(id: "7", roles: ["owner"]), params: ["owner": "7"]
      ) { SharedList($0) }
    },
    "ListsOverTables": {
      let database = try TestDatabase(Books.migrations)
      return try ModelDriver(database: database) { BookList(Books(database: database.app), $0) }
    },
    "RoomsOverTables": {
      let database = try TestDatabase(Tickets.migrations)
      return try ModelDriver(
        scope: TicketRoom.scope, as: User(id: "anna"), params: ["id": 1, "owner": "anna"], database: database
      ) { TicketRoom(Tickets(database: database.app), $0) }
    },
    "ComingFromReact": { try ModelDriver { Counter() } },
  ]

  @Test(arguments: makers.keys.sorted()) func `bind values and actions that their view models have`(name: String) throws
  {
    let make = try #require(Self.makers[name])
    let markup = try #require(Guide(name).blocks("html").first)
    // A row's paths begin at the row.
    let page = markup.replacing(#/<template[^>]*>[\s\S]*<\/template>/#) { String($0.0.prefix { $0 != ">" }) }
    let bound = page.matches(of: #/data-vm-([a-z]+)(?:-[a-z-]+)?="([^"]*)"/#).map { (String($0.1), String($0.2)) }
    #expect(bound.count > 2)
    for (attribute, path) in bound {
      switch attribute {
      case "root", "at", "arg", "confirm": continue
      case "do", "cancel":
        do { try make().perform(path) } catch SurfaceError.noSuchAction {
          Issue.record("\(name): there is no action '\(path)'")
        } catch is SurfaceError { continue }
      default:
        let value = String(path.drop { $0 == "!" })
        // The parts of an error, or of a file that is offered, are there only while that is.
        let whole = value.split(separator: "/").dropLast().joined(separator: "/")
        let model = try make()
        let isThere = model[value] != nil || model[whole] == .null
        #expect(isThere, "\(name): there is no value '\(value)'")
      }
    }
  }

  @Test func `are all looked at that have a root`() throws {
    let shown = try Guide.all().filter { $0.blocks("html").contains { $0.contains("data-vm-root=") } }.map(\.name)
    #expect(Set(shown) == Set(Self.makers.keys).union(["TenMinutes"]))
  }

  @Test func `are of apps that host one view model each, also without its service`() {
    for models in [
      ScrapbookApp().models, ListsApp().models, BoardsApp().models, PollApp().models, MuseumApp().models,
      Shop().models, Theatre().models,
    ] { #expect(models.count == 1) }
  }
}
