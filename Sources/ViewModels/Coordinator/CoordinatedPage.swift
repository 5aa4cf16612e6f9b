// SPDX-License-Identifier: MIT
public import ObservableCore

/// A page that shows a model which may go: its ``Coordinator`` then pops it, with the pages above it.
public protocol CoordinatedPage: ViewModel {
  /// Whether there is nothing left for the page to show.
  var isGone: ObservableValue<Bool> { get }
}
