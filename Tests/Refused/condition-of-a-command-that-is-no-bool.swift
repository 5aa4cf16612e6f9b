// SPDX-License-Identifier: MIT
// expected error: 'command(_:_:policy:when:)' is unavailable: the condition has to be a Bool, or an observable of one
import ObservableCore
import ViewModels

final class Page: ViewModel {
  var count = 0
  nonisolated(nonsending) func load(_ page: Int) async -> Int { page }

  static let surface = Surface<Page>("page", .command("load", Page.load, when: \.count))
}
