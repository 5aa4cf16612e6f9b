// SPDX-License-Identifier: MIT
// expected error: non-class type 'Page' cannot conform to class protocol 'ViewModel'
import ViewModels

struct Page: ViewModel {
  static let surface = Surface<Page>("page")
}
