// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Testing

@testable import EuripusServer

/// The answers to HEAD and OPTIONS of every resource in the table.
@Suite(.timeLimit(.minutes(30))) struct `Every resource` {
  private let opened: Opened
  private let targets: [String]

  init() throws {
    let opened = try Opened { $0.publicDirectory = publicDirectory }
    self.opened = opened
    targets = RouteTable.all.resources.map { resource in
      let template = resource.template.text
      let path = template.contains("/actions/") ? "add" : template.contains("/state/") ? "count" : "login.html"
      let place = opened.url.split(separator: "/")
      return template.replacing("{path}", with: path).replacing("{model}", with: place[1])
        .replacing("{id}", with: place[2])
        .replacing("/models/{name}", with: "/models/\(place[1])").replacing("{name}", with: "internal")
    }
  }

  @Test func `answers OPTIONS with the methods that it allows, to any client and whether it is there`() throws {
    let stranger = try opened.server.client()
    for (target, resource) in zip(targets, RouteTable.all.resources) {
      for client in [opened.client, stranger] {
        let response = try client.request("OPTIONS", target)
        #expect(response.status == 204, "\(target)")
        // The action `add` is no command, so its path takes no DELETE, though the form of the path does.
        let methods = resource.methods.filter { !target.hasSuffix("/actions/add") || $0 != "DELETE" }
        #expect(response["Allow"] == methods.joined(separator: ", "))
        #expect(response.body.isEmpty && response["Content-Length"] == nil)
      }
    }
  }

  @Test func `answers HEAD where GET is, with the fields of GET, and nowhere else`() throws {
    for (target, resource) in zip(targets, RouteTable.all.resources) {
      let head = try opened.client.request("HEAD", target)
      guard resource.methods.contains("GET") else {
        #expect(head.status == 405, "\(target)")
        continue
      }
      // The counter has no address, takes no files and offers none.
      if ["/address", "/uploads/", "/downloads/"].contains(where: target.contains) { continue }
      let get = try opened.client.request("GET", target)
      #expect(get.status == 200, "\(target)")
      #expect((head.status, head.body) == (200, []), "\(target)")
      // The metrics have changed between the two requests, and their length with them.
      let differing = target == "/metrics" ? ["Date", "Content-Length"] : ["Date"]
      let fields = { (response: TestClient.Response) in
        response.fields.filter { !differing.contains($0.name) }.map { "\($0.name): \($0.value)" }
      }
      #expect(fields(head) == fields(get), "\(target)")
    }
  }

  @Test
  func `that changes a session takes a version as since, starts its frame there, and takes nothing else`() throws {
    let start = try opened.version
    let batch = #"[{"do":"/add","value":1}]"#
    for (method, path, body) in [
      ("PUT", "/state/count", "7"), ("POST", "/actions/add", "1"), ("POST", "/actions", batch),
    ] {
      let response = try opened.client.request(method, opened.url + path + "?since=\(start)", body)
      #expect(response.json?["from"] == .string(start), "\(method) \(path)")
      #expect(response.json?["patch"]?[0]?["path"] == "/count")
      let foreign = try opened.client.request(method, opened.url + path + "?since=other.1", body)
      #expect(foreign.json?["from"] == "other.1")
      #expect(foreign.json?["state"]?["count"] != nil)
    }
    for (method, path) in [
      ("PUT", "/state/count"), ("POST", "/actions/add"), ("POST", "/actions"), ("DELETE", "/actions/add"),
      ("DELETE", ""), ("GET", "/changes"),
    ] {
      for since in ["", "x", "k7.0", "k7.1&since=k7.1"] {
        let body = ["DELETE", "GET"].contains(method) ? nil : path == "/actions" ? batch : "1"
        let response = try opened.client.request(method, opened.url + path + "?since=\(since)", body)
        #expect(response.problem == "bad-version", "\(method) \(path)")
      }
    }
    #expect(try opened.get().status == 200)
    #expect(try opened.send("DELETE", "?since=\(start)").status == 204)
  }
}
