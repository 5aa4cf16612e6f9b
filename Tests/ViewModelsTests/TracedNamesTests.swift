// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@Suite struct `A trace of a view model` {
  /// A view model that traces its own graph.
  private final class Page: ViewModel {
    @Observed var word = ""
    @Observed var names: [String] = []
    lazy var length = Computed(self) { $0.word.count }
    private var trace: Trace?

    func begin() { trace = Graph.entered?.startTracing() }
    func write(_ text: String) { word = text }
    func collect() { names = trace?.records.map(\.origin.name) ?? [] }

    static let surface = Surface<Page>(
      "page", .value("title", \.$word), .value("size", \.length), .value("names", \.$names),
      .action("begin", Page.begin), .action("write", Page.write), .action("collect", Page.collect))
  }

  @Test func `calls nodes by their names on the surface`() throws {
    let page = try ModelDriver { Page() }
    try page.perform("begin")
    try page.perform("write", "some")
    try page.perform("collect")
    guard case .array(let names)? = page["names"] else {
      Issue.record("expected names, got \(String(describing: page["names"]))")
      return
    }
    #expect(names.contains("title") && names.contains("size"), "\(names)")
  }
}
