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

  @Test func `has one name for all methods that nobody counts`() {
    #expect(RequestLabel(.health, .other).methodName == "other")
  }
}
