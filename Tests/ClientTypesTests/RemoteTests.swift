// SPDX-License-Identifier: MIT
import EuripusClient
import EuripusMirror
import EuripusTesting
import Foundation
import ObservableCore
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@MainActor @Suite(.timeLimit(.minutes(30))) struct `A generated client` {
  private let server: TestServer

  init() throws { server = try TestServer([GeneratedTypes.todo, GeneratedTypes.everything]) }

  private func todo() async throws -> RemoteTodo {
    try await RemoteTodo.open(at: #require(URL(string: server.url)))
  }

  private func everything() async throws -> RemoteEveryThing {
    let params = RemoteEveryThing.Params(start: 3)
    return try await RemoteEveryThing.open(at: #require(URL(string: server.url)), params: params)
  }

  @Test func `shows the changes of its actions by its observables`() async throws {
    let todo = try await todo()
    var seen: [Int] = []
    let observer = Observer<Int> { seen.append($0) }
    todo.left.addObserver(observer, replay: true)
    try await todo.set(draft: "Buy milk")
    #expect(todo.draft.value == "Buy milk" && todo.canAdd.value)
    try await todo.add()
    #expect(seen == [0, 1])
    #expect(todo.draft.value == "")
    let key = try #require(todo.items.value.order.first)
    try await todo.set(itemsRowDone: true, key: key)
    #expect(todo.items.value.rows.map(\.done) == [true])
    #expect(seen == [0, 1, 0])
    try await todo.remove(key)
    #expect(todo.items.value.order == [])
  }

  @Test func `does all that its page shows`() async throws {
    let server = try #require(URL(string: server.url))
    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }
    let todo = try await RemoteTodo.open(at: server)
    todo.left.addObserver(Observer { print("\($0) left") })
    try await todo.set(draft: "Buy milk")
    try await todo.add()
    for key in todo.items.value.order { try await todo.set(itemsRowDone: true, key: key) }
    #expect(printed == ["1 left", "0 left"])
  }

  @Test func `sends and fetches files by its session`() async throws {
    let server = try TestServer([GeneratedTypes.album])
    let session = try await RemoteSession(opening: "album", at: #require(URL(string: server.url)))
    let data = Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data(count: 3_000_000)
    try await session.upload(data, to: "photos", named: "beach.jpg", type: "image/jpeg")
    try await session.change("POST", "/actions/write")
    let list = try #require(session.state["list"]?["url"]?.text)
    let names = try await session.download(list)
    #expect(names == Data("beach.jpg".utf8))
  }

  @Test func `says which problem there was`() async throws {
    let todo = try await todo()
    let error = await #expect(throws: RemoteProblem.self) { try await todo.add() }
    #expect(error.flatMap { RemoteTodo.Problem($0) } == .actionDisabled)
    #expect(RemoteTodo.Problem(CancellationError()) == nil)
  }

  @Test func `follows the changes of another client, until it is cancelled`() async throws {
    let todo = try await todo()
    let (drafts, draft) = AsyncStream<String>.makeStream()
    todo.draft.addObserver(Observer { draft.yield($0) })
    let following = Task { try await todo.remote.follow() }
    // A plain request to the same session: the other client.
    let url = URL(string: todo.remote.session.url + "/state/draft", relativeTo: URL(string: server.url))
    var request = URLRequest(url: try #require(url))
    (request.httpMethod, request.httpBody) = ("PUT", Data("\"Tea\"".utf8))
    request.setValue("Bearer \(todo.remote.session.token)", forHTTPHeaderField: "Authorization")
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    _ = try await URLSession.shared.data(for: request)
    var iterator = drafts.makeAsyncIterator()
    #expect(await iterator.next() == "Tea")
    following.cancel()
    try await following.value
  }

  @Test func `has values of every type, both ways`() async throws {
    let all = try await everything()
    #expect(all.count.value == 3)
    #expect(all.wages.value == nil)
    #expect(all.default.value == Date(timeIntervalSince1970: 1_000_000.25))
    var card = all.card.value
    #expect(card.labels.map(\.text) == ["a"] && card.weights == ["x": 1.5] && card.colour == .red)
    #expect(card.theId.uuidString == "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6")
    (card.colour, card.due, card.title) = (.blue, nil, "Two")
    try await all.show(card)
    #expect(all.card.value == card && all.default.value == nil)
    card.due = Date(timeIntervalSince1970: 5)
    try await all.set(card: card)
    #expect(all.card.value.due == card.due)
    try await all.want(RemoteEveryThing.Wish(text: nil))
    #expect(all.wish.value.text == nil)
    try await all.set(note: "here")
    #expect(all.note.value == "here")
    try await all.set(note: nil)
    #expect(all.note.value == nil)
    try await all.set(isOn: true)
    #expect(all.isOn.value)
    try await all.set(password: "secret")
    #expect(all.password.value == nil)
    try await all.set(emailValue: "")
    #expect(all.email.value.touched && all.email.value.error != nil)
  }

  @Test func `has the results of actions and commands`() async throws {
    let all = try await everything()
    #expect(try await all.double(21) == 42)
    #expect(try await all.find("One")?.title == "One")
    #expect(try await all.find("None") == nil)
    try await all.move(RemoteEveryThing.EveryThingMove(card: "c", index: 2))
    #expect(all.note.value == "c 2")
    #expect(try await all.publish("News", wait: 20)?.title == "News")
    #expect(all.publish.value.result?.title == "News" && !all.publish.value.executing)
    try await all.cancelPublish()
    try await all.rest(wait: 20)
  }

  @Test func `has rows of several kinds, windows, and view models within`() async throws {
    let all = try await everything()
    #expect(all.rows.value.rows.map(\.text) == ["first"])
    try await all.rowsRowShout(key: "a/b ~")
    #expect(all.rows.value.rows.map(\.text) == ["FIRST"])
    guard case .row(let row)? = all.things.value.rows.first, case .child? = all.things.value.rows.last else {
      Issue.record("\(all.things.value)")
      return
    }
    #expect(row.text == "row")
    #expect(all.numbers.value.count == 3 && all.numbers.value.order == ["1", "2"])
    try await all.set(numbersWindow: RemoteEveryThing.ListWindow(first: 1, count: 2))
    #expect(all.numbers.value.order == ["2", "3"])
    #expect(all.child.value == nil)
    try await all.init_()
    try await all.childGrow()
    #expect(all.child.value?.child?.value.depth == 0)
  }
}
