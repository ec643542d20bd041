import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../core/errors.ts'
import { DEFAULT_IMPORT_LIMITS } from '../../../core/imports/limits.ts'
import { parseInline } from '../../../core/imports/parse-description.ts'
import { parseYaml } from '../../../core/imports/parse-yaml.ts'

const SUITE = new URL('../../../../shared/data/hostile/yaml-test-suite.json', import.meta.url)
const isThere = existsSync(SUITE)
if (!isThere) console.log('Skipped the YAML suite: ../shared/data is not there')

function parseText(text: string) {
  return parseYaml(text, DEFAULT_IMPORT_LIMITS)
}

function findParseError(
  text: string,
  maxRereadCharacters = DEFAULT_IMPORT_LIMITS.maxRereadCharacters,
) {
  try {
    parseYaml(text, { ...DEFAULT_IMPORT_LIMITS, maxRereadCharacters })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { code, message, extra } = error
    return { code, message, place: `${extra.line}:${extra.column}` }
  }
  throw new Error('It was read')
}

describe('YAML that continues quotes or brackets with too little indentation', () => {
  it.each([
    ['a quoted text', 'a:\n  b: "x\ny"\nc: 1', { a: { b: 'x y' }, c: 1 }, ['Line 3 is']],
    ['a tab', 'a: "x\n\ty"', { a: 'x y' }, ['Line 2 is']],
    ['single quotes', "a: 'it''s\n\nso'\n", { a: "it's\nso" }, ['Line 3 is']],
    ['an escaped line break', 'a: "x\\\ny"', { a: 'xy' }, ['Line 2 is']],
    ['other line breaks', 'a: "x\r\ny"\rb: 1', { a: 'x y', b: 1 }, ['Line 2 is']],
    [
      'a flow mapping',
      'a: {\n"b": [1,\n2], # two\n"c": 3\n}\nd: 4',
      { a: { b: [1, 2], c: 3 }, d: 4 },
      ['Lines 2 to 5 are'],
    ],
    [
      'several of them',
      'a: [x,\ny]\nb: 1\nc: "x\n\ny\nz"\nd: {}\n',
      { a: ['x', 'y'], b: 1, c: 'x\ny z', d: {} },
      ['Line 2 is', 'Lines 6 to 7 are'],
    ],
    ['a colon in quotes', 'a: "see x\n: y"', { a: 'see x : y' }, ['Line 2 is']],
  ])('reads %s, and reports the lines', (_, text, value, lines) => {
    expect(parseText(text)).toEqual({
      value,
      warnings: lines.map((line) => ({
        pointer: '',
        message: `${line} indented too little to continue quotes or brackets; parsed as part of them`,
      })),
    })
  })

  it('reads a long one in few attempts, and following lines unchanged', () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `item ${index},`)
    const text = `a:\n  b: [\n${rows.join('\n')}\n]\nc:\n- 1\n- "x\ny"\n`
    const { value, warnings } = parseText(text)
    expect(value).toEqual({
      a: { b: rows.map((row) => row.slice(0, -1)) },
      c: [1, 'x y'],
    })
    expect(warnings.map(({ message }) => message.split(/ (?:is|are) /)[0])).toEqual([
      'Lines 3 to 20003',
      'Line 20007',
    ])
  })

  it('reads many blank lines without extending the text', () => {
    const text = `a: "x\ny${'\n'.repeat(50_000)}z"\nb: 1\n`
    const limits = { ...DEFAULT_IMPORT_LIMITS, maxRereadCharacters: 4 * text.length }
    const { value, warnings } = parseYaml(text, limits)
    expect(value).toMatchObject({ b: 1 })
    expect(warnings.map(({ message }) => message.split(/ (?:is|are) /)[0])).toEqual([
      'Lines 2 to 50002',
    ])
  })

  it('reports the column in a blank last line', () => {
    expect(findParseError('a: "x\ny\n\n  ').place).toBe('4:3')
  })

  it('warns about it in the report of a description', () => {
    const text = 'openapi: 3.1.0\ninfo:\n  title: "Long\nname"\n  version: "1"\npaths: {}\n'
    const { api, report } = parseInline({
      bytes: new TextEncoder().encode(text),
      options: {},
    })
    expect([api.name, report.warnings]).toEqual([
      'Long name',
      [
        {
          pointer: '',
          message:
            'Line 4 is indented too little to continue quotes or brackets; parsed as part of them',
        },
      ],
    ])
  })
})

