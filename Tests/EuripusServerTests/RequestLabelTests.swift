// SPDX-License-Identifier: MIT
import Testing

@testable import EuripusServer

@Suite struct `A request's label` {
  @Test func `says its route and its method again, and the resource knows the methods that it names`() {
    for resource in Resource.allCases {
      for method in RequestLabel.methods {
        let label = RequestLabel(resource, method)
        #expect((label.route, label.methodName) == (resource.template, method))
        #expect(RequestLabel(mark: label.mark) == label)
        #expect(RequestLabel.methods[label.method] == method)
        #expect(resource.takes(label.method) == resource.methods.contains(method))
      }
    }
    #expect(RequestLabel(mark: 0).methodName.isEmpty)
  }

  @Test func `has one name for all methods that nobody counts`() {
    #expect(RequestLabel(.health, "PATCH").methodName == "other")
  }
}
