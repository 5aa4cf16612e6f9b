// SPDX-License-Identifier: MIT
import Glibc
import Properties

/// The property that this run of libFuzzer is after: the one that EURIPUS_FUZZ names.
private let property: Property = {
  let name = getenv("EURIPUS_FUZZ").map { String(cString: $0) } ?? ""
  guard let property = Property.all.first(where: { $0.name == name }) else {
    fatalError("EURIPUS_FUZZ must be one of \(Property.all.map(\.name)), got '\(name)'")
  }
  return property
}()

/// The function that libFuzzer calls with each input; a violated property ends the process, which it takes for a crash.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  do { try property.check(Array(UnsafeBufferPointer(start: start, count: count))) } catch { fatalError("\(error)") }
  return 0
}
