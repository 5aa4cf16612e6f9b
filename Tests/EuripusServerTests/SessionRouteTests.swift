// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Recording
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Sessions over HTTP` {
  @Test func `opening answers 201 with the URL, the state, the version and a key that is only a cookie`() throws {
    let server = try TestServer([.hosting { Counter() }])
    let client = try server.client()
    let response = try client.request("POST", "/sessions/counter")
    #expect(response.status == 201)
    guard case .string(let url)? = response.json?["url"], case .string(let version)? = response.json?["version"] else {
      Issue.record("expected a url and a version, got \(response.text)")
      return
    }
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
    let whole = try opened.client.request("GET", opened.url)
    #expect(whole.status == 200)
    #expect(whole.json?["model"] == "counter")
    #expect(whole.json?["state"]?["isOpen"] == true)
    let value = try opened.client.request("GET", opened.url + "/state/count")
    #expect((value.status, value.text) == (200, "0"))
    #expect(value["ETag"] == whole["ETag"])
    #expect(try opened.client.request("GET", opened.url + "/state/nope").problem == "not-found")
    #expect(try opened.client.request("GET", opened.url + "/state/key").problem == "not-found")
  }

  @Test func `one action is one revision and one frame`() throws {
    let opened = try Opened()
    let before = try opened.version
    let response = try opened.client.request("POST", opened.url + "/actions/add", "5")
    #expect(response.status == 200)
    #expect(response.json?["from"] == .string(before))
    #expect(response.json?["patch"] == [["op": "replace", "path": "/count", "value": 5]])
    #expect(response.json?["result"] == .null)
    let after = try opened.version
    #expect(response.json?["to"] == .string(after))
    #expect(response["ETag"] == "\"\(after)\"")
    #expect(before.split(separator: ".")[0] == after.split(separator: ".")[0])

    let nothing = try opened.client.request("POST", opened.url + "/actions/add", "0")
    #expect(nothing.json?["patch"] == [])
    #expect(nothing.json?["to"] == .string(after))
  }

  @Test func `a two-way value is put, a secret is put and never shown`() throws {
    let opened = try Opened()
    let put = try opened.client.request("PUT", opened.url + "/state/count", "41")
    #expect(put.json?["patch"] == [["op": "replace", "path": "/count", "value": 41]])
    let canary = Canary.value
    let secret = try opened.client.request("PUT", opened.url + "/state/key", "\"\(canary)\"")
    #expect(secret.json?["patch"] == [["op": "remove", "path": "/key"]])
    let whole = try opened.client.request("GET", opened.url)
    #expect(whole.json?["state"]?["key"] == nil)
    let cleared = try opened.client.request("PUT", opened.url + "/state/key", "\"\"")
    #expect(cleared.json?["patch"] == [["op": "add", "path": "/key", "value": ""]])
    for text in [put.text, secret.text, whole.text, cleared.text] + opened.server.log {
      #expect(!text.contains(canary))
    }
  }

  @Test func `a view model that throws answers 500 with an id that the log has, and everything else works`() throws {
    let opened = try Opened()
    try opened.client.request("POST", opened.url + "/actions/add", "3")
    let failed = try opened.client.request("POST", opened.url + "/actions/fail")
    #expect((failed.status, failed.problem) == (500, "internal"))
    guard case .string(let id)? = failed.json?["id"] else {
      Issue.record("expected an id, got \(failed.text)")
      return
    }
    #expect(opened.server.log.contains { $0.contains(id) && $0.contains("Failure") })
    #expect(!failed.text.contains("Failure"))
    #expect(try opened.client.request("GET", opened.url + "/state/count").text == "3")
    let other = try opened.server.client()
    let url = try other.open("counter")
    #expect(try other.request("POST", url + "/actions/add", "1").status == 200)
    #expect(try opened.client.request("POST", "/sessions/broken").problem == "internal")
    #expect(try opened.client.request("POST", opened.url + "/actions/add", "1").status == 200)
  }

  @Test(arguments: ["fail", "parse", "refuse", "replay", "circle"])
  func `whatever a view model throws is its own fault, and changes nothing`(action: String) throws {
    let opened = try Opened()
    let before = try opened.client.request("GET", opened.url).text
    let failed = try opened.client.request(
      "POST", "\(opened.url)/actions/\(action)", action == "parse" ? "\"{bad\"" : nil)
    #expect((failed.status, failed.problem) == (500, "internal"), "\(failed.text)")
    guard case .string(let id)? = failed.json?["id"] else {
      Issue.record("expected an id, got \(failed.text)")
      return
    }
    #expect(opened.server.log.filter { $0.contains(id) }.count == 1)
    #expect(try opened.client.request("GET", opened.url).text == before)
    #expect(try opened.client.request("POST", opened.url + "/actions/add", "1").status == 200)
  }

  @Test func `a list may come in several fields`() throws {
    let opened = try Opened()
    let tag = try #require(try opened.client.request("GET", opened.url)["ETag"])
    let fields = [("If-None-Match", "\"x.1\""), ("If-None-Match", tag)]
    #expect(try opened.client.request("GET", opened.url, fields: fields).status == 304)
    let key = try #require(opened.client.cookie)
    let cookies = [("Cookie", "theme=dark"), ("Cookie", key)]
    #expect(try opened.client.request("GET", opened.url, fields: cookies).status == 200)
    let same = [("Cookie", "\(key); \(key)")]
    #expect(try opened.client.request("GET", opened.url, fields: same).status == 200)
  }
}
