// SPDX-License-Identifier: MIT
import Euripus
import EuripusFoundation
import EuripusTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A stored value of an app's own type` {
  @Test func `is what it was after a restart, whatever was done with it`() async throws {
    try await expectRestorable { Appointments() }
  }

  /// A copy of a running server's files stands for the files of a killed one: both hold the same.
  @Test func `is in the files of a server that is killed`() async throws {
    let files = FileManager.default
    let directory = files.temporaryDirectory.appending(path: "euripus-values-\(UUID())")
    let copy = directory.appending(path: "copy")
    try files.createDirectory(at: copy, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: directory) }

    let server = try TestServer([.hosting { Appointments() }]) {
      $0.sessions.storage = .sqlite(directory.appending(path: "sessions.db").path)
    }
    let client = try server.client()
    let url = try await client.open("appointments")
    for _ in 0..<2 { #expect(try await client.request("POST", "\(url)/actions/add", visit).status == 200) }
    let state = try await client.request("GET", url).json?["state"]
    for name in try files.contentsOfDirectory(atPath: directory.path) where name.hasPrefix("sessions") {
      try files.copyItem(at: directory.appending(path: name), to: copy.appending(path: name))
    }

    let later = try TestServer([.hosting { Appointments() }]) {
      $0.sessions.storage = .sqlite(copy.appending(path: "sessions.db").path)
    }
    let back = try later.client()
    back.goOn(with: client.cookie)
    #expect(try await back.request("GET", url).json?["state"] == state)
    #expect(try state?["next"] == JSON.text(visit))
    let past = try await back.request("POST", "\(url)/actions/pastOnes").json?["result"]
    #expect(try past == [JSON.text(visit)])
  }

  @Test func `is refused where no text of it could be written`() throws {
    final class Timed: ViewModel {
      @Observed var due = Date.distantPast
      static let surface = Surface<Timed>("timed", .twoWay("due", \.$due))
    }
    let model = try ModelDriver { Timed() }
    for text in ["0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01"] {
      #expect(throws: (any Error).self) { try model.set("due", .string(text)) }
    }
    try model.set("due", "9999-12-31T23:59:59Z")
    #expect(model["due"] == "9999-12-31T23:59:59Z")
  }
}
