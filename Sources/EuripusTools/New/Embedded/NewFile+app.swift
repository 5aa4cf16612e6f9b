// SPDX-License-Identifier: MIT
// swift-format-ignore-file
// Made by Scripts/embed-templates.py.

extension NewFile {
static let app: [NewFile] = [
NewFile(".devcontainer/Dockerfile", text: #"""
FROM swift:6.3-bookworm
RUN apt-get update \
  && apt-get install -y curl libmicrohttpd-dev nettle-dev libsqlite3-dev zlib1g-dev pkg-config \
  && rm -rf /var/lib/apt/lists/*

"""#),
NewFile(".devcontainer/devcontainer.json", text: #"""
{
  "name": "starter",
  "build": { "dockerfile": "Dockerfile" },
  "forwardPorts": [8080],
  "postCreateCommand": "swift build --build-tests",
  "customizations": { "vscode": { "extensions": ["swiftlang.swift-vscode"] } }
}

"""#),
NewFile(".dockerignore", text: #"""
**/.build
**/.git

"""#),
NewFile(".github/workflows/test.yml", text: #"""
name: test

on: [push, pull_request]

permissions:
  contents: read

jobs:
  test:
    runs-on: ubuntu-latest
    container: swift:6.3-bookworm
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v4
      - run: apt-get update -qq && apt-get install -y -qq curl libmicrohttpd-dev nettle-dev libsqlite3-dev zlib1g-dev pkg-config
      - run: swift build --build-tests
      - run: swift test --skip-build
      - run: Tests/story.sh

"""#),
NewFile(".gitignore", text: #"""
.build/
.swiftpm/

"""#),
NewFile("AGENTS.md", text: #"""
# For coding agents

This is a Swift package on Euripus: view models on a server, static pages as their views. Read `.build/checkouts/euripus/Skills/euripus/SKILL.md`
first; if it is not there yet, run `swift package resolve`. `.build/checkouts/euripus/llms.txt` lists the guides.

- Rules and state belong in a view model, not in a page. A page has attributes, and no script unless nothing else does it.
- A client reaches only what the `surface` names. Name each new value, action and command there.
- After a change: `swift build --build-tests && swift test --skip-build && Tests/story.sh`. Each behaviour has a test; the lowest kind that can show it is best.
- `swift run Starter serve --dev` says which attribute of a page leads nowhere.
- Do not edit `Public/euripus*`: those are copies.

"""#),
NewFile("Dockerfile", text: #"""
# docker build -t app . && docker run -p 8080:8080 app
FROM swift:6.3-bookworm AS build
RUN apt-get update && apt-get install -y libmicrohttpd-dev nettle-dev libsqlite3-dev zlib1g-dev pkg-config
WORKDIR /src
# The dependencies are a layer of their own: a change in the sources does not fetch them again.
COPY Package.* ./
RUN swift package resolve
COPY Sources Sources
COPY Tests Tests
RUN swift build -c release --static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker now -Xlinker -S --product Starter \
  && install -D .build/release/Starter /out/bin/Starter \
  && install -D -s "$(dirname "$(readlink -f "$(command -v swift)")")/../libexec/swift/linux/swift-backtrace-static" \
    /out/libexec/swift/linux/swift-backtrace

FROM debian:12-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends libmicrohttpd12 libnettle8 libsqlite3-0 zlib1g \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --no-create-home app && install -d -o app /var/lib/starter
COPY --from=build /out /usr/local
COPY Public /usr/share/starter/Public
USER 10001
WORKDIR /var/lib/starter
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s CMD ["Starter", "health"]
CMD ["Starter", "serve", "--host", "0.0.0.0", "--public", "/usr/share/starter/Public", "--supervise", "--store", "/var/lib/starter/sessions.db", "--crash-reports", "/var/lib/starter/crashes", "--copies", "/var/lib/starter/copies"]

"""#),
NewFile("Package.swift", text: #"""
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "starter",
  dependencies: [.package(name: "euripus", path: "../..")],
  targets: [
    .executableTarget(
      name: "Starter", dependencies: [.product(name: "EuripusApp", package: "euripus")],
      // Commands are async methods that stay in their session.
      swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    .testTarget(
      name: "StarterTests", dependencies: ["Starter", .product(name: "EuripusTesting", package: "euripus")],
      swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
  ]
)

"""#),
NewFile("Public/favicon.svg", text: #"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b5f74"/><path d="M9 17l5 5 9-12" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>

"""#),
NewFile("Public/index.html", text: #"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Shopping list</title>
<script type="module" src="/euripus.js"></script>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<main data-vm-root="shopping">
  <h1>Shopping list</h1>
  <noscript><p>This page needs JavaScript to reach its server.</p></noscript>
  <form data-vm-do="add">
    <div>
      <label for="thing">Thing</label>
      <input id="thing" autocomplete="off" aria-describedby="thing-error" data-vm-field="thing">
      <p id="thing-error" class="error" role="status" data-vm-text="thing/error"></p>
    </div>
    <div>
      <label for="count">How many</label>
      <input id="count" type="number" aria-describedby="count-error" data-vm-field="count">
      <p id="count-error" class="error" role="status" data-vm-text="count/error"></p>
    </div>
    <button>Add</button>
  </form>
  <ul>
    <template data-vm-each="items">
      <li>
        <label><input type="checkbox" data-vm-bind="isBought"> <span><span data-vm-text="count"></span> × <span data-vm-text="name"></span></span></label>
        <button type="button" class="quiet" data-vm-do="../remove" data-vm-arg="#">Remove <span class="heard" data-vm-text="name"></span></button>
      </li>
    </template>
  </ul>
  <p role="status"><span data-vm-text="left"></span> left to buy</p>
  <p>
    <button type="button" data-vm-do="keep">Keep a copy</button>
    <span role="status" data-vm-show="keep/result" hidden>Kept as <b data-vm-text="keep/result"></b></span>
    <span role="alert" class="error" data-vm-show="keep/error" data-vm-text="keep/error/detail" hidden></span>
  </p>
  <p class="connection" role="status" data-vm-status data-connecting="Connecting…"
     data-retrying="The connection is lost. What you type is kept, and sent later." data-offline="You are offline. What you type is kept, and sent later."
     data-expired="Your session has ended; this is a new one."></p>
</main>
</body>
</html>

"""#),
NewFile("Public/style.css", text: #"""
/* A sheet to start from: light and dark, for fingers and for keys. */
:root {
  color-scheme: light dark;
  --ground: light-dark(#f4f7f8, #0c1518);
  --surface: light-dark(#ffffff, #142025);
  --ink: light-dark(#10242b, #e6eff1);
  --soft: light-dark(#4c626a, #a3b6bd);
  --line: light-dark(#7d9299, #6b828b);
  --accent: light-dark(#0b5f74, #62c4d8);
  --on-accent: light-dark(#ffffff, #04222a);
  --bad: light-dark(#b3261e, #ff9d94);
}

*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 36rem; margin: 2rem auto; padding: 1.5rem; background: var(--surface); border-radius: 0.75rem; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.2; }
[hidden] { display: none !important; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }

form { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: start; }
form > div { flex: 1 1 8rem; }
form > div:first-child { flex: 3 1 14rem; }
form > button { margin-top: 1.75rem; }
form label { display: block; margin-bottom: 0.25rem; font-weight: 600; }

input, select, textarea, button { min-height: 2.75rem; padding: 0.375rem 0.75rem; border-radius: 0.5rem; font: inherit; }
input, select, textarea { width: 100%; border: 1px solid var(--line); background: var(--surface); color: inherit; }
[type="checkbox"], [type="radio"] { width: 1.25rem; min-height: 1.25rem; accent-color: var(--accent); }
[aria-invalid="true"] { border-color: var(--bad); box-shadow: inset 3px 0 0 var(--bad); }
.error { min-height: 1.5rem; margin: 0.25rem 0 0; color: var(--bad); font-size: 0.875rem; }

button { border: 1px solid transparent; background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer; }
button.quiet { border-color: var(--line); background: none; color: inherit; font-weight: 400; }
button[aria-disabled="true"] { border: 1px dashed var(--line); background: none; color: var(--soft); cursor: not-allowed; }

ul { margin: 1rem 0; padding: 0; list-style: none; }
li { display: flex; gap: 0.75rem; align-items: center; padding-block: 0.375rem; border-top: 1px solid var(--line); }
li label { display: flex; flex: 1; gap: 0.5rem; align-items: center; overflow-wrap: anywhere; }

/* A screen reader says it; the eye sees it elsewhere. */
.heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

/* The words of a refusal stand beside what was refused. */
[data-vm-refused]::after { content: " " attr(data-vm-refused); color: var(--bad); font-size: 0.875rem; }
button[data-vm-refused] { max-width: 60%; }
button[data-vm-refused]::after { display: block; font-weight: 400; }
button:not(.quiet)[data-vm-refused]::after { color: inherit; }
.connection { min-height: 1.5rem; margin: 1rem 0 0; color: var(--soft); }

"""#),
NewFile("README.md", text: #"""
# starter

A shopping list, on Euripus: a view model on the server, and a page that shows it.

You need Swift 6.2 or later on Debian 12, and `apt-get install libmicrohttpd-dev nettle-dev libsqlite3-dev zlib1g-dev pkg-config`.
On macOS and Windows, open this folder in an editor that knows dev containers: all of it is in `.devcontainer`.

```sh
swift run              # builds, serves the page, and prints its address
euripus dev            # the same, and takes each edit while the page is open
swift test             # the tests without a server, and over HTTP
Tests/story.sh         # the program itself, by curl, after a build
docker build -t app . && docker run -p 8080:8080 app
```

The Dockerfile, the workflow and the dev container fetch Euripus from the address in `Package.swift`; a folder there is for work on this machine.

| file | what it is |
|---|---|
| `Sources/Starter/ShoppingList.swift` | the view model: state, rules, actions, and the surface, which is all that a client can reach |
| `Sources/Starter/ListFolder.swift` | a service, which the view model is given |
| `Sources/Starter/StarterApp.swift` | the program |
| `Public/index.html`, `Public/style.css` | the page |
| `Public/euripus*` | the client of Euripus. After an update of Euripus: `cp .build/checkouts/euripus/Public/euripus{*.js,-wire.css,-page.css} Public/` |
| `Tests` | tests of three kinds |

`swift run Starter serve --help` has all settings: `--store FILE` keeps sessions over a restart, and `--dev` has the browser's console list each path of a page that leads nowhere.

To make it an app of your own, write your view model beside `ShoppingList.swift`, name it in `StarterApp.swift`, and delete the list with its tests. Three
places speak of it besides: `--copies` in the Dockerfile's last line, the story in `Tests/story.sh`, which the workflow and `AGENTS.md` run, and the table above.

"""#),
NewFile("Sources/Starter/ListFolder.swift", text: #"""
import Euripus
import Foundation

/// A folder of lists, each in a file of its own.
struct ListFolder: Sendable {
  let path: String

  /// Writes a list into a new file, off the session's turn: a disk may be slow. Gives the name of the file.
  @concurrent func keep(_ lines: [String]) async throws -> String {
    let folder = URL(fileURLWithPath: path)
    let name = "list-\(UUID().uuidString.prefix(8)).txt"
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let text = lines.map { "\($0)\n" }.joined()
      try Data(text.utf8).write(to: folder.appendingPathComponent(name), options: .withoutOverwriting)
    } catch {
      throw NotKept()
    }
    return name
  }
}

/// The list could not be written. A person may read this.
struct NotKept: PresentableError {
  let type = "not-kept"
  let detail = "The list could not be written. Try again later."
}

"""#),
NewFile("Sources/Starter/ShoppingList.swift", text: #"""
import Euripus

/// Things to buy: the state of the page, its rules and its actions.
final class ShoppingList: ViewModel {
  /// Keeps the lines of the list somewhere, and says where.
  typealias KeepCopy = nonisolated(nonsending) @Sendable ([String]) async throws -> String

  lazy var thing = Field(self, "")
  lazy var count = Field<Int?>(self, 1)
  let items = KeyedList<Item>()
  lazy var left = Computed(self) { $0.items.rows.count { !$0.isBought } }
  lazy var canKeep = Computed(self) { !$0.items.rows.isEmpty }
  private var lastKey = 0
  private let keepCopy: KeepCopy

  init(keepCopy: @escaping KeepCopy) { self.keepCopy = keepCopy }

  func add() {
    guard checkFields(), let count = count.value else { return }
    let name = thing.value
    guard !items.rows.contains(where: { $0.name == name }) else {
      return thing.refuse("\(name) is on the list already")
    }
    lastKey += 1
    items.append(Item(name, count), key: "\(lastKey)")
    thing.reset()
    self.count.reset()
  }

  func remove(_ key: String) { items.remove(key) }

  func keep() async throws -> String { try await keepCopy(items.rows.map(\.line)) }

  static let surface = Surface<ShoppingList>(
    "shopping",
    .field("thing", \.thing, .required, .length(...60)),
    .field("count", \.count, .required, .range(1...99)),
    .list("items", \.items) { _, _ in Item("", 1) },
    .stored("lastKey", \.lastKey),
    .value("left", \.left),
    .action("add", ShoppingList.add),
    .action("remove", ShoppingList.remove),
    .command("keep", ShoppingList.keep, when: \.canKeep))
}

/// One thing on the list.
final class Item: ViewModel {
  @Observed var name: String
  @Observed var count: Int
  @Observed var isBought = false

  init(_ name: String, _ count: Int) { (self.name, self.count) = (name, count) }

  var line: String { "\(isBought ? "[x]" : "[ ]") \(count) × \(name)" }

  static let surface = Surface<Item>(
    "item", .value("name", \.$name), .value("count", \.$count), .twoWay("isBought", \.$isBought))
}

"""#),
NewFile("Sources/Starter/StarterApp.swift", text: #"""
import EuripusApp

/// The program. `swift run` serves the page, and `swift run Starter --help` lists all commands.
@main struct StarterApp: EuripusApp {
  static let abstract = "A shopping list."

  @Option(help: "The folder of the copies that people keep.")
  var copies = stateDirectory("copies")

  var models: Models {
    hosting { [copies] in ShoppingList(keepCopy: ListFolder(path: copies).keep) }
  }
}

"""#),
NewFile("Tests/StarterTests/ListFolderTests.swift", text: #"""
import Foundation
import Testing

@testable import Starter

@Suite struct `A folder of lists` {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  @Test func `has a file for each list`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let lists = ListFolder(path: folder.path)
    let name = try await lists.keep(["[ ] 2 × Milk", "[x] 1 × Bread"])
    let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    #expect(text == "[ ] 2 × Milk\n[x] 1 × Bread\n")
    let other = try await lists.keep([])
    #expect(other != name)
  }

  @Test func `says that it keeps nothing where it cannot be made`() async throws {
    await #expect(throws: NotKept.self) { try await ListFolder(path: "/dev/null/lists").keep(["Milk"]) }
  }
}

"""#),
NewFile("Tests/StarterTests/OverHTTPTests.swift", text: #"""
import Euripus
import EuripusTesting
import Testing

@testable import Starter

/// The second kind of test: a server in this process, and a client that speaks HTTP.
@Suite struct `The list over HTTP` {
  /// The folder of the pages, wherever the tests are run.
  private let pages = #filePath.replacing(#/Tests\/StarterTests\/[^\/]*$/#, with: "Public")

  private func client() throws -> TestClient {
    try TestServer([.hosting { ShoppingList { _ in "list.txt" } }]) { $0.publicDirectory = pages }.client()
  }

  @Test func `is added to by one client, and the frame of it says what changed`() throws {
    let client = try client()
    let url = try client.open("shopping")
    try client.request("PUT", "\(url)/state/thing/value", #""Milk""#)
    let added = try client.request("POST", "\(url)/actions/add")
    #expect(added.status == 200)
    let state = try client.request("GET", url)
    #expect(state.json?["state"]?["left"] == 1)
  }

  @Test func `has a page and its style`() throws {
    let client = try client()
    let page = try client.request("GET", "/")
    #expect(page.status == 200)
    #expect(page.text.contains(#"<main data-vm-root="shopping""#))
    #expect(try client.request("GET", "/style.css").status == 200)
  }
}

"""#),
NewFile("Tests/StarterTests/ShoppingListTests.swift", text: #"""
import Euripus
import EuripusTesting
import Testing

@testable import Starter

/// The first kind of test: a view model, without a server.
@Suite struct `A shopping list` {
  private func list() throws -> ModelDriver { try ModelDriver { ShoppingList { _ in "list.txt" } } }

  @Test func `adds what was typed, and counts what is left`() throws {
    let list = try list()
    try list.set("thing/value", "Milk")
    try list.set("count/value", 2)
    try list.perform("add")
    #expect(list["items/items/1"] == ["name": "Milk", "count": 2, "isBought": false])
    #expect(list["thing/value"] == "")
    try list.set("items/items/1/isBought", true)
    #expect(list["left"] == 0)
    try list.perform("remove", "1")
    #expect(list["items/order"] == [])
  }

  @Test func `adds nothing where a rule is broken, and says which`() throws {
    let list = try list()
    try list.set("count/value", 100)
    try list.perform("add")
    #expect(list["items/order"] == [])
    #expect(list["thing/error"] == "This is needed")
    #expect(list["count/error"] == "From 1 to 99")
  }

  @Test func `has each thing once`() throws {
    let list = try list()
    for _ in 1...2 {
      try list.set("thing/value", "Milk")
      try list.perform("add")
    }
    #expect(list["items/order"] == ["1"])
    #expect(list["thing/error"] == "Milk is on the list already")
  }

  @Test func `is kept, and says where, or why not`() async throws {
    let keep = Scripted<String>("keep", .fails(NotKept()), .returns("list-1.txt"))
    let list = try ModelDriver { ShoppingList { _ in try await keep() } }
    #expect(throws: SurfaceError.self) { try list.perform("keep") }
    try list.set("thing/value", "Milk")
    try list.perform("add")
    try list.perform("keep")
    await list.settled()
    #expect(list["keep/error/type"] == "not-kept")
    try list.perform("keep")
    await list.settled()
    #expect(list["keep/result"] == "list-1.txt")
    keep.expectAllTaken()
  }

  @Test func `is the same after a restart`() async throws {
    try await expectRestorable { ShoppingList { _ in "list.txt" } }
  }
}

"""#),
NewFile("Tests/story.sh", isExecutable: true, text: #"""
#!/usr/bin/env bash
# The third kind of test: the program itself, by curl, and killed in the middle. Run it in the package's folder after
# `swift build`. Usage: Tests/story.sh [PROGRAM]
set -euo pipefail
program=${1:-.build/debug/Starter}
folder=$(mktemp -d)
server=
stop() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  rm -rf "$folder"
}
trap stop EXIT

# Starts the program at a free port, with its sessions in a file, and waits for the line that says where it serves.
start() {
  mkfifo "$folder/lines"
  "$program" serve --port 0 --store "$folder/sessions.db" --copies "$folder/copies" >"$folder/lines" &
  server=$!
  read -r line <"$folder/lines"
  rm "$folder/lines"
  address=${line##* }
  address=${address%/}
}

expect() {
  case $2 in
    *"$1"*) ;;
    *)
      echo "expected '$1'; found: $2" >&2
      exit 1
      ;;
  esac
}

ask() { curl -sS --fail-with-body -b "$folder/jar" "$@"; }

start
expect 'data-vm-root="shopping"' "$(ask "$address/")"
ask -o /dev/null "$address/euripus.js"
opened=$(ask -c "$folder/jar" -X POST "$address/sessions/shopping")
session=${opened#*\"url\":\"}
session=${session%%\"*}
ask -o /dev/null -X PUT --json '"Milk"' "$address$session/state/thing/value"
expect '"name":"Milk"' "$(ask -X POST "$address$session/actions/add")"

kill -KILL "$server"
wait "$server" 2>/dev/null || true
start
# Another port has another cookie: give the new server the one of the old.
sed -i "s/euripus-[0-9]*/euripus-${address##*:}/" "$folder/jar"
expect '"name":"Milk"' "$(ask "$address$session")"
expect '"executing":false' "$(ask -X POST -H 'Prefer: wait=10' "$address$session/actions/keep")"
expect '1 × Milk' "$(cat "$folder"/copies/list-*.txt)"
echo "the story is as it should be"

"""#),
]
}
