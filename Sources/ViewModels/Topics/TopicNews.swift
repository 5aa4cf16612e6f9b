// SPDX-License-Identifier: MIT

/// The news of a topic, for a view model that follows it.
public struct TopicNews: Sendable, Equatable {
  /// Whether all that was told since the last time was told by this session itself. It is `false` the first time, and
  /// where something may have been missed.
  public let isOwn: Bool

  /// - Parameter isOwn: whether this session itself told it.
  public init(isOwn: Bool) { self.isOwn = isOwn }
}
