// SPDX-License-Identifier: MIT
// expected error: 'twoWay' is unavailable: a client writes an observed variable by its observable: expected '@Observed var name' and '\.$name'
import ObservableCore
import ViewModels

final class Page: ViewModel {
  @Observed var draft = ""

  static let surface = Surface<Page>("page", .twoWay("draft", \.draft))
}
