// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

@testable import EuripusApp

/// The notes of works, which these tests read where the process might die.
struct `A watched view model` {
  private static let session = "/sessions/note/1"

  /// A view model that calls `look` wherever code of its own runs.
  private final class Note: ViewModel {
    let text = Observable("", name: "text")
    let shown: Computed<String>
    let write = Observer<String>()
    private(set) lazy var save = Command<Void, Void>(self) { _, _, _ in }
    private(set) lazy var tell = Command<Void, Void>(self) { me, _, _ in try me().text.value = "told" }
    let look: @Sendable (String) -> Void

    init(_ look: @escaping @Sendable (String) -> Void) {
      self.look = look
      look("init")
      let text = text
      shown = Computed {
        look("shown")
        return text.value
      }
      write.handle(self) { note, text in
        note.look("write")
        note.text.value = text
      }
    }

    static let surface = Surface<Note>(
      "note", .twoWay("text", \.text), .value("shown", \.shown), .action("write", \.write), .command("save", \.save),
      .command("tell", \.tell))
  }

  /// A place where a view model lives, whose executor never runs a step.
  private actor Home {
    private let executor = Never()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private final class Never: SerialExecutor {
      func enqueue(_ job: consuming ExecutorJob) {}
      func checkIsolated() {}
    }
  }

  private final class Runs: CommandRunWatcher {
    var count = 0
    let holdsBack: Bool
    init(holdsBack: Bool = false) { self.holdsBack = holdsBack }
    func runDidBegin(_ run: CommandRun) { count += 1 }
    func mayStart(_ run: CommandRun) -> Bool { !holdsBack }
    func runDidEnd(_ run: CommandRun, _ error: (any Error)?) { count -= 1 }
  }

  /// The notes that were there when code of the view model ran, each as `place: work`.
  private final class Seen: Sendable {
    private let memory: NoteMemory
    private let seen = Locked<[String]>([])

    init(_ memory: NoteMemory) { self.memory = memory }

    func look(_ place: String) {
      let text = memory.works.first?.value.text ?? "-"
      seen.withLock { $0.append("\(place): \(text)") }
    }

    func take() -> Set<String> {
      seen.withLock { seen in
        defer { seen = [] }
        return Set(seen)
      }
    }
  }

  private let memory: NoteMemory
  private let seen: Seen

  init() throws {
    memory = try NoteMemory()
    seen = Seen(memory)
  }

  private func type(poisoned: [UInt64: Int64] = [:], now: Int64 = 0) -> HostedModelType {
    .hosting { [seen] in Note { seen.look($0) } }.watched(WorkNotes(memory, poisoned: poisoned) { now })
  }

  @Test func `is noted with its opening, with its changes until they are stored, and then with its session`() {
    OwnThread.run {
      let model = try type().make(for: "1")
      #expect(seen.take() == ["init: open /sessions/note", "shown: open /sessions/note"])
      try model.apply(.perform(["write"], "x"))
      #expect(seen.take() == ["write: perform \(Self.session)/write", "shown: perform \(Self.session)/write"])
      model.enter { seen.look("other") }
      #expect(seen.take() == ["other: perform \(Self.session)/write"])
      var writer = JSONWriter(capacity: 64)
      model.writeStored(to: &writer)
      _ = seen.take()
      model.enter { seen.look("other") }
      #expect(seen.take() == ["other: restore \(Self.session)"])
      let stored = try JSONReader.read(writer.bytes)
      let restored = try type().restore(stored, schema: 1, for: "1")
      #expect(seen.take() == ["init: restore \(Self.session)", "shown: restore \(Self.session)"])
      restored.close()
      model.close()
    }
  }

  @Test func `is noted in a step with the change that started the command, though others came after it`() {
    OwnThread.run {
      let model = try type().make(for: "1")
      let (home, runs) = (Home(), Runs())
      model.live(in: home, runWatcher: runs) {}
      try model.apply(.perform(["save"]))
      #expect(runs.count == 1)
      try model.apply(.perform(["write"], "x"))
      _ = seen.take()
      model.enter { seen.look("step") }
      #expect(seen.take() == ["step: perform \(Self.session)/save"])
      try model.apply(.cancel(["save"]))
      #expect(runs.count == 0)
      _ = seen.take()
      model.enter { seen.look("other") }
      #expect(seen.take() == ["other: cancel \(Self.session)/save"])
      withExtendedLifetime((home, runs)) { model.close() }
    }
  }

  @Test func `has its host decide when a command starts`() {
    OwnThread.run {
      let model = try type().make(for: "1")
      let (home, runs) = (Home(), Runs(holdsBack: true))
      model.live(in: home, runWatcher: runs) {}
      try model.apply(.perform(["tell"]))
      #expect(runs.count == 1, "it is neither started nor over")
      withExtendedLifetime((home, runs)) { model.close() }
    }
  }

  @Test func `does not repeat a change that a server died of, and does all others`() {
    let deadly = Work.changing(Self.session, [.perform(["write"], "x")])
    OwnThread.run {
      let model = try type(poisoned: [deadly.mark: 0]).make(for: "1")
      #expect(throws: Poisoned.self) { try model.apply(.perform(["write"], "x")) }
      #expect(model.faults(of: [.perform(["write"], "x")]).isEmpty)
      try model.apply(.perform(["write"], "y"))
      try model.apply(.set(["text"], "x"))
      model.close()
    }
  }

