// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

@Suite struct `A trace` {
  struct Failure: Error {}

  final class Login {
    let username = Observable("", name: "username")
    let password = Observable("", name: "password")
    let usernameValid = ObservableCombiner<Bool>(.every, false, name: "usernameValid")
    let passwordValid: Computed<Bool>
    let loginEnabled = ObservableCombiner<Bool>(.every, false, name: "loginEnabled")

    init() {
      let password = password
      passwordValid = Computed(name: "passwordValid") { password.value.count >= 6 }
      password.isSecret = true
      usernameValid.combine(username).handle { $0.count >= 6 }
      loginEnabled.combine(usernameValid, passwordValid).handle { $0 && $1 }
    }
  }

  @Test func `S0-D5 says why, down to the action`() throws {
    let graph = Graph()
    let login = graph.enter { Login() }
    let trace = graph.startTracing()
    try transaction(name: "usernameDidChange") { login.username.value = "maruko" }
    try transaction(name: "passwordDidChange") { login.password.value = "123456" }
    let lines = trace.why(login.loginEnabled).split(separator: "\n").map { line in
      line.replacing(#/ \(ObservableCoreTests/TraceTests.swift:\d+\)/#, with: "")
    }
    #expect(
      lines == [
        "loginEnabled became true, from false in transaction 2",
        "  because passwordValid became true, from false",
        "  because password became <secret>",
        "  because 'passwordDidChange' wrote it",
      ])
    #expect(trace.why(login.username).contains("because 'usernameDidChange' wrote it"))
    #expect(!trace.records.contains { "\($0)".contains("123456") })
    #expect(trace.records.filter { $0.outcome == .cut }.map(\.origin.name) == ["loginEnabled"])
  }

  @Test func `names the node whose observer wrote`() {
    let graph = Graph()
    let (a, b) = graph.enter { (Observable(0, name: "a"), Observable(0, name: "b")) }
    a.addObserver(Observer { b.value = $0 * 2 })
    let trace = graph.startTracing()
    a.value = 4
    let why = trace.why(b)
    #expect(why.hasPrefix("b (ObservableCoreTests/TraceTests.swift:"))
    #expect(why.contains(") became 8, from 0 in transaction 1\n  because a ("))
    #expect(why.hasSuffix(") became 4, from 0\n  because the body of the transaction wrote it"))
    #expect(trace.why(b) == trace.why(b))
    #expect(trace.records.map(\.outcome) == [.written, .told, .written])
  }

  @Test func `says that a node did not change, and how often it ran for nothing`() {
    let graph = Graph()
    let source = graph.enter { Observable(1, name: "source") }
    let isOdd = graph.enter { Computed(name: "isOdd") { source.value % 2 == 1 } }
    isOdd.addObserver(Observer { _ in })
    let trace = graph.startTracing()
    source.value = 3
    source.value = 5
    #expect(trace.why(isOdd).contains("has not changed in the 4 records since tracing began; it ran 2 times since"))
  }

  @Test func `keeps the newest records alone, and none once it is off`() {
    let graph = Graph()
    let count = graph.enter { Observable(0) }
    let trace = graph.startTracing(capacity: 3)
    for value in 1...5 { count.value = value }
    #expect(trace.records.map(\.new) == ["3", "4", "5"])
    #expect(trace.records.map(\.transaction) == [3, 4, 5])
    #expect(trace.records.map(\.time) == trace.records.map(\.time).sorted())
    graph.stopTracing()
    count.value = 6
    #expect(trace.records.map(\.new) == ["3", "4", "5"])
  }

  @Test func `an inspector is called once a transaction, and a node that was made later is traced`() throws {
    let graph = Graph()
    let trace = graph.startTracing()
    let (a, b) = graph.enter { (Observable(0, name: "a"), Observable(0, name: "b")) }
    var seen: [[String]] = []
    trace.transactionDidEnd = { records in seen.append(records.map { $0.origin.name + ($0.new ?? "") }) }
    try transaction {
      a.value = 1
      b.value = 2
    }
    Observable(0).value = 1
    a.value = 2
    #expect(seen == [["a1", "b2"], ["a2"]])
  }

  @Test func `records an error of a formula`() {
    let graph = Graph()
    let source = graph.enter { Observable(1, name: "source") }
    let checked = graph.enter {
      Computed(name: "checked") {
        if source.value < 0 { throw Failure() }
        return source.value
      }
    }
    checked.addObserver(Observer { _ in })
    let trace = graph.startTracing()
    #expect(throws: Failure.self) { try source.set(-1) }
    #expect(trace.why(checked).contains(" failed with ObservableCoreTests."))
  }
}

@Suite struct `A topology` {
  private func example() -> (Graph, [Node]) {
    let graph = Graph()
    let nodes = graph.enter { () -> [Node] in
      let text = Observable("say \"hi\" <b>", name: "text")
      let length = Computed(name: "length") { text.value.count }
      length.addObserver(Observer { _ in })
      let both = ObservableCombiner<Int>(.every, 0, name: "both")
      both.combine(length, text).handle { length, _ in length }
      return [text, length, both, Event<Int>(name: "tap")]
    }
    return (graph, nodes)
  }

  @Test func `S0-D5 has every node and every link, is drawn by Graphviz and Mermaid, and read as JSON`() throws {
    let (graph, nodes) = example()
    let topology = graph.topology
    #expect(topology.nodes.map(\.kind) == ["observable", "computed", "combiner", "event"])
    #expect(topology.nodes.map(\.observers) == [0, 1, 0, 0])
    #expect(
      topology.dot == #"""
        digraph {
          rankdir=LR;
          node [fontname="sans-serif"];
          n0 [label="text\n\"say \\\"hi\\\" <b>\"", shape=box];
          n1 [label="length\n12", shape=ellipse];
          n2 [label="both\n0", shape=hexagon];
          n3 [label="tap", shape=cds];
          n0 -> n1;
          n1 -> n2;
          n0 -> n2;
        }

        """#)
    #expect(
      topology.mermaid == ##"""
        flowchart LR
          n0["text<br>#quot;say \#quot;hi\#quot; #lt;b#gt;#quot;"]
          n1(["length<br>12"])
          n2{{"both<br>0"}}
          n3>"tap"]
          n0 --> n1
          n1 --> n2
          n0 --> n2

        """##)
    #expect(
      topology.json.hasPrefix(#"{"nodes":[{"id":0,"name":"text","file":"ObservableCoreTests/TraceTests.swift","line":"#)
    )
    #expect(topology.json.hasSuffix(#""edges":[{"from":0,"to":1},{"from":1,"to":2},{"from":0,"to":2}]}"#))
    #expect(topology.json.contains(#""value":"\"say \\\"hi\\\" <b>\"","observers":0}"#))
    withExtendedLifetime(nodes) {}
  }
}
