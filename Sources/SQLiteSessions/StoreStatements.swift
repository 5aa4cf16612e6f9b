// SPDX-License-Identifier: MIT

/// The statements of a connection, compiled once.
final class StoreStatements {
  let begin, commit, rollback: SQLiteDatabase.Statement
  let find, read, readOwned, readNext, readPage: SQLiteDatabase.Statement
  let insert, update, takeNetwork, setOfUser, close, claim, delete, setAside: SQLiteDatabase.Statement
  let readParts, putPart, removePart, removeParts, setPartsAside: SQLiteDatabase.Statement
  let heaviest, longestUnused, forgetShares: SQLiteDatabase.Statement
  let list, listOwned, due, count: SQLiteDatabase.Statement
  let putClient, renewClient, endClients, findClient, clientsOfUser, forgetClients: SQLiteDatabase.Statement

  init(_ database: SQLiteDatabase) throws(SQLiteFailure) {
    // Immediate: all transactions write, and one must not find at its end that another connection wrote first.
    begin = try database.prepare("BEGIN IMMEDIATE")
    commit = try database.prepare("COMMIT")
    rollback = try database.prepare("ROLLBACK")
    find = try database.prepare(StoreTables.find)
    read = try database.prepare(StoreTables.read)
    readOwned = try database.prepare(StoreTables.readOwned)
    readNext = try database.prepare(StoreTables.readNext)
    readPage = try database.prepare(StoreTables.readPage)
    insert = try database.prepare(StoreTables.insert)
    update = try database.prepare(StoreTables.update)
    takeNetwork = try database.prepare(StoreTables.takeNetwork)
    setOfUser = try database.prepare(StoreTables.setOfUser)
    close = try database.prepare(StoreTables.close)
    claim = try database.prepare(StoreTables.claim)
    delete = try database.prepare(StoreTables.delete)
    setAside = try database.prepare(StoreTables.setAside)
    readParts = try database.prepare(StoreTables.readParts)
    putPart = try database.prepare(StoreTables.putPart)
    removePart = try database.prepare(StoreTables.removePart)
    removeParts = try database.prepare(StoreTables.removeParts)
    setPartsAside = try database.prepare(StoreTables.setPartsAside)
    heaviest = try database.prepare(StoreTables.heaviest)
    longestUnused = try database.prepare(StoreTables.longestUnused)
    forgetShares = try database.prepare(StoreTables.forgetShares)
    list = try database.prepare(StoreTables.list)
    listOwned = try database.prepare(StoreTables.listOwned)
    due = try database.prepare(StoreTables.due)
    count = try database.prepare(StoreTables.count)
    putClient = try database.prepare(StoreTables.putClient)
    endClients = try database.prepare(StoreTables.endClients)
    renewClient = try database.prepare(StoreTables.renewClient)
    findClient = try database.prepare(StoreTables.findClient)
    clientsOfUser = try database.prepare(StoreTables.clientsOfUser)
    forgetClients = try database.prepare(StoreTables.forgetClients)
  }
}
