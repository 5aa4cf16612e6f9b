// SPDX-License-Identifier: MIT

/// A thing that can be ended once; a second call is harmless.
public protocol Disposable: AnyObject {
  /// Ends it, and releases the objects that it kept alive for its work.
  func dispose()
  /// Whether it has ended, by ``dispose()`` or by itself. Once `true` it stays so.
  var isDisposed: Bool { get }
}

extension Disposable {
  /// Puts it into `bag`, which ends it when the bag goes.
  public func disposed(by bag: DisposeBag) { bag.insert(self) }
}

/// A bag that ends its contents when it goes.
///
/// A thing that has ended by itself leaves the bag: a long-lived bag holds at most twice as many as have not
/// ended, and ``minimumSweep`` (S3-4). Inserting is O(1), spread over the insertions.
public final class DisposeBag {
  /// The number of contents from which on the bag looks for ended things.
  public static let minimumSweep = 16

  private var contents: [any Disposable] = []
  /// The number of contents at which the next insertion sweeps: twice as many as the last sweep left.
  private var sweepAt = DisposeBag.minimumSweep

  /// An empty bag.
  public init() {}

  deinit { dispose() }

  /// The number of things in the bag that have not ended. O(contents).
  public var count: Int { contents.count { !$0.isDisposed } }

  /// The number of things that the bag keeps alive. It includes those that have ended and were not swept yet.
  public var heldCount: Int { contents.count }

  /// Keeps `disposable` until it or the bag ends. One that has already ended is not kept.
  public func insert(_ disposable: any Disposable) {
    guard !disposable.isDisposed else { return }
    if contents.count >= sweepAt { sweep() }
    contents.append(disposable)
  }

  /// Ends all things in the bag, in the order of insertion. The bag can be used again.
  public func dispose() {
    let ending = contents
    contents = []
    sweepAt = Self.minimumSweep
    for disposable in ending { disposable.dispose() }
  }

  /// Releases the ended things. It does so last, as their deinit may run user code that uses the bag.
  private func sweep() {
    let swept = contents
    contents = swept.filter { !$0.isDisposed }
    sweepAt = max(Self.minimumSweep, 2 * contents.count)
    withExtendedLifetime(swept) {}
  }
}
