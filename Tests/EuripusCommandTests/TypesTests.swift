// SPDX-License-Identifier: MIT
import Testing

/// The command that prints a view model as types. In `Tests/ClientTypesTests` compilers read them.
@Suite(.timeLimit(.minutes(5))) struct `The command types` {
  @Test func `prints a view model in either language, the same each time, and names itself`() throws {
    for (language, word) in [("typescript", "export interface LoginModel {"), ("swift", "final class RemoteLogin {")] {
      let texts = try (1...2).map { _ in
        let program = try Program("types", "login", "--\(language)")
        let text = program.rest()
        #expect(program.end() == (0, ""))
        return text
      }
      #expect(texts[0] == texts[1])
      #expect(texts[0].contains(word) && texts[0].contains("printed by `euripus types login --\(language)`"))
    }
  }

  @Test func `is there in the program of another app, with that app's options`() throws {
    let program = try Program(["types", "board", "--swift", "--title", "Lunch"], of: "BoardApp")
    #expect(program.rest().contains("func vote() async throws"))
    #expect(program.end().status == 0)
  }

  @Test func `says in a line which view models there are, with status 64, where there is none of a name`() throws {
    let (status, errors) = try Program("types", "logon", "--swift").end()
    #expect(status == 64)
    let names = "account, follow, login, page, profile, recordings, reference, signup"
    #expect(errors == "euripus: there is no view model 'logon'; expected one of: \(names)\n")
  }

  @Test func `needs one language`() throws {
    for languages in [[], ["--swift", "--typescript"]] {
      #expect(try Program(["types", "login"] + languages).end().status == 64)
    }
  }

  @Test func `ends with a line and status 1 where the view models cannot be had`() throws {
    let (status, errors) = try Program(["types", "board", "--swift", "--obstacle", "no database"], of: "BoardApp").end()
    #expect(status == 1 && errors == "BoardApp: no database\n")
  }
}
