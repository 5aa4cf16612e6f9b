// SPDX-License-Identifier: MIT

/// Writes metrics in Prometheus' text format, version 0.0.4. Each metric has a line of help, a line with its
/// type, and a line for each value.
struct ExpositionWriter {
  /// The media type of the text.
  static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var text = ""

  mutating func write(_ name: String, _ family: MetricRegistry.Family) {
    let readings = family.readers.flatMap { $0() }.map { (labels: MetricLabels($0.labels), value: $0.value) }
    if family.series.isEmpty, readings.isEmpty { return }
    if !family.help.isEmpty { text += "# HELP \(name) \(Self.escaped(family.help))\n" }
    text += "# TYPE \(name) \(family.kind.rawValue)\n"
    let made = family.series.map { (labels: $0.key, value: $0.value.series.value) }
    for (labels, value) in made.sorted(by: { $0.labels < $1.labels }) { write(name, labels, value) }
    for (labels, value) in readings.sorted(by: { $0.labels < $1.labels }) { write(name, labels, value) }
  }

  private mutating func write(_ name: String, _ labels: MetricLabels, _ value: MetricReading.Value) {
    switch value {
    case .number(let number): line(name, labels, Self.number(number))
    case .distribution(let distribution): write(name, labels, distribution)
    }
  }

  /// Writes a histogram. Its buckets are added up. The last bucket has all observations, and so agrees with the
  /// count.
  private mutating func write(_ name: String, _ labels: MetricLabels, _ distribution: Distribution) {
    let (bounds, counts) = (distribution.bounds, distribution.counts)
    var total: UInt64 = 0
    for (index, count) in counts.enumerated() {
      total += count
      let bound = index < bounds.count ? Self.number(bounds[index]) : "+Inf"
      line(name + "_bucket", labels, "\(total)", and: "le=\"\(bound)\"")
    }
    line(name + "_sum", labels, Self.number(distribution.sum))
    line(name + "_count", labels, "\(total)")
  }

  private mutating func line(_ name: String, _ labels: MetricLabels, _ value: String, and more: String = "") {
    text += "\(name)\(labels.suffix(more)) \(value)\n"
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  private static func escaped(_ help: String) -> String {
    help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
  }
}

extension MetricRegistry {
  /// The media type of ``text()``.
  public static var mediaType: String { ExpositionWriter.mediaType }
}
