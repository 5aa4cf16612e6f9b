// SPDX-License-Identifier: MIT
import JSONPatching
import ViewModels

extension HostedModel {
  func perform(_ path: [String], _ value: JSON?) throws { try apply(.perform(path, value)) }
  func set(_ path: [String], _ value: JSON) throws { try apply(.set(path, value)) }
}
