import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  beginRotation,
  finishRotation,
  openSecrets,
  toSecretFile,
} from '../../../adapters/secret/secret-file.ts'
import { strongRandom } from '../../helpers/random.ts'

const HEX = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'
const RULE =
  'it must be at least 32 random bytes in hex or base64, such as "openssl rand -base64 32" prints'
const COUNTING = Uint8Array.from({ length: 32 }, (_, index) => index)
const IS_WINDOWS = process.platform === 'win32'

let folder = ''
let file = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secret-'))
  file = toSecretFile(join(folder, 'catalogue.db'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const openFile = () => openSecrets({ environment: {}, file })
const save = (text: string) => writeFile(file, text, { mode: 0o600 })

/** Returns the error message of an attempt, without the name of the folder. */
async function messageOf(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  )
  return error instanceof Error ? error.message.replaceAll(folder, '') : 'no error'
}

describe('secret source', () => {
  it('is the option, then the environment, then the file', async () => {
    await save(`${Buffer.from(strongRandom(32)).toString('base64url')}\n`)
    const environment = { API_DISCOVERY_SECRET: HEX }
    expect(await openSecrets({ option: `${HEX}ff`, environment, file })).toEqual({
      current: Uint8Array.from([...COUNTING, 255]),
      origin: 'option',
    })
    expect(await openSecrets({ environment, file })).toEqual({
      current: COUNTING,
      origin: 'environment',
    })
  })

  it('includes a previous secret from the environment during a rotation', async () => {
    const older = Buffer.from(COUNTING).reverse()
    const environment = {
      API_DISCOVERY_SECRET: HEX,
      API_DISCOVERY_PREVIOUS_SECRET: older.toString('base64'),
    }
    expect(await openSecrets({ environment, file })).toEqual({
      current: COUNTING,
      previous: Uint8Array.from(older),
      origin: 'environment',
    })
  })

  it('is rejected without being shown if it is too short', async () => {
    const short = HEX.slice(2)
    const environment = { API_DISCOVERY_SECRET: short }
    expect(await messageOf(openSecrets({ option: short, environment, file }))).toBe(
      `Cannot use the secret option: ${RULE}`,
    )
    expect(await messageOf(openSecrets({ environment, file }))).toBe(
      `Cannot use API_DISCOVERY_SECRET: ${RULE}`,
    )
    expect(await readdir(folder)).toEqual([])
  })
})

describe('secret file', () => {
  it('is generated once, readable by its owner only, and reused afterwards', async () => {
    const made = await openFile()
    expect(made.origin).toBe('generated')
    expect(made.current).toHaveLength(32)
    expect(await openFile()).toEqual({ ...made, origin: 'file' })
    expect(await readdir(folder)).toEqual(['catalogue.db.secret'])
    if (!IS_WINDOWS) expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('is the same for many concurrent starts', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, openFile))
    expect(new Set(all.map(({ current }) => Buffer.from(current).toString('hex'))).size).toBe(1)
    expect(all.filter(({ origin }) => origin === 'generated')).toHaveLength(1)
    expect(await readdir(folder)).toEqual(['catalogue.db.secret'])
  })

  it.skipIf(IS_WINDOWS)('is refused when others may read it (Windows has no modes)', async () => {
    await openFile()
    for (const mode of [0o644, 0o640, 0o604, 0o660]) {
      await chmod(file, mode)
      expect(await messageOf(openFile())).toBe(
        `Cannot use the secret file /catalogue.db.secret: its mode is 0${mode.toString(8)}, it must be 0600 (chmod 600)`,
      )
    }
  })

  it('is rejected, and not changed, if its content is no secret', async () => {
    const lines = 'it must contain one line, or two during a rotation'
    for (const [content, reason] of [
      ['', lines],
      [`${HEX}\n${HEX}\n${HEX}\n`, lines],
      [HEX.slice(2), RULE],
      [`${HEX}\nshort\n`, RULE],
      ['x'.repeat(5000), 'it is too long'],
    ] as const) {
      await save(content)
      expect(await messageOf(openFile())).toBe(
        `Cannot use the secret file /catalogue.db.secret: ${reason}`,
      )
      expect(await readFile(file, 'utf8')).toBe(content)
    }
  })

  it('is rejected if it is a folder or its folder is missing', async () => {
    await mkdir(file)
    expect(await messageOf(openFile())).toMatch(
      /^Cannot read the secret file \/catalogue\.db\.secret: (it is not a file|EISDIR|EPERM)$/,
    )
    const absent = openSecrets({ environment: {}, file: join(folder, 'absent', 'secret') })
    expect(await messageOf(absent)).toBe(
      'Cannot create a temporary file for the secret file /absent/secret: the folder does not exist',
    )
  })
})

describe('rotation', () => {
  it('retains the old secret as previous until it is finished', async () => {
    const { current: old } = await openFile()
    const begun = await beginRotation(file)
    expect(begun.previous).toEqual(old)
    expect(begun.current).not.toEqual(old)
    expect(await openFile()).toEqual({ ...begun, origin: 'file' })
    await finishRotation(file)
    expect(await openFile()).toEqual({ current: begun.current, origin: 'file' })
    expect(await readdir(folder)).toEqual(['catalogue.db.secret'])
    if (!IS_WINDOWS) expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('is resumed if it was not finished', async () => {
    await openFile()
    const begun = await beginRotation(file)
    expect(await beginRotation(file)).toEqual(begun)
  })

  it('requires a file', async () => {
    expect(await messageOf(beginRotation(file))).toBe(
      'Cannot rotate the secret file /catalogue.db.secret: file not found',
    )
  })

  it('has no effect if it is finished twice', async () => {
    await openFile()
    const { current } = await beginRotation(file)
    await finishRotation(file)
    await finishRotation(file)
    expect(await openFile()).toEqual({ current, origin: 'file' })
  })
})
