// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

@Suite struct `A binding's update` {
  let model = ContentModel()
  let view = ContentView()
  let other = ContentView()

  init() {
    for view in [view, other] {
      view.bindAll()
      view.binding.model = model
      _ = view.news()
    }
  }

  @Test func `S4-4 writes the model, tells the others, and not its own view`() throws {
    try view.binding.update(\.content, "text").update(\.title, "crab")
    #expect(model.title.value == "crab")
    #expect(model.content.value == "text")
    #expect(view.news() == [])
    #expect(other.news() == ["content text", "title crab"])
    try other.binding.update(\.title, "eel")
    #expect(view.news() == ["title eel"])
    #expect(other.news() == [])
  }

  @Test func `S4-4 two views that update each other's key do not loop`() throws {
    view.binding.bind(\.title) { me, title in try me.binding.update(\.content, title) }
    other.binding.bind(\.content) { me, content in try me.binding.update(\.title, content ?? "") }
    try other.binding.update(\.title, "crab")
    #expect(model.title.value == "crab")
    #expect(model.content.value == "crab")
  }

  @Test func `S4-4 an update that a change follows is heard with the newer value alone`() throws {
    // The model trims texts that are written into it.
    model.title.addObserver(
      Observer { [model] title in
        while model.title.value.hasSuffix(" ") { model.title.value.removeLast() }
      })
    try view.binding.update(\.title, "crab ")
    #expect(model.title.value == "crab")
    #expect(view.news() == ["title crab"])
    // The model trims it back to the old text. The view shows the text that it wrote, so it has to hear.
    try view.binding.update(\.title, "crab  ")
    #expect(view.news() == ["title crab"])
    try view.binding.update(\.title, "eel")
    #expect(view.news() == [])
  }

  @Test func `S4-4 within a transaction the last write decides`() throws {
    try transaction {
      model.title.value = "before"
      try view.binding.update(\.title, "mine")
    }
    #expect(view.news() == [])
    #expect(other.news() == ["title mine"])
    try transaction {
      try view.binding.update(\.title, "mine too")
      model.title.value = "after"
    }
    #expect(view.news() == ["title after"])
    #expect(other.news() == ["title after"])
    try transaction {
      try view.binding.update(\.title, "mine")
      model.title.value = "after"
    }
    #expect(view.news() == ["title after"])
  }

  @Test func `S4-4 from within an observer nothing is echoed either`() throws {
    model.isPublished.addObserver(Observer { [view] _ in try view.binding.update(\.title, "published") })
    model.isPublished.value = true
    #expect(view.news() == [])
    #expect(other.news() == ["title published"])
  }

  @Test func `S4-4 S4-2 an update within the callback of the first value is not echoed`() throws {
    let third = ContentView()
    third.binding.bind(\.title) { me, title in
      me.log.append(title)
      try me.binding.update(\.title, title + "!")
    }
    .model = model
    #expect(third.news() == ["lobster"])
    #expect(view.news() == ["title lobster!"])
  }

  @Test func `an equal update tells nobody, and the next change is heard`() throws {
    try view.binding.update(\.title, "lobster")
    #expect(view.news() + other.news() == [])
    model.title.value = "crab"
    #expect(view.news() == ["title crab"])
  }

  @Test func `S4-5 a value that nothing cuts off is not echoed either`() throws {
    var told = 0
    view.binding.bind(\.size) { _, _ in told += 1 }
    #expect(told == 1)
    try view.binding.update(\.size, (1, 1))
    #expect(told == 1)
    model.size.value = (1, 1)
    #expect(told == 2)
  }

  @Test func `an update that is undone is not heard, and the next change is`() throws {
    expectUndone { try view.binding.update(\.title, "mine") }
    #expect(model.title.value == "lobster")
    #expect(view.news() + other.news() == [])
    model.title.value = "mine"
    #expect(view.news() == ["title mine"])
    #expect(other.news() == ["title mine"])
  }

  @Test func `a key that is not bound can be updated`() throws {
    try view.binding.update(\.isPublished, true)
    #expect(model.isPublished.value)
  }

  @Test func `S4-5 without a model it is an error, which names the key`() {
    let binding = Binding<ContentView, ContentModel>(view)
    let error = #expect(throws: ObservableError.self) { try binding.update(\.title, "x") }
    #expect(error.map { "\($0)" }?.contains("title") == true)
  }
}
