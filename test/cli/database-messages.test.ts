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
