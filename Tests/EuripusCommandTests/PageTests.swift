// SPDX-License-Identifier: MIT
import Testing

/// The command that prints a page of a view model. In `Tests/Browser/test_made_pages.py` a browser shows them.
@Suite(.timeLimit(.minutes(30))) struct `The command page` {
  private static let demos = [
    "account", "board", "card-finder", "cookbook", "follow", "login", "page", "profile", "recordings", "reference",
    "signup",
  ]

  @Test func `prints a page for each view model of the demos and the examples, the same each time`() throws {
    let models =
      Self.demos.map { ($0, "euripus") } + [("todo", "Todo")]
      + ["new-ticket", "answer", "ticket", "queue"].map { ($0, "HelpDesk") }
    for (model, program) in models {
      let first = try Program.run(["page", model], of: program)
      #expect(first.status == 0 && first.errors == "")
      #expect(first.output.hasPrefix("<!doctype html>\n<!-- Printed by `\(program) page \(model)`. "), "\(model)")
      #expect(first.output.contains("data-vm-root=\"\(model)\"") && first.output.hasSuffix("</html>\n"))
      #expect(try Program.run(["page", model], of: program) == first)
    }
  }

  @Test func `names the view models that there are, with status 64, where there is none of a name`() throws {
    let ended = try Program.run(["page", "logon"], of: "BoardApp")
    #expect(ended.status == 64)
    #expect(ended.errors.hasPrefix("BoardApp: there is no view model 'logon' in this program; expected one of: "))
    #expect(!ended.errors.contains("swift run"))
  }

  @Test func `reads the program's own options from the environment`() throws {
    let page = try Program.run(["page", "notes"], environment: ["BOARDAPP_NOTES": "yes"], of: "BoardApp")
    #expect(page.status == 0 && page.output.contains("data-vm-root=\"notes\""), "\(page)")
  }

  @Test func `takes the parameters of the session, if they fit`() throws {
    let page = try Program.run("page", "board", "--params", #"{"board":"garden"}"#)
    #expect(page.output.contains(#"data-vm-params="={&quot;board&quot;:&quot;garden&quot;}""#))
    for (params, words) in [("{", "--params is no JSON"), (#"{"bord":"x"}"#, "--params does not fit 'board'")] {
      let ended = try Program.run("page", "board", "--params", params)
      #expect(ended.status == 64 && ended.errors.contains(words), "\(ended.errors)")
    }
  }
}
