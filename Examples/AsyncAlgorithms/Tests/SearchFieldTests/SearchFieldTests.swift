// SPDX-License-Identifier: MIT
import ObservableCore
import SearchField
import Testing

@Suite(.timeLimit(.minutes(1))) @MainActor struct `A search field` {
  @Test func `searches for what was typed when typing pauses`() async {
    let field = SearchField(pause: .milliseconds(1))
    for text in ["e", "eu", "eur"] { field.typed.value = text }
    #expect(await field.searches(1) == ["eur"])
    field.typed.value = "euripus"
    #expect(await field.searches(2) == ["eur", "euripus"])
  }

  @Test func `searches at once for what was chosen`() async {
    let field = SearchField(pause: .seconds(3600))
    field.typed.value = "eur"
    field.chosen.value = "strait"
    #expect(await field.searches(1) == ["strait"])
  }
}
