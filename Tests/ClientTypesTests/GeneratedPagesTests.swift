// SPDX-License-Identifier: MIT
import EuripusOpenAPI
import Testing
import ViewModels

@Suite(.timeLimit(.minutes(30))) struct `Generated pages` {
  @Test func `are made for every view model, with each id once and each label's field`() {
    for model in GeneratedTypes.all {
      let page = ModelPage(model, program: "app").file(params: nil)
      let ids = page.matches(of: #/ id="([^"]+)"/#).map { String($0.1) }
      #expect(ids.count == Set(ids).count, "\(model.name)")
      let named = page.matches(of: #/ (?:for|aria-labelledby|aria-describedby|list)="([^"]+)"/#)
        .flatMap { $0.1.split(separator: " ").map(String.init) }
      #expect(Set(named).subtracting(ids) == [], "\(model.name)")
    }
  }

  @Test func `have as many ends of elements as starts`() {
    for model in GeneratedTypes.all {
      let page = ModelPage(model, program: "app").file(params: nil)
      for element in ["div", "form", "label", "li", "p", "section", "select", "span", "template", "ul"] {
        let starts = [" ", ">", "\n"].map { page.ranges(of: "<\(element)\($0)").count }.reduce(0, +)
        #expect(starts == page.ranges(of: "</\(element)>").count, "\(model.name): \(element)")
      }
    }
  }
}
