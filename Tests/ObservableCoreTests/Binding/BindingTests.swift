// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

/// The document's content model, with values of several types.
final class ContentModel {
  let title: Observable<String>
  let content = Observable<String?>(nil)
  let isPublished = Observable(false)
  let size = Observable((width: 0.0, height: 0.0), cutOff: .never)
  private(set) lazy var length = Computed { [title] in title.value.count }
  let summary = ObservableCombiner<String>(.every, "-")

  init(_ title: String = "lobster") {
    self.title = Observable(title)
    summary.combine(self.title).handle { "<\($0)>" }
  }
}

final class ContentView {
  var log: [String] = []
  private(set) lazy var binding = Binding<ContentView, ContentModel>(self)

  func bindAll() {
    binding.bind(\.title) { me, title in me.log.append("title \(title)") }
      .bind(\.content) { me, content in me.log.append("content \(content ?? "nil")") }
  }

  /// The log since the last call.
  func news() -> [String] {
    defer { log = [] }
    return log
  }
}

@Suite struct `A binding` {
  let model = ContentModel()
  let view = ContentView()

  @Test func `S4-1 S4-2 S4-3 tells the present values at once, but no nil, and each change to the callback of its key`()
  {
    view.binding.model = model
    view.bindAll()
    #expect(view.news() == ["title lobster"])
    model.content.value = "123456"
    model.content.value = nil
    #expect(view.news() == ["content 123456", "content nil"])
    model.title.value = "crab"
    #expect(view.news() == ["title crab"])
    model.isPublished.value = true
    #expect(view.news() == [])
  }

  @Test func `S4-5 S4-10 binds values of any type, those that cannot be written one way`() {
    view.binding.bind(\.isPublished) { me, value in me.log.append("\(value)") }
      .bind(\.size) { me, size in me.log.append("\(size.width) x \(size.height)") }
      .bind(\.summary) { me, summary in me.log.append(summary) }
      .bind(\.length) { me, length in me.log.append("\(length)") }
      .model = model
    #expect(view.news() == ["false", "0.0 x 0.0", "-", "7"])
    model.size.value = (2, 3)
    model.title.value = "crab"
    #expect(view.news() == ["2.0 x 3.0", "<crab>", "4"])
  }

  @Test func `S4-6 the view goes first: its binding goes with it, and nobody is told`() {
    var view: ContentView? = ContentView()
    view?.binding.model = model
    view?.bindAll()
    let subscribed = Log<String>()
    model.title.addObserver(subscribed.observer)
    weak let gone = view
    view = nil
    #expect(gone == nil)
    model.title.value = "crab"
    #expect(subscribed.values == ["crab"])
  }

  @Test func `S4-6 S4-7 the model goes first: the binding is safe, and can be given another`() {
    var model: ContentModel? = ContentModel()
    view.bindAll()
    view.binding.model = model
    weak let gone = model
    model = nil
    #expect(gone == nil)
    #expect(view.binding.model == nil)
    #expect(throws: ObservableError.self) { try view.binding.update(\.title, "x") }
    #expect(view.news() == ["title lobster"])
    view.binding.model = self.model
    #expect(view.news() == ["title lobster"])
  }

  @Test func `S4-6 a binding that outlives its view tells nobody`() {
    var view: ContentView? = ContentView()
    let binding = view?.binding
    view?.bindAll()
    view = nil
    binding?.model = model
    model.title.value = "crab"
    #expect(binding?.model === model)
  }

  @Test func `S4-8 with another model every key follows, and the one before is not heard`() {
    view.bindAll()
    view.binding.model = model
    let other = ContentModel("crab")
    other.content.value = "b"
    _ = view.news()
    view.binding.model = other
    #expect(view.news() == ["title crab", "content b"])
    model.title.value = "old"
    model.content.value = "old"
    #expect(view.news() == [])
    other.title.value = "new"
    #expect(view.news() == ["title new"])
    view.binding.model = nil
    other.title.value = "unheard"
    #expect(view.news() == [])
  }

  @Test func `S4-8 a callback that sets another model has the last word`() {
    let other = ContentModel("crab")
    view.binding.bind(\.title) { me, title in
      me.log.append("title \(title)")
      if title == "lobster" { me.binding.model = other }
    }
    .bind(\.length) { me, length in me.log.append("length \(length)") }
    view.binding.model = model
    #expect(view.news() == ["title lobster", "title crab", "length 4"])
    model.title.value = "old"
    #expect(view.news() == [])
  }

  @Test func `S4-9 the last of two callbacks for a key wins, and is told once`() {
    view.binding.model = model
    view.bindAll()
    view.binding.bind(\.title) { me, title in me.log.append("second \(title)") }
    _ = view.news()
    model.title.value = "crab"
    #expect(view.news() == ["second crab"])
    let other = ContentModel("eel")
    view.binding.model = other
    #expect(view.news() == ["second eel"])
  }

  @Test func `a computed that fails is told when it has a value again`() {
    final class Fragile {
      let input = Observable(-1)
      private(set) lazy var root = Computed { [input] in
        if input.value < 0 { throw Refused() }
        return input.value
      }
    }
    let model = Fragile()
    var told: [Int] = []
    let binding = Binding<ContentView, Fragile>(view).bind(\.root) { told.append($1) }
    binding.model = model
    #expect(told == [])
    model.input.value = 4
    #expect(told == [4])
  }
}
