import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../helpers/command-line.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'

let folder: TestFolder
let before = ''
let after = ''

const PAY = { url: 'https://api.acme.io/v1/payments', file: 'src/pay.ts' }
const MAIL = { url: 'https://api.hopper.io/send', file: 'src/mail.ts', method: 'post' }
const named = { api_name: 'Payments', vendor_name: 'Acme' }

beforeAll(async () => {
  folder = await makeFolder()
  before = await writeFindings('before.json', [
    { ...PAY, ...named, method: 'get' },
    { ...PAY, ...named, method: 'delete' },
  ])
  after = await writeFindings('after.json', [
    { ...PAY, ...named, method: 'get', file: 'src/moved.ts' },
    MAIL,
    { ...MAIL, file: 'src/other.ts' },
  ])
})
afterAll(() => folder.remove())

async function writeFindings(name: string, findings: readonly object[]): Promise<string> {
  await writeFile(folder.pathOf(name), JSON.stringify({ findings }))
  return folder.pathOf(name)
}

function diff(...words: readonly string[]) {
  return runCommand(['scan', 'diff', ...words])
}

describe('scan diff', () => {
  it('prints new, removed and changed endpoints', async () => {
    expect(await diff(before, after)).toMatchObject({
      code: 0,
      results: [
        '+ host api.hopper.io',
        '+ POST https://api.hopper.io/send src/mail.ts (+1)',
        '- DELETE https://api.acme.io/v1/payments src/pay.ts',
        '~ GET https://api.acme.io/v1/payments files: src/pay.ts -> src/moved.ts',
      ],
      notes: [],
    })
    expect(await diff(after, after)).toMatchObject({
      code: 0,
      results: [],
      notes: ['No differences.'],
    })
  })

  it('prints the same as JSON', async () => {
    const { results } = await diff(before, after, '--json')
    const { file: _, ...mail } = { ...MAIL, host: 'api.hopper.io' }
    const pay = { url: PAY.url, host: 'api.acme.io', ...named }
    expect(JSON.parse(results.join(''))).toEqual({
      endpoints: {
        new: [{ ...mail, files: ['src/mail.ts', 'src/other.ts'] }],
        gone: [{ ...pay, method: 'delete', files: ['src/pay.ts'] }],
        changed: [
          {
            what: ['files'],
            before: { ...pay, method: 'get', files: ['src/pay.ts'] },
            after: { ...pay, method: 'get', files: ['src/moved.ts'] },
          },
        ],
      },
      apis: { new: [], gone: [] },
      hosts: { new: ['api.hopper.io'], gone: [] },
    })
  })

  it('exits with 3 on --fail-on new if there are new endpoints', async () => {
    const failed = await diff(before, after, '--fail-on', 'new')
    expect([failed.code, failed.notes]).toEqual([3, ['Failed: 1 new endpoint.']])
    expect((await diff(after, after, '--fail-on', 'new')).code).toBe(0)
  })

  it('reads one of the scans from standard input', async () => {
    const input = new TextEncoder().encode(JSON.stringify({ findings: [] }))
    const { code, results } = await runCommand(['scan', 'diff', '-', after], { input })
    expect([code, results[0]]).toEqual([0, '+ API Payments (Acme)'])
  })

  it('names the file that it cannot read', async () => {
    await writeFile(folder.pathOf('broken.json'), '{')
    const broken = folder.pathOf('broken.json')
    expect(await diff(before, broken)).toMatchObject({
      code: 1,
      results: [],
      notes: [`${broken}: Cannot read the former scan: it is not valid JSON`],
    })
    const missing = folder.pathOf('missing.json')
    expect((await diff(missing, after)).notes).toEqual([`Cannot read ${missing}: file not found`])
    expect(await diff('-', '-')).toMatchObject({
      code: 2,
      notes: ['Cannot compare: only one of the scans can be read from standard input'],
    })
    expect(await diff(before, after, '--fail-on', 'kev')).toMatchObject({
      code: 2,
      notes: ['Cannot use --fail-on "kev": it must be one of new'],
    })
  })
})
