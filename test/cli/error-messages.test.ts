import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../helpers/command-line.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'

const DESCRIPTIONS = 'fixtures/seed/descriptions'

let folder: TestFolder

beforeAll(async () => {
  folder = await makeFolder()
  expect((await run('import', DESCRIPTIONS, '--create-vendors')).code).toBe(0)
})

afterAll(() => folder.remove())

function run(...words: readonly string[]) {
  return runCommand(words, {
    environment: { API_DISCOVERY_DATABASE: `sqlite:${folder.pathOf('apis.db')}` },
  })
}

describe('messages', () => {
  it.each([
    [
      ['import', 'http://127.0.0.1:1/openapi.json'],
      1,
      'Cannot import http://127.0.0.1:1/openapi.json: URLs are not supported; download the description first',
    ],
    [
      ['import', `${DESCRIPTIONS}/skycast-weather.yaml`, '--category', 'Nope'],
      1,
      /Category "Nope" not found \(the operation listCategories lists all, on the command line: call listCategories\)/,
    ],
    [['search', '--vendor', 'Nope'], 0, 'No APIs with --vendor "Nope".'],
    [
      ['search', '--category', 'Nope'],
      2,
      'category must be the name of a category, as the operation listCategories lists them (on the command line: call listCategories)',
    ],
    [
      ['search', 'weather', '--vendor', 'Nope', '--deprecated', 'no'],
      0,
      'No results for "weather" with --vendor "Nope" --deprecated "no".',
    ],
    [['search', 'a', '--page', '999'], 0, /^Page 999 not found: the last page is \d\.$/],
    [
      ['endpoints', 'Skycast Weather', '--method', 'FETCH'],
      2,
      'Invalid method "FETCH": use GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, TRACE or QUERY',
    ],
    [['agreements', 'add'], 2, /^\(Commands of "agreements": .*list.*\)$/],
    [
      ['users', 'create', 'ada', '--account', 'ci'],
      2,
      'Cannot read the password from standard input: it must be one line of text. Pipe it, or pass --password-file FILE',
    ],
  ] as const)('of %j explain the next step', async (words, code, message) => {
    const outcome = await run(...words)
    expect([outcome.code, outcome.notes.join('\n')]).toEqual([
      code,
      typeof message === 'string' ? message : expect.stringMatching(new RegExp(message, 'm')),
    ])
  })

  it('of a port in use name the option', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    const { code, notes } = await run('serve', '--port', port)
    expect([code, notes.at(-1)]).toEqual([
      1,
      `Cannot listen on 127.0.0.1:${port}: the port is in use. Choose another one with --port.`,
    ])
    await new Promise((resolve) => other.close(resolve))
  })
})
