// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Testing
import ViewModels

/// `Prefer: return=minimal`, for clients that follow the session (PROTOCOL §3).
@Suite(.timeLimit(.minutes(30))) struct `A minimal answer` {
  static let minimal = [("Prefer", "return=minimal")]

  @Test(arguments: [
    ("POST", "/actions/add", "2", #""result":null"#), ("PUT", "/state/count", "2", #""result":null"#),
    ("POST", "/actions", #"[{"do":"/add","value":1},{"set":"/count","value":5}]"#, #""results":[null,null]"#),
  ])
  func `has the version and the results, and not what has changed`(
    method: String, path: String, body: String, results: String
  ) throws {
    let opened = try Opened([.hosting { Fetcher() }], "fetcher")
    let reader = try opened.poll()
    let answer = try opened.send(method, path, body, Self.minimal)
    let version = try opened.version
    #expect(answer.text == #"{"to":"\#(version)",\#(results)}"#)
    #expect(answer["ETag"] == "\"\(version)\"")
    #expect(answer["Preference-Applied"] == "return=minimal")
    // A reader is told of the change as always.
    let frame = try reader.receive()
    #expect(frame.json?["to"] == .string(version))
    #expect(frame.json?["patch"]?[0]?["path"] == "/count")
  }

  @Test func `has the result of a command that it waits for`() throws {
    let opened = try Opened([.hosting { Fetcher() }], "fetcher")
    let answer = try opened.send("POST", "/actions/fetch", nil, [("Prefer", "wait=50, return=minimal")])
    #expect(answer.text == #"{"to":"\#(try opened.version)","result":1}"#)
    #expect(answer["Preference-Applied"] == "wait=50, return=minimal")
  }

  @Test func `says where an address has led`() throws {
    let opened = try Opened([.hosting { Fetcher() }], "fetcher")
    let answer = try opened.send("PUT", "/address", #""/fetcher.html?count=3&other""#, Self.minimal)
    #expect(answer.json?["address"] == "/fetcher.html?count=3" && answer.json?["patch"] == nil, "\(answer.text)")
  }

  @Test func `is the answer of its request for good`() throws {
    let opened = try Opened()
    let key = [("Idempotency-Key", "tab/1")]
    let first = try opened.add(2, key + Self.minimal)
    #expect(first.json?["patch"] == nil && first.status == 200)
    let again = try opened.add(2, key)
    #expect(again.text == first.text && again["Preference-Applied"] == nil)
  }
}
