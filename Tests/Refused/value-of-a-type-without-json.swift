// SPDX-License-Identifier: MIT
// expected error: 'action(_:_:when:)' is unavailable: what the method takes and gives has to have JSON: expected 'struct TheType: Codable, JSONRepresentable'
import ObservableCore
import ViewModels

struct Thing: Equatable {}

final class Page: ViewModel {
  func take(_ thing: Thing) {}

  static let surface = Surface<Page>("page", .action("take", Page.take))
}
