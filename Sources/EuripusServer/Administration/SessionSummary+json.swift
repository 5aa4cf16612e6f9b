// SPDX-License-Identifier: MIT
import JSONPatching
import Sessions
import ViewModels

extension SessionSummary {
  var json: JSON {
    [
      "id": .string(id), "model": .string(model), "user": user.map { .string($0) } ?? .null,
      "client": .string(client), "params": params ?? .null, "age": .integer(age),
      "bytes": .integer(Int64(bytes)), "readers": .integer(Int64(readers)), "stored": .bool(isStored),
    ]
  }
}

extension SessionFollower {
  fileprivate var json: JSON {
    ["client": .string(client), "user": user.map { .string($0) } ?? .null, "readers": .integer(Int64(readers))]
  }
}

extension RoomGuest {
  fileprivate var json: JSON { ["client": .string(client), "role": role.map { .string($0) } ?? .null] }
}

extension SessionPage {
  var json: [UInt8] {
    var writer = JSONWriter(capacity: 128 * (sessions.count + 1))
    writer.json(["sessions": .array(sessions.map(\.json)), "next": next.map { .string($0) } ?? .null])
    return writer.bytes
  }
}

extension SessionLook {
  var json: [UInt8] {
    var writer = JSONWriter(capacity: 1_024)
    writer.beginObject()
    writer.key("session")
    writer.json(summary.json)
    writer.key("followers")
    writer.json(.array(followers.map(\.json)))
    writer.key("guests")
    writer.json(.array(guests.map(\.json)))
    writer.key("snapshot")
    if let snapshot { writer.raw(snapshot.json) } else { writer.null() }
    writer.key("values")
    if let values { writer.raw(values) } else { writer.null() }
    writer.endObject()
    return writer.bytes
  }
}
