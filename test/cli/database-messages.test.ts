import { writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { runCommandLine } from '../../adapters/cli/program.ts'
import { QUIET, runCommand } from '../helpers/command-line.ts'
import { makeFolder } from '../helpers/folder.ts'

it('names the file that is not a database', async () => {
  const folder = await makeFolder()
  const file = folder.pathOf('notes.txt')
  await writeFile(file, 'these are notes, and nothing else, for a while\n'.repeat(100))
  expect(await runCommand(['accounts', 'list', '--database', file])).toMatchObject({
    code: 1,
    results: [],
    notes: [`Cannot open the database ${file}: the file is not a database`],
  })
  await folder.remove()
})

it('names host, port and database of a PostgreSQL server without response', async () => {
  const url = 'postgres://somebody:secret@127.0.0.1:1/apis'
  expect(await runCommand(['accounts', 'list', '--database', url])).toMatchObject({
    code: 1,
    notes: [
      'Cannot open the PostgreSQL database "apis" at 127.0.0.1:1: the database server does not respond',
    ],
  })
})

it('reports what migrate and backup did, and the missing folder', async () => {
  const folder = await makeFolder()
  const file = folder.pathOf('new.db')
  const run = (...words: readonly string[]) => runCommand([...words, '--database', file])
  expect((await run('migrate')).notes).toEqual([
    `Created the database ${file} (schema version 19).`,
  ])
  expect((await run('migrate')).notes).toEqual(['The schema is up to date (version 19).'])
  const copy = folder.pathOf('gone/copy.db')
  expect((await run('backup', copy)).notes).toEqual([
    `Cannot write ${copy}: folder ${folder.pathOf('gone')} not found`,
  ])
  await folder.remove()
})

it.skipIf(process.platform !== 'linux')('reports a folder that cannot be created', async () => {
  const words = ['migrate', '--database', 'sqlite:/proc/api-discovery/apis.db']
  expect(await runCommand(words)).toMatchObject({
    code: 1,
    notes: ['Cannot create the folder /proc/api-discovery: not possible there'],
  })
})

it('reports that another process has locked the database, and waits for it', async () => {
  const folder = await makeFolder()
  const file = folder.pathOf('busy.db')
  expect((await runCommand(['migrate', '--database', file])).code).toBe(0)
  const other = new DatabaseSync(file)
  other.exec('begin immediate')
  const notes: string[] = []
  const note = (line: string) => {
    notes.push(line)
    other.exec('commit')
  }
  const code = await runCommandLine(['accounts', 'create', 'ci', '--database', file], {
    ...QUIET,
    note,
  })
  other.close()
  expect([code, notes]).toEqual([
    0,
    [`Waiting for the database ${file}, which is locked by another process…`],
  ])
  await folder.remove()
})
