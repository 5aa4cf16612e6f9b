// SPDX-License-Identifier: MIT
public import CoreMetrics
import Locking
import ObservableCore

/// The metrics of one server: a factory of swift-metrics, which writes its metrics in Prometheus' text format.
///
/// Libraries of the process use it only after the app has called `MetricsSystem.bootstrap(server.metrics)`. So several
/// servers can live in one process.
///
/// In a metric's name each byte becomes `_`, except letters of ASCII, digits, `_` and `:`. In a label's name `:`
/// becomes `_` too. A name that begins with a digit gets a `_` before it.
///
/// A metric that is made again, with the same name and labels, is the same metric. It is kept until it was destroyed as
/// often as it was made. A name has one kind: making a gauge under the name of a counter ends the program.
public final class MetricRegistry: MetricsFactory, Sendable {
  /// A metric's handler. It is shown as one series, and a histogram as several.
  enum Series: Sendable {
    case counter(CounterSeries)
    case gauge(GaugeSeries)
    case histogram(HistogramSeries)

    var object: AnyObject {
      switch self {
      case .counter(let series): series
      case .gauge(let series): series
      case .histogram(let series): series
      }
    }

    var value: MetricReading.Value {
      switch self {
      case .counter(let series): .number(Double(series.value))
      case .gauge(let series): .number(series.value)
      case .histogram(let series): .distribution(series.distribution)
      }
    }
  }

  struct Family: Sendable {
    let kind: MetricKind
    var help: String
    var series: [MetricLabels: (series: Series, uses: Int)] = [:]
    /// Functions that give values whenever the metrics are shown.
    var readers: [@Sendable () -> [MetricReading]] = []
  }

  private let families = Locked<[String: Family]>([:])

  public init() {}

  // MARK: Making

  /// The counter with this name and these labels. Prometheus wants its name to end in `_total`.
  public func counter(_ name: String, _ help: String = "", _ labels: [(String, String)] = []) -> CounterSeries {
    made(name, .counter, help, labels) { .counter(CounterSeries()) }
  }

  /// The gauge with this name and these labels.
  public func gauge(_ name: String, _ help: String = "", _ labels: [(String, String)] = []) -> GaugeSeries {
    made(name, .gauge, help, labels) { .gauge(GaugeSeries()) }
  }

  /// The histogram with this name and these labels. All histograms of one name should have the same bounds.
  public func histogram(
    _ name: String, _ help: String = "", _ labels: [(String, String)] = [],
    bounds: [Double] = HistogramSeries.latencyBounds
  ) -> HistogramSeries {
    made(name, .histogram, help, labels) { .histogram(HistogramSeries(bounds: bounds)) }
  }

  /// Adds a function that is called whenever the metrics are written.
  ///
  /// - Parameter read: gives the values. No two values of this name may have the same labels, even from
  ///   different readers.
  public func read(
    _ name: String, _ kind: MetricKind, _ help: String, _ read: @escaping @Sendable () -> [MetricReading]
  ) {
    families.withLock { families in
      let name = MetricName.mended(name)
      Self.prepare(name, kind, help, in: &families)
      families[name]?.readers.append(read)
    }
  }

  private func made<Made: AnyObject>(
    _ name: String, _ kind: MetricKind, _ help: String, _ labels: [(String, String)], _ make: () -> Series
  ) -> Made {
    let (name, labels) = (MetricName.mended(name), MetricLabels(labels))
    let object = families.withLock { families in
      Self.prepare(name, kind, help, in: &families)
      let known = families[name]?.series[labels]
      let series = known?.series ?? make()
      families[name]?.series[labels] = (series, (known?.uses ?? 0) + 1)
      return series.object
    }
    // An app's own code has two meanings for one name, as in `prepare`.
    guard let object = object as? Made else {
      stopProgram(
        "the metric '\(name)' is made as \(Made.self), and was made before as \(type(of: object))",
        expected: "one meaning for a name", remedy: "rename one")
    }
    return object
  }

  private static func prepare(_ name: String, _ kind: MetricKind, _ help: String, in families: inout [String: Family]) {
    guard let known = families[name] else {
      families[name] = Family(kind: kind, help: help)
      return
    }
    // An app's own code has two meanings for one name. Any text that is shown would be wrong.
    guard known.kind == kind else {
      stopProgram(
        "the metric '\(name)' is made as a \(kind), and was made before as a \(known.kind)",
        expected: "one meaning for a name", remedy: "rename one")
    }
    if known.help.isEmpty { families[name]?.help = help }
  }

  // MARK: Showing

  /// All metrics, by name, in Prometheus' text format.
  public func text() -> String {
    // The readers are called outside the lock, since they may take locks of their own.
    let families = families.withLock { $0 }
    var writer = ExpositionWriter()
    for (name, family) in families.sorted(by: { $0.key < $1.key }) { writer.write(name, family) }
    return writer.text
  }

  // MARK: Letting go

  private func destroy(_ object: AnyObject) {
    families.withLock { families in
      for (name, family) in families {
        guard let labels = family.series.first(where: { $0.value.series.object === object })?.key else { continue }
        families[name]?.series[labels]?.uses -= 1
        if families[name]?.series[labels]?.uses == 0 { families[name]?.series[labels] = nil }
        if families[name]?.series.isEmpty == true, family.readers.isEmpty { families[name] = nil }
      }
    }
  }
}

/// The registry as a factory of swift-metrics. Its counters are Prometheus' counters. Timers and aggregating
/// recorders are histograms; meters and other recorders are gauges.
extension MetricRegistry {
  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    counter(label.hasSuffix("_total") ? label : label + "_total", "", dimensions)
  }

  /// Makes a gauge, since Prometheus has no word for a counter that may fall.
  public func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler {
    gauge(label, "", dimensions)
  }

  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    gauge(label, "", dimensions)
  }

  public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    aggregate ? histogram(label, "", dimensions, bounds: Self.recorderBounds) : gauge(label, "", dimensions)
  }

  /// Makes a timer that counts in seconds, and whose name says so.
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    histogram(label.hasSuffix("_seconds") ? label : label + "_seconds", "", dimensions)
  }

  /// Powers of ten, and their fivefolds.
  private static let recorderBounds: [Double] = [1, 5, 10, 50, 100, 500, 1e3, 5e3, 1e4, 5e4, 1e5, 5e5, 1e6]

  public func destroyCounter(_ handler: any CounterHandler) { destroy(handler) }
  public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { destroy(handler) }
  public func destroyMeter(_ handler: any MeterHandler) { destroy(handler) }
  public func destroyRecorder(_ handler: any RecorderHandler) { destroy(handler) }
  public func destroyTimer(_ handler: any TimerHandler) { destroy(handler) }
}
