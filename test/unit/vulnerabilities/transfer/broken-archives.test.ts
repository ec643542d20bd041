import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../../core/errors.ts'
import { readFrames, writeFrames } from '../../../../core/vulnerabilities/transfer/frames.ts'
import { createNumberGenerator } from '../../../helpers/random.ts'
import { readContent } from '../loading/index-content.ts'
import { sampleRecord } from '../loading/samples.ts'
import { compression, inChunks, openMachine } from './samples.ts'

const RECORDS = Array.from({ length: 40 }, (_, index) => sampleRecord(index + 1))

async function openBoth() {
  const source = openMachine()
  await source.load(RECORDS)
  await source.rate(['CVE-2021-0003'], 0.5)
  const target = openMachine()
  await target.load([sampleRecord(1), sampleRecord(99)])
  return { target, bytes: await source.exportAll(), before: await readContent(target.store) }
}

async function findCode(work: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof ServiceError ? error.code : error === undefined ? undefined : 'other'
}

describe('A broken archive', () => {
  it('is refused wherever it is truncated, and leaves the data unchanged', async () => {
    const { target, bytes, before } = await openBoth()
    const sizes = [0, 1, 33, 34, 41, bytes.length >> 1, bytes.length - 33, bytes.length - 1]
    const codes = []
    for (const size of sizes) codes.push(await findCode(target.pull(bytes.slice(0, size))))
    const foreign = Array.from({ length: 3 }, () => 'unsupported_media_type')
    expect(codes).toEqual([...foreign, ...Array.from({ length: 5 }, () => 'invalid_body')])
    expect(await readContent(target.store)).toEqual(before)
  })

  it('is refused if any byte differs', async () => {
    const { target, bytes, before } = await openBoth()
    const random = createNumberGenerator(7)
    for (let run = 0; run < 60; run += 1) {
      const at = Math.floor(random() * bytes.length)
      const changed = bytes.slice()
      changed[at] = ((changed[at] ?? 0) + 1 + Math.floor(random() * 255)) & 0xff
      const code = await findCode(target.pull(changed))
      expect([at, ['invalid_body', 'unsupported_media_type'].includes(code ?? '')]).toEqual([
        at,
        true,
      ])
    }
    expect(await readContent(target.store)).toEqual(before)
    expect(target.store.records.size).toBe(2)
    expect((await target.pull(bytes)).load).toMatchObject({ added: 39, removed: 1 })
  })

  it('is refused if bytes follow its end', async () => {
    const { target, bytes } = await openBoth()
    expect(await findCode(target.pull(new Uint8Array([...bytes, 0])))).toBe('invalid_body')
  })

  it('of another format or kind is refused with the reason', async () => {
    const { target, bytes } = await openBoth()
    const other = bytes.slice()
    other[30] = 9
    await expect(target.pull(other)).rejects.toMatchObject({
      code: 'unsupported_media_type',
      message: expect.stringContaining('its format is 9, and this version reads format 2'),
    })
    const text = new TextEncoder().encode('{"vulnerabilities": []} and more than the first bytes')
    await expect(target.pull(text)).rejects.toMatchObject({
      code: 'unsupported_media_type',
      message: expect.stringContaining('it is no file of "vulnerabilities export"'),
    })
  })

  it.each([
    ['another word', /flaw number 7 in/, 'flaw number 8 in'],
    ['an unknown word', /flaw number 7 in/, 'flaw unheard 7 in'],
    ['a word less', /flaw number 7 in/, 'flaw number 7'],
    ['no text', /"cve_description":/, '"description":'],
    ['no JSON', /^\{/, ''],
  ])('is refused if a record has %s, though its checksums are right', async (_, from, to) => {
    const { target, bytes, before } = await openBoth()
    async function* changeLines() {
      for await (const frame of readFrames(inChunks(bytes), compression)) {
        if (frame.head.column !== 'line') yield frame
        else {
          const text = new TextDecoder().decode(frame.body)
          yield { head: frame.head, body: new TextEncoder().encode(text.replace(from, to)) }
        }
      }
    }
    const chunks = []
    for await (const chunk of writeFrames(changeLines(), compression)) chunks.push(chunk)
    expect(await findCode(target.pull(new Uint8Array(Buffer.concat(chunks))))).toBe('invalid_body')
    expect(await readContent(target.store)).toEqual(before)
  })

  it('never leaves staged records to another load', async () => {
    const { target, bytes } = await openBoth()
    const broken = bytes.slice()
    broken[bytes.length - 40] = (broken[bytes.length - 40] ?? 0) ^ 1
    // The load cannot remove its records either, as if it was killed.
    target.store.beforeCall = (name) => {
      if (name === 'discardStaged') throw new Error('killed')
    }
    expect(await findCode(target.pull(broken))).toBe('invalid_body')
    target.store.beforeCall = () => {}
    await target.load([sampleRecord(2)])
    expect(await target.search('flaw')).toBe(3)
    expect(target.store.records.size).toBe(3)
  })

  it('ends with the error of its source', async () => {
    const { target, bytes } = await openBoth()
    async function* breakOff() {
      for await (const chunk of inChunks(bytes.subarray(0, bytes.length >> 1))) yield chunk
      throw new RangeError('The connection broke')
    }
    const { vulnerabilities } = target
    const options = {
      compression,
      origin: { name: 'a' },
    }
    await expect(vulnerabilities.loadArchive(breakOff(), options)).rejects.toThrow(
      'The connection broke',
    )
    expect(await target.search('flaw')).toBe(2)
  })
})
