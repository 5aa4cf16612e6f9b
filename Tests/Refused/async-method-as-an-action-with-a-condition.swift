// SPDX-License-Identifier: MIT
// expected error: 'action(_:_:when:)' is unavailable: an async method is a command: expected '.command'
import ObservableCore
import ViewModels

final class Page: ViewModel {
  lazy var canSave = Computed(self) { _ in true }
  nonisolated(nonsending) func save() async {}

  static let surface = Surface<Page>("page", .action("save", Page.save, when: \.canSave))
}
