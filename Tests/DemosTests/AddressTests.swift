// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Foundation
import JSONPatching
import Testing

@testable import Demos

@Suite(.timeLimit(.minutes(30))) struct `The addresses of the demos` {
  @Test func `lead to a folder and a recording of the recordings`() async throws {
    let directory = TemporaryDirectory()
    let store = directory.open()
    let first = try ModelDriver.recordings(store)
    try await first.create("Talks")
    try first.perform("navigation/pages/items/root/open", "1")
    try await first.create("Monday", length: 65, on: "1")
    try first.perform("navigation/pages/items/1/open", "2")
    #expect(first.address == "/recordings/1/2")

    let second = try ModelDriver(address: "/recordings/1/2") { RecordingsViewModel(store: store) }
    #expect(second["navigation/pages/items/2/title"] == "Monday")
    try second.go(to: "/recordings/1")
    #expect(second["navigation/pages/order"] == ["root", "1"])

    let lost = try ModelDriver(address: "/recordings/1/7/8?more=1") { RecordingsViewModel(store: store) }
    #expect(lost.address == "/recordings/1")
    #expect(lost["navigation/notFound"] == ["7", "8"])
    // The page of a deleted folder goes, and the address follows.
    try first.perform("navigation/go", [])
    try await first.delete("1")
    await lost.wait { $0["navigation"]?["path"] == [] }
    #expect(lost.address == "/recordings")
  }

  @Test func `have the order of the people to follow`() throws {
    let follow = try ModelDriver(address: "/follow?order=followed") { FollowViewModel() }
    #expect(follow["order"] == "followed")
    try follow.set("order", "name")
    #expect(follow.address == "/follow")
    try follow.go(to: "/follow?order=size")
    #expect(follow["order"] == "name")
  }

  @Test func `have the open part of the reference`() throws {
    let reference = try ModelDriver(address: "/reference?isOpen=false") { ReferenceViewModel() }
    #expect(reference["isOpen"] == false)
    try reference.go(to: "/reference")
    #expect(reference["isOpen"] == true)
  }

  @Test func `have their pages at a path of their own`() throws {
    let store = RecordingStore(directory: TemporaryDirectory().path) { _ in }
    let root = #filePath.components(separatedBy: "/Tests/")[0]
    let server = try TestServer(all(recordings: store, users: nil)) { $0.publicDirectory = root + "/Public" }
    let client = try server.client()
    for (path, file) in [
      ("/recordings/1/2", "/recordings.html"), ("/follow?order=followed", "/follow.html"),
      ("/reference", "/reference.html"),
    ] {
      let page = try client.request("GET", path)
      #expect(page.status == 200)
      #expect(try page.text == client.request("GET", file).text)
      // The links must be right at every depth of the address.
      #expect(page.text.firstMatch(of: #/(href|src)="(?!\/|https?:|#)/#) == nil, "\(file)")
    }
  }
}
