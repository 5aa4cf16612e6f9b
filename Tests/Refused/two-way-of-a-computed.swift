// SPDX-License-Identifier: MIT
// expected error: 'twoWay' is unavailable: a client cannot write what is computed: expected '.value', or an '@Observed var' as '\.$name'
import ObservableCore
import ViewModels

final class Page: ViewModel {
  lazy var canAdd = Computed(self) { _ in true }

  static let surface = Surface<Page>("page", .twoWay("canAdd", \.canAdd))
}
