// SPDX-License-Identifier: MIT
public import ObservableCore

/// A page whose model may go. When that happens, its ``Coordinator`` pops the page and those above it.
public protocol CoordinatedPage: ViewModel {
  /// Whether there is nothing left for the page to show.
  var isGone: ObservableValue<Bool> { get }
}
