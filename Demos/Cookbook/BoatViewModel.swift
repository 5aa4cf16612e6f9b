// SPDX-License-Identifier: MIT
import Euripus

/// A row of the cookbook's list.
final class BoatViewModel: ViewModel {
  @Observed var name: ShortText
  /// In metres.
  @Observed var length: Int

  init(_ name: ShortText, length: Int) { (self.name, self.length) = (name, length) }

  static let surface = Surface<BoatViewModel>("boat", .twoWay("name", \.$name), .value("length", \.$length))
}

/// A row of the cookbook's list that is too long to be shown whole.
final class DepartureViewModel: ViewModel {
  @Observed var name: String

  init(_ number: String) { name = "departure \(number)" }

  static let surface = Surface<DepartureViewModel>("departure", .value("name", \.$name).notStored())
}
