// SPDX-License-Identifier: MIT

/// Something that can be ended, once; ending it again is harmless.
public protocol Disposable: AnyObject {
  func dispose()
}

/// Ends all that was put into it when it goes.
public final class DisposeBag {
  private var contents: [any Disposable] = []

  public init() {}

  deinit { dispose() }

  public func insert(_ disposable: any Disposable) { contents.append(disposable) }

  /// Ends all that is in the bag; the bag can be used again.
  public func dispose() {
    let ending = contents
    contents = []
    for disposable in ending { disposable.dispose() }
  }
}
