import { describe, expect, it } from 'vitest'
import { DEFAULT_IMPORT_LIMITS } from '../../core/imports/limits.ts'
import { parseYaml } from '../../core/imports/parse-yaml.ts'
import { readDescription } from '../../core/imports/read-description.ts'

describe('YAML with very many lines', () => {
  it.each(['\n', '\r', '\r\n', '\r\n--'])('is rejected before parsing: %j', (line) => {
    const text = `openapi: 3.1.0${line.repeat(1_000_000)}`

    expect(() => parseYaml(text, DEFAULT_IMPORT_LIMITS)).toThrow(
      'Cannot parse the YAML text: more than 1000000 lines',
    )
  })

  it('still reports the position of an error in JSON', () => {
    const bytes = new TextEncoder().encode(`{"a": 1,${'\n'.repeat(1_000_000)} "b": ]`)

    expect(() => readDescription(bytes)).toThrow('Invalid JSON: expected a value')
  })
})
