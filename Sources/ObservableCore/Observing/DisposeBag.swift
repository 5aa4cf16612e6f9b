// SPDX-License-Identifier: MIT

/// A thing that can be ended, once; ending it again is harmless.
public protocol Disposable: AnyObject {
  /// Ends it. Objects that it kept alive for its work are let go of.
  func dispose()
  /// Whether it has ended, by ``dispose()`` or of itself. Once `true` it stays so.
  var isDisposed: Bool { get }
}

extension Disposable {
  /// Puts it into `bag`, which ends it when the bag goes.
  public func disposed(by bag: DisposeBag) { bag.insert(self) }
}

/// Ends all that was put into it when it goes.
///
/// Something that has ended by itself leaves the bag: a bag that lives long holds at most twice as many as are still running,
/// and ``minimumSweep`` (S3-4). Inserting is O(1), spread over the insertions.
public final class DisposeBag {
  /// The bag does not look for ended things before it holds this many.
  public static let minimumSweep = 16

  private var contents: [any Disposable] = []
  /// The number of contents at which the next insertion sweeps: twice as many as the sweep before left.
  private var sweepAt = DisposeBag.minimumSweep

  /// An empty bag.
  public init() {}

  deinit { dispose() }

  /// The number of things in the bag that have not ended. O(contents).
  public var count: Int { contents.count { !$0.isDisposed } }

  /// The number of things that the bag keeps alive, with those that have ended and were not swept yet.
  public var heldCount: Int { contents.count }

  /// Keeps `disposable` until it ends or the bag does; one that has ended already is not kept.
  public func insert(_ disposable: any Disposable) {
    guard !disposable.isDisposed else { return }
    if contents.count >= sweepAt { sweep() }
    contents.append(disposable)
  }

  /// Ends all that is in the bag, in the order of insertion; the bag can be used again.
  public func dispose() {
    let ending = contents
    contents = []
    sweepAt = Self.minimumSweep
    for disposable in ending { disposable.dispose() }
  }

  /// Lets go of ended things, last of all: that may run a deinit of user code, which uses the bag.
  private func sweep() {
    let swept = contents
    contents = swept.filter { !$0.isDisposed }
    sweepAt = max(Self.minimumSweep, 2 * contents.count)
    withExtendedLifetime(swept) {}
  }
}
