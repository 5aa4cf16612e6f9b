// SPDX-License-Identifier: MIT
import Storing
import Testing
import ViewModels

/// The rules about clients and their users, and about lists of their sessions.
extension StoreRule {
  static let ofClients = [
    StoreRule("knows a client by its sessions, living and closed") { store throws in
      store.first.open(record("b", of: "one"))
      let claim = store.first.open(record("a", of: "one"))
      store.first.open(record("c", of: "another"))
      let gone = store.first.open(record("d", of: "gone"))
      #expect(store.first.commit("a", claim, .closed(closed("a", of: "one"))) == .durable)
      #expect(store.first.commit("d", gone, .removed) == .durable)
      let expected: [(client: String, sessions: [StoredSession])] = [
        ("one", [.closed(closed("a", of: "one")), .living(record("b", of: "one"))]),
        ("another", [.living(record("c", of: "another"))]), ("gone", []), ("nobody", []),
      ]
      for (client, sessions) in expected {
        let owned = try store.second.store.sessions(of: Credential(hashing: client))
        #expect(owned == sessions.map { OwnedSession($0) })
      }
    },
    StoreRule("knows a client that has signed in by its first credential and its present one") { owners throws in
      let store = owners.first.store
      let (first, second, third) = (Credential(hashing: "1"), Credential(hashing: "2"), Credential(hashing: "3"))
      #expect(try store.client(of: first) == nil)
      var client = ClientRecord(
        owner: first, credential: second, user: User(id: "7", name: "Anna", roles: ["b", "a"]), changed: 5)
      try store.put(client)
      for credential in [first, second] { #expect(try store.client(of: credential) == client) }
      #expect(try store.clients(of: "7") == [client])
      (client.credential, client.changed) = (third, 6)
      try store.put(client)
      #expect(try store.client(of: second) == nil)
      #expect(try store.client(of: third) == client)
      // The store still knows a client that is signed out for good by its first credential.
      (client.credential, client.user) = (nil, nil)
      try store.put(client)
      #expect(try store.client(of: first) == client)
      #expect(try store.client(of: third) == nil)
      #expect(try store.clients(of: "7").isEmpty)
    },
    StoreRule("tells those of some credentials that have ended, which are no client's any more") { owners throws in
      let names = ["first", "replaced", "present", "signed out", "by session", "by closed session", "unknown"]
      let credentials = names.map(Credential.init(hashing:))
      #expect(try Set(owners.first.store.ended(among: credentials)) == Set(credentials))
      owners.first.open(record("a", of: "by session"))
      let claim = owners.first.open(record("b", of: "by closed session"))
      #expect(owners.first.commit("b", claim, .closed(closed("b", of: "by closed session"))) == .durable)
      // The one that has signed in has a session by its first credential too.
      owners.first.open(record("c", of: "first"))
      for (owner, credential) in [("first", "replaced"), ("first", "present"), ("signed out", nil)] {
        let credential = credential.map(Credential.init(hashing:))
        try owners.first.store.put(
          ClientRecord(owner: Credential(hashing: owner), credential: credential, user: nil, changed: 1))
      }
      let ended = try owners.second.store.ended(among: credentials)
      #expect(
        names.filter { ended.contains(Credential(hashing: $0)) }
          == ["first", "replaced", "signed out", "by closed session", "unknown"])
    },
    StoreRule("answers each of the looks that are made together") { owners throws in
      owners.first.open(record("a", of: "one"))
      let client = ClientRecord(owner: Credential(hashing: "two"), credential: nil, user: nil, changed: 1)
      try owners.first.store.put(client)
      nonisolated(unsafe) var clients: [ClientRecord?] = []
      nonisolated(unsafe) var sessions: [[OwnedSession]?] = []
      owners.second.store.look(
        ["two", "one"].map(Credential.init(hashing:)).flatMap { credential -> [StoreLook] in
          [
            .client(of: credential) { clients.append(try? $0.get()) },
            .sessions(of: credential) { sessions.append(try? $0.get()) },
          ]
        })
      #expect(clients == [client, nil])
      #expect(sessions == [[], [OwnedSession(.living(record("a", of: "one")))]])
    },
    StoreRule("forgets a client that has no session, when its sign-in is long ago") { owners throws in
      owners.first.open(record("a", of: "living"))
      let store = owners.first.store
      for (name, changed) in [("living", 1), ("late", 9), ("gone", 1)] as [(String, Int64)] {
        try store.put(ClientRecord(owner: Credential(hashing: name), credential: nil, user: nil, changed: changed))
      }
      _ = try store.expire(now: 10, unusedSince: 5, limit: 100)
      let known = try ["living", "late", "gone"].filter { try store.client(of: Credential(hashing: $0)) != nil }
      #expect(known == ["living", "late"])
    },
  ]

  static let ofLists = [
    StoreRule("lists its sessions, piece by piece in the order of the ids") { store throws in
      for id in ["c", "a", "d", "b"] { store.first.open(record(id)) }
      let claim = store.first.open(record("e"))
      #expect(store.first.commit("e", claim, .closed(closed("e"))) == .durable)
      let all = try store.second.store.list(after: nil, limit: 10)
      #expect(all.map(\.id) == ["a", "b", "c", "d", "e"])
      #expect(try store.second.store.list(after: "b", limit: 2) == Array(all[2...3]))
      #expect(try store.second.store.list(after: "e", limit: 2) == [])
      #expect(all[0].bytes == record("a").state.count + 3 && all[0].lastUsed == 1_000 && all[0].closedUntil == nil)
      let last = StoredSummary(
        id: "e", model: "note", owner: closed("e").owner, claim: claim, bytes: 0, lastUsed: nil, closedUntil: 2_000)
      #expect(all[4] == last)
    },
    StoreRule("lists the sessions of a client, and those of a user with all clients") { owners throws in
      func put(_ id: String, of owner: Credential, _ lastUsed: Int64, user: String? = nil) {
        let context = user.map { Array(#"{"user":{"id":"\#($0)","name":"","roles":[],"claims":{}}}"#.utf8) }
        owners.first.open(
          SessionRecord(
            id: id, model: "note", owner: owner, opening: nil, revision: 1, schema: 1, state: Array("{}".utf8),
            keys: [], lastUsed: lastUsed, context: context))
      }
      let clients = ["one", "other", "stranger"].map { Credential(hashing: $0) }
      put("a", of: clients[0], 10, user: "9")
      put("b", of: clients[1], 30)
      put("c", of: clients[2], 40)
      put("d", of: .ofUser("7"), 20, user: "7")
      for owner in clients[..<2] {
        try owners.first.store.put(ClientRecord(owner: owner, credential: owner, user: User(id: "7"), changed: 1))
      }
      let store = owners.second.store
      #expect(try store.list(of: clients[0], user: nil, limit: 9).map(\.id) == ["a"])
      #expect(try store.list(of: clients[0], user: "7", limit: 9).map(\.id) == ["b", "d", "a"])
      #expect(try store.list(of: clients[0], user: "7", limit: 2).map(\.id) == ["b", "d"])
      #expect(try store.list(of: clients[2], user: "8", limit: 9).map(\.id) == ["c"])
      // A session has the present user of its client, or the user whose own it is.
      #expect(try store.list(after: nil, limit: 9).map(\.user) == ["7", "7", nil, "7"])
    },
  ]
}
