// SPDX-License-Identifier: MIT
// expected error: 'value' is unavailable: the type of the value has no JSON: expected 'Codable, JSONRepresentable' beside its name; for Date, UUID, URL and Decimal 'import EuripusFoundation'
import ObservableCore
import ViewModels

struct Thing: Equatable {}

final class Page: ViewModel {
  @Observed var thing = Thing()

  static let surface = Surface<Page>("page", .value("thing", \.$thing))
}
