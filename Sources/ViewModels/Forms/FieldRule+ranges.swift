// SPDX-License-Identifier: MIT
import JSONPatching

/// A range with its ends: `3...20`, `3...`, or `...20`.
public protocol FieldRange<Bound> {
  associatedtype Bound: Comparable
  var lower: Bound? { get }
  var upper: Bound? { get }
}

extension ClosedRange: FieldRange {
  public var lower: Bound? { lowerBound }
  public var upper: Bound? { upperBound }
}

extension PartialRangeFrom: FieldRange {
  public var lower: Bound? { lowerBound }
  public var upper: Bound? { nil }
}

extension PartialRangeThrough: FieldRange {
  public var lower: Bound? { nil }
  public var upper: Bound? { upperBound }
}

extension FieldRule {
  /// A value lies in a range. If it is an integer or another number, the range is a bound that the page knows.
  public static func range(_ range: some FieldRange<Value>, _ message: String? = nil) -> Self
  where Value: Comparable & Sendable {
    self.range(range.lower, range.upper, message) { $0 }
  }

  /// A value lies in a range, unless it is missing.
  public static func range<Wrapped: Comparable & Sendable>(_ range: some FieldRange<Wrapped>, _ message: String? = nil)
    -> Self
  where Value == Wrapped? {
    self.range(range.lower, range.upper, message) { $0 }
  }

  private static func range<Bound: Comparable & Sendable>(
    _ lower: Bound?, _ upper: Bound?, _ message: String?, _ value: @escaping @Sendable (Value) -> Bound?
  ) -> Self {
    Self(
      isKept: { _, given in
        guard let value = value(given) else { return true }
        return lower.map { value >= $0 } ?? true && upper.map { value <= $0 } ?? true
      },
      message: message ?? rangeInWords(lower, upper),
      bounds: bound(.min, lower) + bound(.max, upper))
  }

  private static func rangeInWords<Bound>(_ lower: Bound?, _ upper: Bound?) -> String {
    switch (lower, upper) {
    case (let lower?, let upper?): "From \(lower) to \(upper)"
    case (let lower?, nil): "\(lower) or more"
    case (nil, let upper?): "\(upper) or less"
    case (nil, nil): ""
    }
  }

  private static func bound<Bound>(_ name: FieldBound.Name, _ value: Bound?) -> [FieldBound] {
    switch value {
    case let value as any BinaryInteger: [FieldBound(name: name, value: .integer(Int64(clamping: value)))]
    case let value as any BinaryFloatingPoint: [FieldBound(name: name, value: .number(Double(value)))]
    default: []
    }
  }
}
