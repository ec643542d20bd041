import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../core/errors.ts'
import { type ParsedDescription, parseInline } from '../../../core/imports/parse-description.ts'

const DATA = new URL('../../../../shared/data/', import.meta.url)
const MANIFEST = new URL('openapi-manifest.json', DATA)
const isThere = existsSync(MANIFEST)
if (!isThere) console.log('skipped: the collection of real descriptions is not on this machine')

interface Entry {
  readonly file: string
  readonly parses: boolean
  readonly spec?: string
  readonly operations?: number
  readonly webhooks?: number
  readonly opParameters?: number
  readonly auth?: readonly string[]
  readonly servers?: readonly string[]
}

function parseEntry(entry: Entry): ParsedDescription | ServiceError {
  try {
    const bytes = readFileSync(new URL(`openapi/${entry.file}`, DATA))
    return parseInline({ bytes, options: {} })
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

describe.skipIf(!isThere)('real descriptions', () => {
  const entries: readonly Entry[] = isThere ? JSON.parse(readFileSync(MANIFEST, 'utf8')) : []
  const results = entries.map((entry) => ({ entry, parsed: parseEntry(entry) }))
  const imported = results.flatMap(({ entry, parsed }) =>
    parsed instanceof ServiceError ? [] : [{ entry, parsed }],
  )

  it('are imported, or rejected with a reason if they are not descriptions', () => {
    const refused = results.flatMap(({ entry, parsed }) =>
      parsed instanceof ServiceError ? [[entry.parses, entry.spec, parsed.code]] : [],
    )
    expect(refused).toEqual([
      [false, undefined, 'invalid_description'],
      [true, 'swagger 3.0', 'invalid_description'],
      [true, 'none', 'invalid_description'],
    ])
    expect(imported.length).toBe(entries.length - 3)
  })

  it('yield exactly the known numbers of operations and webhooks', () => {
    const differences = imported.filter(
      ({ entry, parsed: { report, endpoints } }) =>
        report.operations !== entry.operations ||
        report.webhooks !== (entry.webhooks ?? 0) ||
        report.skipped !== 0 ||
        endpoints.length !== report.operations + report.webhooks + report.callbacks,
    )
    expect(differences.map(({ entry }) => entry.file)).toEqual([])
  })

  it('yield at least the parameters that the operations list', () => {
    // The manifest counts only the operations' own parameters. The import also counts parameters of
    // paths and bodies. It omits duplicates, and replaces the body parameter of Swagger by its
    // properties.
    const fewer = imported.filter(({ entry, parsed }) => {
      const bodies = parsed.endpoints.filter(({ body }) => body !== undefined).length
      return parsed.report.parameters + bodies < (entry.opParameters ?? 0)
    })
    expect(fewer.map(({ entry }) => entry.file)).toEqual([])
  })

  it('yield authentication if schemes are defined', () => {
    const silent = imported.filter(
      ({ entry, parsed }) =>
        (entry.auth ?? []).length > 0 &&
        parsed.endpoints.length > 0 &&
        parsed.api.authTypes.every((type) => type === 'none'),
    )
    expect(silent.map(({ entry }) => entry.file)).toEqual([])
  })

  it('yield absolute URLs if the description has a host', () => {
    const relative = imported.filter(
      ({ entry, parsed }) =>
        (entry.servers ?? []).some((server) => /^[a-z,]+:\/\/[a-z]/i.test(server)) &&
        parsed.endpoints.some(({ url, isInbound }) => !isInbound && !/^[a-z]+:\/\/[^/]/i.test(url)),
    )
    expect(relative.map(({ entry }) => entry.file)).toEqual([])
  })
})
