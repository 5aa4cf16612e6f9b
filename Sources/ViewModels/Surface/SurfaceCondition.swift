// SPDX-License-Identifier: MIT
public import ObservableCore

/// A condition under which clients may use an action or a value: a `Bool`, or an observable of one. A formula
/// that throws counts as false.
public protocol SurfaceCondition {
  /// Whether it holds now.
  var holds: Bool { get }
}

extension Bool: SurfaceCondition {
  public var holds: Bool { self }
}

extension ObservableValue: SurfaceCondition where Value == Bool {
  public var holds: Bool { (try? get()) ?? false }
}
