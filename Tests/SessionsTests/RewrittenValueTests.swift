// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@testable import Sessions

/// Values that change while a transaction settles, and end equal to their first value.
@Suite struct `A value that is rewritten` {
  /// A view model whose actions write values of its own. Observers of these write the shown values, while the
  /// graph settles.
  final class Spelling: ViewModel {
    let text = Observable("\u{e9}")
    let number = Observable(0.0)
    // The label makes the state longer than a patch.
    let label = Observable(String(repeating: "long enough. ", count: 8))
    let shown: Computed<String>
    private let nextText = Observable("", cutOff: .never)
    private let nextNumber = Observable(0.0, cutOff: .never)
    let respell = Observer<String>()
    let renumber = Observer<Double>()

    init() {
      shown = Computed { [text] in text.value + "!" }
      // The write of the first observer settles before the second observer is told.
      nextText.addObserver(Observer<String>(self) { model, _ in model.text.value = "between" })
      nextText.addObserver(Observer<String>(self) { $0.text.value = $1 })
      nextNumber.addObserver(
        Observer<Double>(self) { model, new in
          model.number.value = 7
          model.number.value = new
        })
      respell.handle(self) { $0.nextText.value = $1 }
      renumber.handle(self) { $0.nextNumber.value = $1 }
    }

    static let surface = Surface<Spelling>(
      "spelling", .value("text", \.text), .value("number", \.number), .value("shown", \.shown),
      .value("label", \.label),
      .action("respell", \.respell), .action("renumber", \.renumber))
  }

  let session: Session
  init() throws { session = try SessionHost.still([.hosting { Spelling() }]).open("spelling", as: nil).session }

  private func perform(_ name: String, _ value: JSON) throws -> Message {
    try session.now { try $0.perform([name], value, since: nil, ifMatch: nil) }
  }

  @Test func `to an equal one of other bytes is a change: no two texts of a state have one version`() throws {
    let before = try session.now { try $0.snapshot() }
    let message = try perform("respell", "e\u{301}")
    #expect(message.version.revision == before.version.revision + 1)
    #expect(
      try message.value["patch"] == [
        ["op": "replace", "path": "/text", "value": "e\u{301}"],
        ["op": "replace", "path": "/shown", "value": "e\u{301}!"],
      ])
    let after = try session.now { try $0.snapshot() }
    #expect(after.json.count == before.json.count + 2)
    #expect(try after.value["state"]?["text"] == "e\u{301}")
    #expect(try after.value["state"]?["shown"] == "e\u{301}!")
  }

  @Test func `to a number that is written otherwise is a change`() throws {
    let message = try perform("renumber", .number(-0.0))
    #expect(String(decoding: message.json, as: UTF8.self).contains(#"{"op":"replace","path":"/number","value":-0"#))
    #expect(message.version.revision == 2)
  }

  @Test func `to the same bytes is none`() throws {
    for (name, value) in [("respell", "\u{e9}"), ("renumber", 0)] as [(String, JSON)] {
      let message = try perform(name, value)
      #expect(try message.value["patch"] == [])
      #expect(message.version.revision == 1)
    }
  }
}
