// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

@Suite struct `A graph` {
  /// An object whose closures all capture `self` strongly, and whose combiners form a cycle: enough for a leak.
  final class Leaky {
    let name = Observable("")
    let valid = ObservableCombiner<Bool>(.every, false)
    let other = ObservableCombiner<Bool>(.every, false)
    let nameDidChange = Observer<String>()

    init() {
      valid.combine(name).combine(other).handle { _, _ in self.name.value.count > 3 }
      other.combine(valid).handle { _ in self.valid.value }
      nameDidChange.handle { self.name.value = $0 }
      name.addObserver(Observer { _ in _ = self.other.value })
    }
  }

  @Test func `S0-D6 closing drops every cycle: 10,000 graphs leave no live node`() throws {
    var live = 0
    weak var last: Leaky?
    for _ in 0..<10_000 {
      let graph = Graph()
      do {
        let leaky = graph.enter { Leaky() }
        last = leaky
        try leaky.nameDidChange.invoke("maruko")
        #expect(leaky.other.value)
      }
      // Without the closing they stay.
      #expect(graph.memberCount == 5)
      graph.close()
      live += graph.memberCount
    }
    #expect(live == 0)
    #expect(last == nil)
  }

  @Test func `a combiner of a closed graph gets no handler, as nobody keeps its inputs`() throws {
    let graph = Graph()
    let combiner = graph.enter { ObservableCombiner<Int>(.every, 0) }
    let others = ObservableCombiner<Int>(.every, 0)
    var (first, runs): (Observable<Int>?, Int) = (Observable(1), 0)
    weak let gone = first
    do {
      let closed = combiner.combine(try #require(first))
      let open = others.combine(try #require(first))
      graph.close()
      closed.handle { value in
        runs += 1
        return value
      }
      open.handle { $0 }
    }
    first?.value = 5
    #expect(others.value == 5)
    first = nil
    // The combiner that lives keeps it.
    #expect(gone != nil)
    let second = Observable(2)
    _ = combiner.combine(second)
    second.value = 3
    #expect(combiner.value == 0 && runs == 0)
  }

  /// A host that writes down the errors, and has time for everything.
  final class Host: GraphHost {
    var told: [String] = []
    func take(_ error: any Error, of place: String) { told.append(place) }
    func admit(_ place: String, orLater goOn: @escaping () -> Void) -> Bool { true }
  }

  @MainActor @Test func `hands its host the errors that reach no caller, also those from before it had one`() {
    struct Failure: Error {}
    let (graph, host) = (Graph(isolation: MainActor.shared), Host())
    graph.awaitsIsolation = true
    graph.enter {
      let value = Observable(0, name: "value")
      let command = Command<Void, Void>(host, name: "save") { _, _, _ in throw Failure() }
      for error in 1...2 { value.addObserver(Observer { if $0 == error { throw Failure() } }) }
      command.error.addObserver(Observer { _ in throw Failure() })
      value.value = 1
      graph.host = host
      value.addObserver(Observer { _ in throw Failure() }, replay: true)
      value.value = 2
      command.execute(())
    }
    let place = "(ObservableCoreTests/GraphTests.swift:"
    let expected = [
      "an assignment to value \(place)", "an observer that was told on subscribing", "an assignment to value \(place)",
      "an observer of the error of save \(place)",
    ]
    #expect(zip(host.told, expected).allSatisfy { $0.hasPrefix($1) } && host.told.count == 4, "\(host.told)")
  }

  @Test func `that goes leaves alone the nodes that live longer`() {
    var graph: Graph? = Graph()
    let node = graph?.enter { Observable(1) }
    graph = nil
    node?.value = 2
    #expect(node?.value == 2)
  }
}
