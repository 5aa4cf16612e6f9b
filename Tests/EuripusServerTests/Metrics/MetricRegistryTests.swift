// SPDX-License-Identifier: MIT
import CoreMetrics
import Dispatch
import EuripusServer
import Testing

@Suite struct `The metrics of a server` {
  @Test func `are written by name, each with its help, its type and its values by label`() {
    let registry = MetricRegistry()
    registry.gauge("b_bytes", "How much.").set(0.5)
    registry.counter("a_total", "How often.", [("route", "x"), ("method", "GET")]).increment(by: 3)
    registry.counter("a_total", "How often.", [("route", "a"), ("method", "GET")]).increment()
    registry.read("c", .gauge, "Read.") { [MetricReading(2, [("k", "2")]), MetricReading(-1, [("k", "1")])] }
    #expect(
      registry.text() == """
        # HELP a_total How often.
        # TYPE a_total counter
        a_total{method="GET",route="a"} 1
        a_total{method="GET",route="x"} 3
        # HELP b_bytes How much.
        # TYPE b_bytes gauge
        b_bytes 0.5
        # HELP c Read.
        # TYPE c gauge
        c{k="1"} -1
        c{k="2"} 2

        """)
  }

  @Test func `in a histogram have each bucket with those before it, and all in the last`() {
    let registry = MetricRegistry()
    let histogram = registry.histogram("t_seconds", "Time.", [("model", "m")], bounds: [0.1, 1])
    for value in [0.05, 0.1, 0.5, 7] { histogram.observe(value) }
    #expect(
      registry.text() == """
        # HELP t_seconds Time.
        # TYPE t_seconds histogram
        t_seconds_bucket{model="m",le="0.1"} 2
        t_seconds_bucket{model="m",le="1"} 3
        t_seconds_bucket{model="m",le="+Inf"} 4
        t_seconds_sum{model="m"} 7.65
        t_seconds_count{model="m"} 4

        """)
  }

  @Test func `have an escape for a character that would end a label's value, or a line of help`() {
    let registry = MetricRegistry()
    registry.gauge("g", "a\\b\nc", [("k", "a\\b\"c\nd")]).set(.infinity)
    #expect(registry.text() == "# HELP g a\\\\b\\nc\n# TYPE g gauge\ng{k=\"a\\\\b\\\"c\\nd\"} +Inf\n")
  }

  @Test(arguments: [("my.app-requests", "my_app_requests"), ("2xx", "_2xx"), ("a:b", "a:b"), ("", "_"), ("用", "___")])
  func `have names that Prometheus takes`(name: String, mended: String) {
    let registry = MetricRegistry()
    registry.gauge(name, "", [(name, "v")]).set(1.0)
    let label = mended.replacing(":", with: "_")
    #expect(registry.text() == "# TYPE \(mended) gauge\n\(mended){\(label)=\"v\"} 1\n")
  }

  @Test func `count each addition, from whichever thread`() {
    let registry = MetricRegistry()
    let counter = registry.counter("n_total")
    let gauge = registry.gauge("g")
    let histogram = registry.histogram("h", bounds: [1])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<1_000 {
        counter.increment()
        gauge.increment(by: 0.5)
        histogram.observe(2)
      }
    }
    #expect(counter.value == 8_000)
    #expect(gauge.value == 4_000)
    #expect(histogram.distribution.counts == [0, 8_000])
    #expect(histogram.distribution.sum == 16_000)
  }

  @Test func `are a factory of swift-metrics, and those that an app makes and destroys come and go`() {
    let registry = MetricRegistry()
    let counter = CoreMetrics.Counter(label: "app.done", dimensions: [("kind", "x")], factory: registry)
    let again = CoreMetrics.Counter(label: "app.done", dimensions: [("kind", "x")], factory: registry)
    counter.increment(by: 2)
    again.increment()
    let timer = Timer(label: "app.took", factory: registry)
    timer.recordMilliseconds(30)
    Meter(label: "app.level", factory: registry).set(4)
    Recorder(label: "app.size", dimensions: [], aggregate: true, factory: registry).record(7)
    let text = registry.text()
    #expect(text.contains("app_done_total{kind=\"x\"} 3\n"))
    #expect(text.contains("app_took_seconds_bucket{le=\"0.025\"} 0\n"))
    #expect(text.contains("app_took_seconds_bucket{le=\"0.05\"} 1\n"))
    #expect(text.contains("app_took_seconds_sum 0.03\n"))
    #expect(text.contains("app_level 4\n"))
    #expect(text.contains("app_size_bucket{le=\"10\"} 1\n"))
    counter.destroy()
    #expect(registry.text().contains("app_done_total"))
    again.destroy()
    #expect(!registry.text().contains("app_done"))
  }

  @Test func `about the process are those of the system`() throws {
    let registry = MetricRegistry()
    ProcessReadings.add(to: registry)
    let text = registry.text()
    func value(_ name: String) throws -> Double {
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name + " ") }, "\(text)")
      return try #require(Double(line.dropFirst(name.count + 1)))
    }
    #expect(try value("process_cpu_seconds_total") > 0)
    #expect(try value("process_resident_memory_bytes") > 1_000_000)
    #expect(try value("process_open_fds") >= 3)
    #expect(try value("process_max_fds") >= value("process_open_fds"))
    // The process started after the beginning of 2020.
    #expect(try value("process_start_time_seconds") > 1_577_836_800)
  }
}
