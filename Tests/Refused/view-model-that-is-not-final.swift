// SPDX-License-Identifier: MIT
// expected error: protocol 'ViewModel' requirement 'surface' cannot be satisfied by a non-final class ('Page')
import ViewModels

class Page: ViewModel {
  static let surface = Surface<Page>("page")
}
