// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Foundation
import Testing

@testable import EuripusServer

@Suite(.timeLimit(.minutes(30))) struct `GET /metrics` {
  /// The values in `/metrics`, by their names and labels.
  private func metrics(_ client: TestClient) throws -> [String: Double] {
    let response = try client.request("GET", "/metrics")
    #expect(response.status == 200)
    #expect(response["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
    #expect(response["Cache-Control"] == "no-store")
    let lines = response.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    return Dictionary(
      uniqueKeysWithValues: try lines.map { line in
        let space = try #require(line.lastIndex(of: " "))
        return (String(line[..<space]), try #require(Double(line[line.index(after: space)...])))
      })
  }

  private func requests(_ route: String, _ method: String, _ status: Int) -> String {
    #"euripus_http_requests_total{method="\#(method)",route="\#(route)",status="\#(status)"}"#
  }

  @Test func `counts each request by its route, its method and its status, and each problem by its type`() throws {
    let opened = try Opened()
    let (client, url) = (opened.client, opened.url)
    for _ in 0..<3 { #expect(try client.request("POST", "\(url)/actions/add", "1").status == 200) }
    #expect(try client.request("POST", "\(url)/actions/fail").status == 500)
    #expect(try client.request("POST", "\(url)/actions/add", "{").status == 400)
    #expect(try client.request("GET", "\(url)/changes?since=abcdefgh.1").status == 200)
    #expect(try client.request("GET", "/nothing/here").status == 404)
    #expect(try client.request("POST", "/models").status == 405)
    let metrics = try metrics(client)
    let action = "/sessions/{model}/{id}/actions/{path}"
    #expect(metrics[requests("/sessions/{model}", "POST", 201)] == 1)
    #expect(metrics[requests(action, "POST", 200)] == 3)
    #expect(metrics[requests(action, "POST", 500)] == 1)
    #expect(metrics[requests(action, "POST", 400)] == 1)
    #expect(metrics[requests("/sessions/{model}/{id}/changes", "GET", 200)] == 1)
    #expect(metrics[requests("/{path}", "GET", 404)] == 1)
    #expect(metrics[requests("/models", "POST", 405)] == 1)
    #expect(metrics[#"euripus_problems_total{type="internal"}"#] == 1)
    #expect(metrics[#"euripus_problems_total{type="malformed-json"}"#] == 1)
    #expect(metrics[#"euripus_problems_total{type="not-found"}"#] == 1)
    #expect(metrics[#"euripus_problems_total{type="poll"}"#] == nil)
    // The action that threw is timed too. The body that was no JSON did not reach the session.
    #expect(metrics[#"euripus_action_duration_seconds_count{model="counter"}"#] == 4)
    #expect(metrics[#"euripus_action_duration_seconds_bucket{model="counter",le="+Inf"}"#] == 4)
  }

  @Test func `counts requests that were refused unread as one, whatever their method`() throws {
    let client = try TestServer([.hosting { Counter() }]).client()
    for method in ["PUT", "POST"] {
      let other = try TestClient(port: client.port)
      #expect(try other.request(method, "/%00").status == 400)
    }
    #expect(try metrics(client)[requests("", "", 400)] == 2)
  }

  @Test func `knows the sessions by their view model, and how they ended`() throws {
    let opened = try Opened()
    let second = try opened.client.open("counter")
    var metrics = try metrics(opened.client)
    #expect(metrics[#"euripus_sessions{model="counter"}"#] == 2)
    #expect(metrics[#"euripus_sessions{model="broken"}"#] == 0)
    #expect(try opened.client.request("DELETE", second).status == 204)
    metrics = try self.metrics(opened.client)
    #expect(metrics[#"euripus_sessions{model="counter"}"#] == 1)
    #expect(metrics[#"euripus_sessions_opened_total{model="counter"}"#] == 2)
    #expect(metrics[#"euripus_sessions_ended_total{model="counter",reason="closed"}"#] == 1)
  }

  @Test func `counts the keys that there was no room for, and the answers`() throws {
    let opened = try Opened { $0.sessions.maxKeys = 2 }
    func send(_ key: String) throws { #expect(try opened.add(1, [("Idempotency-Key", key)]).status == 200) }
    let (forgotten, givenUp) = (
      #"euripus_keys_forgotten_total{model="counter"}"#, #"euripus_key_answers_given_up_total{model="counter"}"#
    )
    for key in ["a", "b"] { try send(key) }
    #expect(try metrics(opened.client)[forgotten] == 0)
    for key in ["c", "d", "d", "tab/1"] { try send(key) }
    #expect(try metrics(opened.client)[forgotten] == 2)
    #expect(try metrics(opened.client)[givenUp] == 0)
    // These bytes have room for about six keys, and none for their answers.
    let small = try Opened { $0.sessions.maxKeyBytes = 1_024 }
    for key in 1...6 {
      let answer = try small.add(1, [("Idempotency-Key", "n\(key)/1")])
      #expect(answer.status == 200 || key == 6 && answer.status == 429)
    }
    #expect(try metrics(small.client)[givenUp, default: 0] > 0)
    #expect(try metrics(small.client)[forgotten] == 0)
  }

  @Test func `is for clients on this machine that no proxy speaks for, unless it is set up otherwise`() throws {
    let local = try TestServer([]).client()
    #expect(try local.request("GET", "/metrics").status == 200)
    #expect(try local.request("HEAD", "/metrics").status == 200)
    let nothing = try local.request("GET", "/nothing/here")
    for field in [
      ("X-Forwarded-For", "127.0.0.1"), ("Forwarded", "for=127.0.0.1"), ("X-Forwarded-Proto", "http"),
      ("X-Forwarded-Host", "localhost"), ("Via", "1.1 proxy"), ("X-Real-IP", "127.0.0.1"),
    ] {
      let refused = try local.request("GET", "/metrics", fields: [field])
      #expect(refused.status == 404)
      #expect(refused["Content-Type"] == nothing["Content-Type"])
    }
    let all = try TestServer([]) { $0.metrics.access = .all }.client()
    #expect(try all.request("GET", "/metrics", fields: [("X-Forwarded-For", "192.0.2.1")]).status == 200)
    let off = try TestServer([]) { $0.metrics.access = .off }.client()
    #expect(try off.request("GET", "/metrics").status == 404)
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("127.1.2.3", true), ("::1", true), ("::ffff:127.0.0.1", true), ("192.0.2.1", false),
    ("::ffff:192.0.2.1", false), ("::", false), ("", false), ("2001:db8::127.0.0.1", false),
  ])
  func `takes these addresses for this machine`(address: String, isLoopback: Bool) {
    #expect(MetricsAccess.isLoopback(address) == isLoopback)
  }

  @Test func `shows an app's own metrics with the server's, and those of another server never`() throws {
    let mine = ServerConfiguration()
    mine.metrics.registry.counter("app_done_total", "Done.").increment(by: 5)
    let client = try TestServer([]) { $0.metrics.registry = mine.metrics.registry }.client()
    #expect(try metrics(client)["app_done_total"] == 5)
    #expect(try metrics(TestServer([]).client())["app_done_total"] == nil)
  }

  @Test func `has help and a type for every metric, and a name with its kind and its subject`() throws {
    let opened = try Opened()
    let text = try opened.client.request("GET", "/metrics").text
    var helped: Set<Substring> = []
    var typed: [Substring: Substring] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 3)
      if words[0] == "#" {
        if words[1] == "HELP" { helped.insert(words[2]) } else { typed[words[2]] = words[3] }
        continue
      }
      let name = line.prefix { $0 != "{" && $0 != " " }
      let family =
        ["_bucket", "_sum", "_count"].lazy.compactMap { suffix in
          name.hasSuffix(suffix) ? typed.keys.first { $0 == name.dropLast(suffix.count) } : nil
        }.first ?? name
      #expect(helped.contains(family), "\(line)")
      let type = try #require(typed[family], "\(line)")
      #expect((type == "counter") == family.hasSuffix("_total"), "\(line)")
      #expect(family.hasPrefix("euripus_") || family.hasPrefix("process_"), "\(line)")
    }
  }

  @Test func `are all on the operator's page, with their labels and their help, and there are no others`() throws {
    let opened = try Opened()
    let text = try opened.client.request("GET", "/metrics").text
    var labels: [String: Set<String>] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let name = String(line.prefix { $0 != "{" && $0 != " " }).replacing(#/_(bucket|sum|count)$/#, with: "")
      labels[name, default: []].formUnion(line.matches(of: #/(\w+)="/#).map { String($0.1) }.filter { $0 != "le" })
    }
    let page = try String(
      contentsOfFile: #filePath.replacing(
        "Tests/EuripusServerTests/Metrics/MetricsTests.swift", with: "Documentation/OPERATIONS.md"), encoding: .utf8)
    var documented: Set<String> = []
    for row in page.matches(of: #/(?m)^\| `((?:euripus|process)_\w+)` \|.*$/#) { documented.insert(String(row.1)) }
    for line in text.split(separator: "\n") where line.hasPrefix("# HELP ") {
      let words = line.dropFirst("# HELP ".count).split(separator: " ", maxSplits: 1)
      let own = (labels[String(words[0])] ?? []).sorted().map { "`\($0)`" }.joined(separator: ", ")
      let row = "| `\(words[0])` | \(own) | \(words[1]) |"
      #expect(page.contains(row), "expected the line: \(row)")
      documented.remove(String(words[0]))
    }
    #expect(documented.isEmpty)
  }
}
