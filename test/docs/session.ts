import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { runCommandLine } from '../../adapters/cli/program.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/app.ts'
import { SCOPES } from '../../core/shared/account.ts'
import { ROOT } from '../helpers/build.ts'
import { parseCurl, toFetchRequest } from '../helpers/curl.ts'
import { makeFolder } from '../helpers/folder.ts'
import type { ShellCommand } from '../helpers/shell-words.ts'

/** A folder, a database and a key for the commands of a page, which run one after the other. */
export interface Session {
  /** Values of the variables that commands use. */
  readonly variables: Readonly<Record<string, string>>
  write(name: string, text: string): Promise<void>
  /** Runs a command. Returns the lines that it prints, errors included, in their order. */
  run(command: ShellCommand): Promise<readonly string[]>
  close(): Promise<void>
}

/** Columns of a page's terminal. */
const COLUMNS = 125

/** Opens an empty session whose folder contains `fixtures` and `examples`. */
export async function openSession(): Promise<Session> {
  const folder = await makeFolder()
  const root = folder.pathOf('.')
  const database = folder.pathOf('.data/apis.db')
  await mkdir(folder.pathOf('.data'))
  for (const name of ['fixtures', 'examples']) {
    await symlink(join(ROOT, name), folder.pathOf(name))
  }
  const app = createApiDiscovery({ storage: await openSqlite({ file: database }) })
  const account = await app.accounts.createAccount('me')
  const { key } = await app.accounts.createKey({ account, name: 'docs', scopes: SCOPES })
  const before = process.cwd()
  process.chdir(root)

  async function runProgram(
    words: readonly string[],
    input: Uint8Array,
  ): Promise<readonly string[]> {
    const lines: string[] = []
    const print = (line: string) => void lines.push(...line.split('\n'))
    const decoder = new TextDecoder()
    await runCommandLine(words, {
      isInteractive: false,
      terminal: { columns: COLUMNS, hasColors: false },
      environment: { API_DISCOVERY_DATABASE: `sqlite:${database}` },
      result: print,
      note: print,
      status: () => {},
      write: async (bytes) => {
        print(decoder.decode(bytes).trimEnd())
        return 'ready'
      },
      readInput: async () => input,
      async *streamInput() {
        yield input
      },
      lowerPriority() {},
    })
    return lines
  }

  return {
    variables: { KEY: key },
    write: (name, text) => writeFile(folder.pathOf(name), text),
    async run({ words: [program = '', ...words], input }) {
      const bytes = input === undefined ? new Uint8Array() : await readFile(folder.pathOf(input))
      if (program === 'api-discovery') return runProgram(words, bytes)
      if (program === 'cat')
        return (await readFile(folder.pathOf(words[0] ?? ''), 'utf8')).trimEnd().split('\n')
      if (program !== 'curl') throw new Error(`${program} cannot be run here`)
      const response = await app.fetch(await toFetchRequest(parseCurl(words)))
      return (await response.text()).trimEnd().split('\n')
    },
    async close() {
      process.chdir(before)
      await app.close()
      await folder.remove()
    },
  }
}
