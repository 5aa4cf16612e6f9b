// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Recording
import Testing

@Suite(.timeLimit(.minutes(30))) struct `Sessions over HTTP` {
  @Test func `opening answers 201 with the URL, the state, the version and a key that is only a cookie`() throws {
    let server = try TestServer([.hosting { Counter() }])
    let client = try server.client()
    let response = try client.request("POST", "/sessions/counter")
    #expect(response.status == 201)
    let (url, version) = (try response.string("url"), try response.string("version"))
    #expect(response["Location"] == url)
    #expect(response["ETag"] == "\"\(version)\"")
    #expect(response["Cache-Control"] == "no-store")
    #expect(url.hasPrefix("/sessions/counter/"))
    #expect(response.json?["state"]?["count"] == 0)
    #expect(response.json?["state"]?["key"] == "")
    let cookie = try #require(response["Set-Cookie"])
    #expect(cookie.hasPrefix("euripus-\(server.port)=") && cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
    let key = try #require(client.cookie?.drop { $0 != "=" }.dropFirst())
    #expect(!response.text.contains(key))

    let again = try client.request("POST", "/sessions/counter", #"{"params":{},"auth":"cookie"}"#)
    #expect(again.status == 201)
    #expect(again["Set-Cookie"] == nil)
    #expect(server.sessionCount == 2)
  }

  @Test func `a session is read whole, and value by value`() throws {
    let opened = try Opened()
    let whole = try opened.get()
    #expect(whole.status == 200)
    #expect(whole.json?["model"] == "counter")
    #expect(whole.json?["state"]?["isOpen"] == true)
    let value = try opened.get("/state/count")
    #expect((value.status, value.text) == (200, "0"))
    #expect(value["ETag"] == whole["ETag"])
    #expect(try opened.get("/state/nope").problem == "not-found")
    #expect(try opened.get("/state/key").problem == "not-found")
  }

  @Test func `one action is one revision and one frame`() throws {
    let opened = try Opened()
    let before = try opened.version
    let response = try opened.add(5)
    #expect(response.status == 200)
    #expect(response.json?["from"] == .string(before))
    #expect(response.json?["patch"] == [["op": "replace", "path": "/count", "value": 5]])
    #expect(response.json?["result"] == .null)
    let after = try opened.version
    #expect(response.json?["to"] == .string(after))
    #expect(response["ETag"] == "\"\(after)\"")
    #expect(before.split(separator: ".")[0] == after.split(separator: ".")[0])

    let nothing = try opened.add(0)
    #expect(nothing.json?["patch"] == [])
    #expect(nothing.json?["to"] == .string(after))
  }

  @Test func `a two-way value is put, a secret is put and never shown`() throws {
    let opened = try Opened()
    let put = try opened.send("PUT", "/state/count", "41")
    #expect(put.json?["patch"] == [["op": "replace", "path": "/count", "value": 41]])
    let canary = Canary.value
    let secret = try opened.send("PUT", "/state/key", "\"\(canary)\"")
    #expect(secret.json?["patch"] == [["op": "remove", "path": "/key"]])
    let whole = try opened.get()
    #expect(whole.json?["state"]?["key"] == nil)
    let cleared = try opened.send("PUT", "/state/key", "\"\"")
    #expect(cleared.json?["patch"] == [["op": "add", "path": "/key", "value": ""]])
    for text in [put.text, secret.text, whole.text, cleared.text] + opened.server.log {
      #expect(!text.contains(canary))
    }
  }

  @Test(arguments: ["fail", "parse", "refuse", "replay", "circle"])
  func `an error that a view model throws has an id that the log has, and changes nothing`(action: String) throws {
    let opened = try Opened()
    try opened.add(3)
    let before = try opened.get().text
    let failed = try opened.send("POST", "/actions/\(action)", action == "parse" ? "\"{bad\"" : nil)
    #expect((failed.status, failed.problem) == (500, "internal"), "\(failed.text)")
    let id = try failed.string("id")
    let lines = opened.server.log.filter { $0.contains(id) }
    #expect(lines.count == 1 && (action != "fail" || lines[0].contains("Failure")))
    #expect(!failed.text.contains("Failure"))
    #expect(try opened.get().text == before)
    #expect(try opened.client.request("POST", "/sessions/broken").problem == "internal")
    #expect(try opened.add().status == 200)
    let other = try opened.server.client()
    #expect(try other.request("POST", other.open("counter") + "/actions/add", "1").status == 200)
  }

  @Test func `a list may come in several fields`() throws {
    let opened = try Opened()
    let tag = try #require(try opened.get()["ETag"])
    let fields = [("If-None-Match", "\"x.1\""), ("If-None-Match", tag)]
    #expect(try opened.get("", fields).status == 304)
    let key = try #require(opened.client.cookie)
    let cookies = [("Cookie", "theme=dark"), ("Cookie", key)]
    #expect(try opened.get("", cookies).status == 200)
    let same = [("Cookie", "\(key); \(key)")]
    #expect(try opened.get("", same).status == 200)
  }
}