describe('YAML with unclosed quotes or brackets', () => {
  const LESS = 'the line continues quotes or brackets, but is indented less'
  it.each([
    [
      '[kev',
      'the text ends before a closing quote or bracket (line 1, column 5); the bracket [ at line 1, column 1 is not closed',
    ],
    [
      'deny: [kev\nwarn: [x]\n',
      'a comma or a closing bracket is missing (line 2, column 5); the bracket [ at line 1, column 7 is not closed before line 2',
    ],
    [
      'a:\n  - {b: 1\nc: 2\nd: 3\n',
      'a comma or a closing bracket is missing (line 3, column 2); the bracket { at line 2, column 5 is not closed before line 3',
    ],
    [
      'a: "x\\"\nb: "y"\n',
      'bad indentation of a mapping entry (line 2, column 5); the quote " at line 1, column 4 is not closed before line 2',
    ],
    [
      "a: 'x\nb: 2\n",
      "the text ends before a closing quote or bracket (line 3, column 1); the quote ' at line 1, column 4 is not closed before line 2",
    ],
    [
      'a: "x\n---\ny"\n',
      `${LESS} (line 2, column 1); the quote " at line 1, column 4 is not closed before line 2`,
    ],
    ['a: {\nb: 1,\nb: 2}\n', 'duplicated mapping key (line 3, column 1)'],
  ])('reports where %j is unclosed', (text, message) => {
    expect(findParseError(text)).toMatchObject({
      code: 'invalid_description',
      message: `Invalid YAML: ${message}`,
    })
  })

  it('rejects texts that need too many attempts, with the line reached', () => {
    const text = Array.from({ length: 5_000 }, (_, index) => `k${index}: "a\nb"\n`).join('')
    const { code, message } = findParseError(text, 2 * 1024 * 1024)
    expect(code).toBe('too_expensive')
    expect(message).toMatch(
      /^Invalid YAML: too many lines are indented less than the quotes or brackets that they continue \(line \d+, column 1\); the quote " at line \d+, column \d is not closed before line \d+$/,
    )
    expect(findParseError('a: "x\ny"', 0)).toEqual({
      code: 'invalid_description',
      message: `Invalid YAML: ${LESS} (line 2, column 1); the quote " at line 1, column 4 is not closed before line 2`,
      place: '2:1',
    })
  })
})

// The test suite is not part of the project.
describe.skipIf(!isThere)('the YAML suite', () => {
  interface Case {
    readonly id: string
    readonly mustFail: boolean
    readonly yaml_base64: string
  }
  const cases: readonly Case[] = isThere ? JSON.parse(readFileSync(SUITE, 'utf8')) : []
  const textOf = ({ yaml_base64 }: Case) =>
    new TextDecoder().decode(
      Uint8Array.from(atob(yaml_base64), (character) => character.charCodeAt(0)),
    )

  it('is parsed correctly, except for lines that other parsers accept too', () => {
    const accepted: string[] = []
    const refused: string[] = []
    for (const example of cases) {
      let isRead = true
      try {
        parseText(textOf(example))
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        isRead = false
      }
      if (isRead && example.mustFail) accepted.push(example.id)
      if (!isRead && !example.mustFail) refused.push(example.id)
    }
    expect(cases.length).toBe(402)
    expect(accepted.sort()).toEqual(['9C9N', 'DK95/01', 'QB6E', 'Y79Y/003'])
    // Complex keys, unknown tags and a duplicate key, which are unrelated to indentation.
    expect(refused.length).toBe(32)
  })

  it('contains five cases of too little indentation, one of them ambiguous', () => {
    const outcomes = ['9C9N', 'DK95/01', 'QB6E', 'Y79Y/003', 'VJP3/00'].map((id) => {
      const example = cases.find((each) => each.id === id)
      if (!example) throw new Error(`Case ${id} not found`)
      try {
        return parseText(textOf(example)).value
      } catch (error) {
        return error instanceof ServiceError ? error.message : error
      }
    })
    expect(outcomes).toEqual([
      { flow: ['a', 'b', 'c'] },
      { foo: 'bar baz' },
      { quoted: 'a b c' },
      [['foo', 'foo']],
      'Invalid YAML: the line continues quotes or brackets, but is indented less (line 3, column 1); the bracket { at line 1, column 4 is not closed before line 2',
    ])
  })
})
