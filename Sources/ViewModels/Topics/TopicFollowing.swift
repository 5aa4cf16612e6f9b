// SPDX-License-Identifier: MIT
public import ObservableCore

/// The following of a topic by a view model, as `context.follow` begins it. It lasts for as long as it is kept.
public final class TopicFollowing {
  private let listener: TopicListener
  private let reading: Command<Void, Void>
  private let rung = Observer<Void>()
  /// Ends with it: it observes the value besides which the topic is followed.
  private var besides: AnyObject?

  init(_ listener: TopicListener, _ reading: Command<Void, Void>) {
    (self.listener, self.reading) = (listener, reading)
    reading.isRepeatable = true
    rung.handle(self) { following, _ in following.reading.execute(()) }
    rung.follow(listener.news, name: "a topic")
  }

  // A following that never began, as its view model was not hosted, has nothing else that ends it.
  deinit { listener.end() }

  /// The error of the last reading; `nil` if it succeeded, and before the first.
  public var failure: ObservableValue<(any Error)?> { reading.error }

  /// Whether it is reading now.
  public var isReading: ObservableValue<Bool> { reading.executing }

  /// Reads once more, as after a failure, or where what it looks for is another thing. While it is reading, it reads once
  /// more after that.
  public func readAgain() { listener.hear(TopicNews(isOwn: false)) }

  /// Has it read again after each change of a value.
  func follow<Value>(_ value: ObservableValue<Value>) {
    let changed = Observer<Value>()
    changed.handle(self) { following, _ in following.readAgain() }
    besides = changed
    changed.subscribe(value)
  }
}
