// SPDX-License-Identifier: MIT
import Testing

/// The command that prints a view model as types. In `Tests/ClientTypesTests` compilers read them.
@Suite(.timeLimit(.minutes(30))) struct `The command types` {
  @Test func `prints a view model in either language, the same each time, and names itself`() throws {
    for (language, word) in [("typescript", "export interface LoginModel {"), ("swift", "final class RemoteLogin {")] {
      let texts = try (1...2).map { _ in try Program.run("types", "login", "--\(language)").output }
      #expect(texts[0] == texts[1])
      #expect(texts[0].contains(word) && texts[0].contains("printed by `euripus types login --\(language)`"))
    }
  }

  @Test func `is there in the program of another app, with that app's options`() throws {
    let ended = try Program.run(["types", "board", "--swift", "--title", "Lunch"], of: "BoardApp")
    #expect(ended.output.contains("func vote() async throws") && ended.status == 0)
  }

  @Test func `names the view models that there are, with status 64, where there is none of a name`() throws {
    let names = "account, board, card-finder, cookbook, follow, login, page, profile, recordings, reference, signup"
    let line = """
      euripus: there is no view model 'logon' in this program; expected one of: \(names); one of your own app is in its \
      program, as in 'swift run shop page todo'

      """
    #expect(try Program.run("types", "logon", "--swift") == Program.Ended(status: 64, errors: line))
  }

  @Test func `needs one language`() throws {
    for languages in [[], ["--swift", "--typescript"]] {
      #expect(try Program.run(["types", "login"] + languages).status == 64)
    }
  }

  @Test func `ends with a line and status 1 where the view models cannot be had`() throws {
    let ended = try Program.run(["types", "board", "--swift", "--obstacle", "no database"], of: "BoardApp")
    #expect(ended == Program.Ended(status: 1, errors: "BoardApp: no database\n"))
  }
}
