import * as sqlite from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { SqliteDatabase } from 'kysely'
import { openNodeConnection } from './sqlite-connection.ts'
import type { WriterReply, WriterRequest } from './sqlite-thread.ts'

// Entry of the thread that writes to an SQLite file: runs statements in order.

let connection: SqliteDatabase

reply(() => {
  connection = openNodeConnection(sqlite, workerData)
  return { rows: [] }
})
parentPort?.on('message', (request: WriterRequest) => reply(() => run(request)))

function run(request: WriterRequest): WriterReply {
  if (request === 'close') {
    connection.close()
    return { rows: [] }
  }
  const statement = connection.prepare(request.sql)
  const parameters = request.parameters.map((value) =>
    value instanceof ArrayBuffer ? new Uint8Array(value) : value,
  )
  if (statement.reader) return { rows: statement.all(parameters) }
  return { rows: [], changes: statement.run(parameters).changes }
}

function reply(work: () => WriterReply): void {
  parentPort?.postMessage(attempt(work))
}

/** Errors lose their codes in messages. */
function attempt(work: () => WriterReply): WriterReply {
  try {
    return work()
  } catch (error) {
    const { message, errcode } = error as Error & { readonly errcode?: number }
    return { message, errcode }
  }
}
