import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMultipartParts } from '../../core/http/multipart.ts'
import { openTestService, type TestService } from '../helpers/service.ts'

const maxBodyBytes = 64 * 1024
const FILE = '{"openapi":"3.1.0","info":{"title":"Form"},"paths":{"/a":{"get":{}}}}'

let service: TestService
let vendor: string

beforeAll(async () => {
  service = await openTestService({ app: { bodyLimits: { maxBodyBytes } } })
  const { items } = await service.storage.catalogue.searchVendors({}, { size: 1, page: 1 })
  vendor = items[0]?.name ?? ''
})

afterAll(() => service.close())

function part(name: string, content: string): string {
  return `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`
}

async function sendForm(body: string, type = 'multipart/form-data; boundary=b') {
  const response = await service.app.fetch(
    new Request('http://service.test/api/benchmark/upload_swagger', {
      method: 'POST',
      headers: {
        'api-key': service.keys.all,
        'content-type': type,
        vendor,
        category: 'News & Media',
      },
      body,
    }),
  )
  const { code, detail } = JSON.parse(await response.text())
  return { status: response.status, code, detail }
}

describe('form with a file', () => {
  const refused = {
    status: 413,
    code: 'too_large',
    detail: `Cannot read the multipart body: at most ${maxBodyBytes} bytes are accepted besides its files`,
  }

  it('is rejected if its other fields exceed the body limit', async () => {
    const half = 'x'.repeat(maxBodyBytes / 2)
    const within = `${part('a', half)}${part('b', half)}`
    expect(await sendForm(`${within}${part('file', FILE)}--b--`)).toMatchObject({ status: 200 })
    for (const body of [
      `${within}${part('c', 'x')}${part('file', FILE)}--b--`,
      `${part('file', FILE)}${within}${part('c', 'x')}--b--`,
    ]) {
      expect(await sendForm(body)).toEqual(refused)
    }
  })

  it('is rejected at the first field above the limit', async () => {
    const large = part('a', 'x'.repeat(maxBodyBytes + 1))
    expect(await sendForm(`${large}${part('file', FILE).repeat(30)}`)).toEqual(refused)
  })

  it('accepts a file that is larger than its fields may be', async () => {
    const file = FILE.replace('{}', `{"description":"${'y'.repeat(maxBodyBytes)}"}`)
    expect(await sendForm(`${part('file', file)}--b--`)).toMatchObject({ status: 200 })
  })
})

describe('JSON object with a file', () => {
  const toForm = (file: string, length: number) => {
    const form = `{"file":${file}}`
    return `${form}${' '.repeat(length - form.length)}`
  }

  it.each([
    ['an object', FILE],
    ['a text', JSON.stringify(FILE)],
  ])('is accepted up to the body limit: %s', async (_, file) => {
    const body = toForm(file, maxBodyBytes)
    expect(await sendForm(body, 'application/json')).toMatchObject({ status: 200 })
  })

  it('is rejected above it before parsing, whatever its content type', async () => {
    const refused = {
      status: 413,
      code: 'too_large',
      detail: `Cannot read the JSON form: at most ${maxBodyBytes} bytes are accepted. Send the file as multipart/form-data or as the body itself.`,
    }
    const types = ['application/json', 'application/x-www-form-urlencoded', 'text/plain', '']
    for (const type of types) {
      expect(await sendForm(toForm(FILE, maxBodyBytes + 1), type)).toEqual(refused)
    }
    const unread = `{"countries":"CH","file":[${'0,'.repeat(maxBodyBytes / 2)}`
    expect(await sendForm(unread, 'application/json')).toEqual(refused)
  })

  it('is not mistaken for a description of that size', async () => {
    const body = `${FILE}${' '.repeat(maxBodyBytes)}`
    expect(await sendForm(body, 'application/json')).toMatchObject({ status: 200 })
  })
})

describe('form parts', () => {
  const MIB = 1024 * 1024
  const encode = (text: string) => new TextEncoder().encode(text)
  const readAll = (body: string) =>
    [...readMultipartParts(encode(body), { boundary: 'b', maxParts: 20 })].map((each) => each?.text)

  it('are parsed with yields to other work', () => {
    const places = readAll(`${part('a', 'x'.repeat(8 * MIB))}--b--`).filter((text) => !text)
    expect(places.length).toBeGreaterThanOrEqual(32)
  })

  it('are the same regardless of yields', () => {
    for (let more = -60; more <= 20; more += 1) {
      const content = 'x'.repeat(MIB / 4 + more)
      const body = `${part('a', content)}${part('b', 'second\r\n--c')}--b--\r\n`
      expect(readAll(body).filter(Boolean)).toEqual([content, 'second\r\n--c'])
    }
  })

  it('end at the last boundary, however long the text after it', () => {
    const body = `${part('a', 'x')}--b--\r\n${'y'.repeat(MIB)}${part('b', 'z')}`
    expect(readAll(body).filter(Boolean)).toEqual(['x'])
  })

  it('without an end are rejected', () => {
    expect(() => readAll(part('a', 'x'.repeat(MIB)))).toThrow('Cannot read the multipart body')
  })
})
