// SPDX-License-Identifier: MIT
import Testing

@testable import EuripusServer

@Suite struct `A request's label` {
  @Test func `says its route and its method again, and the resource knows the methods that it names`() {
    for resource in Resource.allCases {
      for method in RequestMethod.allCases {
        let label = RequestLabel(resource, method)
        #expect((label.route, label.methodName) == (resource.template, method.name))
        #expect(RequestLabel(mark: label.mark) == label)
        #expect(resource.takes(method) == resource.methods.contains(method.name))
      }
    }
    #expect(RequestLabel(mark: 0).methodName.isEmpty)
  }

  @Test(arguments: ["PATCH", "get", "Get", "PUTS", "PU", "HEA", "OPTIONs", "OPTIONS ", "XGET", "DELETF", "other", ""])
  func `has one name for all methods that nobody counts, and case counts`(name: String) {
    let method = Array(name.utf8).withUnsafeBufferPointer { RequestMethod($0) }
    #expect(method == .other && RequestLabel(.health, method).methodName == "other")
  }

  @Test(arguments: RequestMethod.allCases.filter { $0 != .other })
  func `has the name of a method that was sent`(method: RequestMethod) {
    #expect(Array(method.name.utf8).withUnsafeBufferPointer { RequestMethod($0) } == method)
  }
}
