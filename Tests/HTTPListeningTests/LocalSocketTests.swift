// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import Testing

@testable import HTTPListening

@Suite(.timeLimit(.minutes(30))) struct `A Unix socket` {
  /// A path of a test's own. Releasing the object removes its file.
  private final class Place {
    let path = "/tmp/local-\(UUID().uuidString).sock"
    deinit { unlink(path) }

    var status: stat? {
      var status = stat()
      return lstat(path, &status) == 0 ? status : nil
    }

    func refusal() -> String {
      do {
        _ = try LocalSocket(at: path)
        return "taken"
      } catch { return "\(error)" }
    }
  }

  @Test func `is for its user alone, and goes with its server`() throws {
    let place = Place()
    let socket = try LocalSocket(at: place.path)
    let mode = try #require(place.status).st_mode
    #expect(mode & S_IFMT == S_IFSOCK && mode & 0o777 == 0o600)
    socket.remove()
    #expect(place.status == nil)
    close(socket.descriptor)
  }

  @Test func `takes the place of one at which nobody listens any more`() throws {
    let place = Place()
    close(try LocalSocket(at: place.path).descriptor)
    #expect(place.status != nil)
    let socket = try LocalSocket(at: place.path)
    #expect(listen(socket.descriptor, 1) == 0)
    #expect(place.refusal().hasPrefix("Cannot listen on the socket '\(place.path)': another server listens there."))
    close(socket.descriptor)
  }

  @Test func `takes the place of nothing else, and cannot be where the system has no path for it`() throws {
    let place = Place()
    try Data("precious".utf8).write(to: URL(fileURLWithPath: place.path))
    #expect(place.refusal().contains("there is a file that is no socket"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.path)) == Data("precious".utf8))
    for path in ["", "/tmp/" + String(repeating: "a", count: 103)] {
      #expect(throws: HTTPListeningError.unusableSocket(path: path, reason: "a path has 1 to 107 bytes")) {
        try LocalSocket(at: path)
      }
    }
    #expect(throws: HTTPListeningError.unusableSocket(path: "/nowhere/s", reason: "No such file or directory")) {
      try LocalSocket(at: "/nowhere/s")
    }
  }

  @Test func `leaves the file of the one that came after it`() throws {
    let place = Place()
    let first = try LocalSocket(at: place.path)
    unlink(place.path)
    let second = try LocalSocket(at: place.path)
    first.remove()
    #expect(place.status != nil)
    second.remove()
    #expect(place.status == nil)
    close(first.descriptor)
    close(second.descriptor)
  }

  @Test func `has clients served, also one with an address that is longer than those of the internet`() throws {
    let place = Place()
    let socket = try LocalSocket(at: place.path)
    let own = "/tmp/client-\(UUID().uuidString)-\(String(repeating: "a", count: 50))"
    defer { unlink(own) }
    try withListener(
      configure: { $0.inheritedDescriptor = socket.descriptor },
      handler: { request in
        let text = "at '\(request.peerAddress)'"
        let reply = DeferredReply(deadline: .seconds(60)) { _, _ in }
        DispatchQueue.global().async { reply.answer(HTTPResponse(text)) }
        return .later(reply)
      }
    ) { listener in
      #expect(listener.port == 0)
      for name in [nil, own] {
        let client = RawClient(descriptor: Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        if let name { #expect(try #require(LocalAddress(name)).bind(client.descriptor)) }
        #expect(try #require(LocalAddress(place.path)).connect(client.descriptor))
        try client.send(get)
        let answer = try client.receive()
        #expect((answer.status, answer.text) == (200, "at ''"))
      }
    }
  }
}
