// SPDX-License-Identifier: MIT
// swiftc client.swift && ./client http://127.0.0.1:8080
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

let base = CommandLine.arguments[1]
let name = UUID().uuidString
var (url, version, state, number) = ("", "", Any?.none, 0)

// A request without a whole answer is sent again as it was.
@MainActor func send(_ method: String, _ path: String, _ headers: [String: String] = [:]) async throws -> [String: Any]
{
  guard let address = URL(string: base + path) else { throw URLError(.badURL) }
  var request = URLRequest(url: address)
  request.httpMethod = method
  for (field, value) in headers { request.setValue(value, forHTTPHeaderField: field) }
  // The session's cookie is kept by URLSession.
  guard let (body, answer) = try? await URLSession.shared.data(for: request) else {
    // A server that is started again takes a moment.
    try await Task.sleep(for: .seconds(1))
    return try await send(method, path, headers)
  }
  guard (answer as? HTTPURLResponse)?.statusCode ?? 0 < 300 else { throw URLError(.badServerResponse) }
  return body.isEmpty ? [:] : try JSONSerialization.jsonObject(with: body) as? [String: Any] ?? [:]
}

// One: a version says what this client holds, and is part of all that it asks.
@MainActor func ask(_ method: String, _ path: String, _ headers: [String: String]) async throws {
  take(try await send(method, "\(url)\(path)?since=\(version)", headers))
}

// Two: all that comes down is a frame, which is taken only if it fits to that version.
@MainActor func take(_ frame: [String: Any]) {
  if let whole = frame["state"] {
    state = whole
  } else if frame["from"] as? String == version {
    for operation in frame["patch"] as? [[String: Any]] ?? [] { apply(operation) }
  } else {
    return
  }
  version = frame["to"] as? String ?? version
}

@MainActor func apply(_ operation: [String: Any]) {
  var (kind, value) = (operation["op"] as? String, operation["value"])
  if kind == "move" {
    let from = names(operation["from"])
    value = find(from, in: state)
    state = change(state, from, "remove", nil)
    kind = "add"
  }
  state = change(state, names(operation["path"]), kind, value)
}

func names(_ path: Any?) -> ArraySlice<String> {
  (path as? String ?? "").components(separatedBy: "/").dropFirst()
    .map { $0.replacingOccurrences(of: "~1", with: "/").replacingOccurrences(of: "~0", with: "~") }[...]
}

func find(_ names: ArraySlice<String>, in node: Any?) -> Any? {
  names.reduce(node) { node, name in
    (node as? [String: Any])?[name] ?? Int(name).flatMap { (node as? [Any])?[$0] }
  }
}

func change(_ node: Any?, _ names: ArraySlice<String>, _ kind: String?, _ value: Any?) -> Any? {
  guard let name = names.first else { return value }
  let isLast = names.count == 1
  let value = isLast ? value : change(find([name], in: node), names.dropFirst(), kind, value)
  if var list = node as? [Any], let index = Int(name) {
    if !isLast || kind != "add" { list.remove(at: index) }
    if let value { list.insert(value, at: index) }
    return list
  }
  var members = node as? [String: Any] ?? [:]
  members[name] = value
  return members
}

// A number makes an action happen once, however often it is sent.
@MainActor func act(_ method: String, _ path: String) async throws {
  number += 1
  try await ask(method, path, ["Idempotency-Key": "\(name)/\(number)"])
}

// Three: the server keeps nothing for a reader, who asks again with what it holds, for as long as it likes.
@MainActor func people() -> String {
  let order = find(["people", "order"], in: state) as? [String] ?? []
  return order.map { find(["people", "items", $0, "name"], in: state) as? String ?? "" }.joined(separator: ", ")
}

let opened = try await send("POST", "/sessions/follow")
(url, version, state) = (opened["url"] as? String ?? "", opened["version"] as? String ?? "", opened["state"])
print(people())
try await act("POST", "/actions/suggest")
while find(["suggest", "executing"], in: state) as? Bool == true {
  try await ask("GET", "/changes", ["Prefer": "wait=25"])
}
print(people())