  @Test func `is noted with each change of several while that is at work, and refuses each by itself`() {
    OwnThread.run {
      let model = try type().make(for: "1")
      _ = seen.take()
      try model.apply([.set(["text"], "a"), .perform(["write"], "x")]) { _ in }
      #expect(
        seen.take() == [
          "shown: set \(Self.session)/text", "write: perform \(Self.session)/write",
          "shown: perform \(Self.session)/write",
        ])
      model.close()
    }
    let deadly = Work.changing(Self.session, [.perform(["write"], "x")])
    OwnThread.run {
      let model = try type(poisoned: [deadly.mark: 0]).make(for: "1")
      #expect(throws: Poisoned.self) { try model.apply([.set(["text"], "a"), .perform(["write"], "x")]) { _ in } }
      try model.apply([.set(["text"], "a"), .perform(["write"], "y")]) { _ in }
      model.close()
    }
  }

  @Test func `refuses a change for an hour, and a client`() {
    let origin = SessionOrigin(id: "1", client: "c")
    let change = Work.changing(Self.session, [.perform(["write"], "x")], client: "c")
    OwnThread.run {
      let refusing = try type(poisoned: [change.mark: 0], now: 3_599).make(for: origin)
      #expect(throws: Poisoned.self) { try refusing.apply(.perform(["write"], "x")) }
      try refusing.apply(.perform(["write"], "y"))
      refusing.close()
      let trying = try type(poisoned: [change.mark: 0], now: 3_600).make(for: origin)
      try trying.apply(.perform(["write"], "x"))
      trying.close()
      func client(_ now: Int64) -> HostedModelType { type(poisoned: [change.clientMark: 0], now: now) }
      #expect(throws: Poisoned.self) { try client(3_599).make(for: origin) }
      try client(3_600).make(for: origin).close()
      try client(0).make(for: SessionOrigin(id: "1", client: "d")).close()
    }
  }

  @Test func `counts a change for the client that asks for it, in a session that is nobody's`() {
    let (eves, annas) = ("eve", "anna")
    let change = Work.changing(Self.session, [.perform(["write"], "x")], client: eves)
    OwnThread.run {
      let model = try type(poisoned: [change.clientMark: 0]).make(for: SessionOrigin(id: "1", client: "room"))
      #expect(throws: Poisoned.self) { try model.apply([.perform(["write"], "y")], by: eves) { _ in } }
      try model.apply([.perform(["write"], "y")], by: annas) { _ in }
      try model.apply([.perform(["write"], "z")]) { _ in }
      model.close()
    }
  }

  @Test func `refuses an action of many deaths in every session for an hour, and no other change`() {
    let action = Work.changing("/sessions/note/9", [.perform(["write"], "x")], client: "d").actionMark
    OwnThread.run {
      func model(_ now: Int64) throws -> any HostedModel {
        try type(poisoned: [action: 0], now: now).make(for: SessionOrigin(id: "1", client: "c"))
      }
      let refusing = try model(3_599)
      #expect(throws: Poisoned.self) { try refusing.apply(.perform(["write"], "y")) }
      try refusing.apply(.set(["text"], "y"))
      refusing.close()
      let trying = try model(3_600)
      try trying.apply(.perform(["write"], "y"))
      trying.close()
    }
  }

  @Test func `is opened again after an hour where several servers died of openings`() {
    OwnThread.run {
      func opening(_ now: Int64) -> HostedModelType {
        type(poisoned: [Work.opening("note", client: "d").actionMark: 1_000], now: now)
      }
      let origin = SessionOrigin(id: "1", client: "c")
      #expect(throws: Poisoned.self) { try opening(4_599).make(for: origin) }
      try opening(4_600).make(for: origin).close()
      try opening(1_000).restore([:], schema: 1, for: "2").close()
    }
  }

  @Test func `is opened at every other address where one was deadly`() {
    let deadly = Work.opening("note", client: "c", address: "/note?tab=deadly")
    for other in [Work.opening("note", client: "c"), Work.opening("note", client: "c", address: "/note?tab=good")] {
      #expect(other.mark != deadly.mark)
      #expect(other.clientMark == deadly.clientMark && other.actionMark == deadly.actionMark)
    }
    #expect(!deadly.text.contains("deadly"))
  }

  @Test func `is opened again after a minute, and restored again after an hour`() {
    let poisoned = [Work.opening("note").mark: Int64(1_000), Work.restoring(Self.session).mark: 1_000]
    OwnThread.run {
      #expect(throws: Poisoned.self) { try type(poisoned: poisoned, now: 1_059).make(for: "1") }
      try type(poisoned: poisoned, now: 1_060).make(for: "1").close()
      let refusing = type(poisoned: poisoned, now: 4_599)
      #expect(throws: Poisoned.self) { try refusing.restore([:], schema: 1, for: "1") }
      try refusing.restore([:], schema: 1, for: "2").close()
      try type(poisoned: poisoned, now: 4_600).restore([:], schema: 1, for: "1").close()
    }
  }

  @Test func `does again all that was refused, as soon as an operator pardons it`() {
    let notes = WorkNotes(memory, poisoned: [Work.changing(Self.session, [.perform(["write"], "x")]).mark: 0]) { 0 }
    let type = HostedModelType.hosting { Note { _ in } }.watched(notes)
    OwnThread.run {
      let model = try type.make(for: "1")
      #expect(throws: Poisoned.self) { try model.apply(.perform(["write"], "x")) }
      notes.pardon()
      try model.apply(.perform(["write"], "x"))
      model.close()
    }
  }
}
