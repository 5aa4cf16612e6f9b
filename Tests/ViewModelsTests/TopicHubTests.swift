// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

@testable import ViewModels

/// The topics of a server.
@Suite(.timeLimit(.minutes(30))) struct `The hub of topics` {
  private final class Page: ViewModel {
    struct Broken: Error {}

    private var reading: TopicFollowing?

    init(_ context: SessionContext, isBroken: Bool) throws {
      reading = context.follow("news", by: self) { _, _ in }
      if isBroken { throw Broken() }
    }

    static let surface = Surface<Page>("page")
  }

  private let hub = TopicHub()

  private func origin() -> SessionOrigin {
    var origin: SessionOrigin = "a session"
    origin.topics = hub
    return origin
  }

  @Test func `gathers what one listener was told, and is its own only if all of it was`() async {
    let listener = hub.listen(to: "news", as: "mine")
    #expect(listener.take() == TopicNews(isOwn: false))
    #expect(listener.take() == nil)
    for _ in 0..<3 { hub.tell("news", by: "mine") }
    #expect(listener.take() == TopicNews(isOwn: true))
    for session in ["mine", "another", "mine"] { hub.tell("news", by: session) }
    hub.tell("other news", by: "another")
    #expect(listener.take() == TopicNews(isOwn: false))
    hub.tellAll()
    #expect(listener.take() == TopicNews(isOwn: false))
    #expect(listener.take() == nil)
  }

  @Test func `forgets a listener that has ended, and one whose view model was never made or never hosted`() throws {
    let listener = hub.listen(to: "news", as: "mine")
    #expect(hub.count == 1)
    listener.end()
    #expect(hub.count == 0)
    for isBroken in [false, true] {
      let model = try? HostedModelType.hosting { try Page($0, isBroken: isBroken) }.make(for: origin())
      #expect(hub.count == (isBroken ? 0 : 1))
      model?.close()
    }
    #expect(hub.count == 0)
  }
}
