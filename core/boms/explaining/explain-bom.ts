import { ServiceError } from '../../errors.ts'
import { createBatchedValidator } from '../cyclonedx/batched-validator.ts'
import type { ValidateJson } from '../cyclonedx/json-validator.ts'
import { parseXml, type XmlElement } from '../reading/parse-xml.ts'
import { findShape, parseBomJson, type ReadShape } from '../reading/read-bom.ts'
import { readSpecVersion } from '../reading/read-xml-bom.ts'
import { isMembers, toItems, toMembers, toTextValue } from '../reading/values.ts'
import type { Explanation } from './explanations.ts'

/** The format of a document, and why it is not valid CycloneDX. */
export interface BomValidation {
  /** Undefined if the document is not a BOM. */
  readonly shape: ReadShape | undefined
  /** As declared in the document; empty if missing. */
  readonly version: string
  /**
   * True if the official schema was applied: always for JSON, never for XML (`bom validate` runs
   * `xmllint` if it is installed).
   */
  readonly isBySchema: boolean
  readonly isValid: boolean
  readonly explanations: readonly Explanation[]
}

/** Maximum length of a document in characters. */
const MAX_CHARACTERS = 256 * 1024 * 1024

/**
 * Maximum nesting of lists and objects: the schema's code recurses several times for each level.
 */
const MAX_DEPTH = 500

/** Cached validators by version: creating one takes a quarter of a second. */
export type ValidatorCache = Map<string, ValidateJson>

/**
 * Validates a document of any format, and explains each location that is not valid CycloneDX.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { explainBom } from 'api-discovery/boms'
 *
 * const { explanations } = await explainBom(await readFile('bom.json', 'utf8'))
 * for (const { pointer, what, repair } of explanations) {
 *   console.error(`${pointer}: ${what}; ${repair}`)
 * }
 * ```
 */
export async function explainBom(
  text: string,
  judges: ValidatorCache = new Map(),
): Promise<BomValidation> {
  if (text.length > MAX_CHARACTERS) {
    throw new ServiceError(
      'too_large',
      `Cannot validate this document: it has ${text.length} characters, at most ${MAX_CHARACTERS} are allowed`,
    )
  }
  const rules = await import('../cyclonedx/json-validator.ts')
  const findValidator = (version: string): ValidateJson | undefined => {
    const known = judges.get(version)
    const judge = known ?? rules.createJsonValidator(version)
    if (!judge || known) return known
    const batched = createBatchedValidator(judge)
    judges.set(version, batched)
    return batched
  }
  const other = explainOtherText(text)
  if (other) return createUnreadableResult(other, undefined)
  if (/^\uFEFF?\s*</.test(text)) return validateXml(text, { isSpdxId: rules.isSpdxId })
  const document = parseOrExplain(() => parseBomJson(text, MAX_DEPTH))
  if ('failure' in document) return createUnreadableResult(document.failure, undefined)
  const { value } = document
  const [first] = Array.isArray(value) ? value : [value]
  const shape = findShape(first)
  if (!shape) return createUnreadableResult(explainOtherJson(first), undefined)
  if (shape !== 'cyclonedx-json')
    return validateSpecificationFormat(value, { shape, findJudge: findValidator })
  const version = toTextValue(toMembers(value).specVersion)
  const judge = findValidator(version)
  if (!judge) return createUnreadableResult(explainUnknownVersion(version), shape)
  const { explainJson } = await import('./explain-json.ts')
  const explanations = await explainJson(value, judge)
  const isValid = explanations.length === 0
  return { shape, version, isBySchema: true, isValid, explanations }
}

async function validateXml(
  text: string,
  rules: { readonly isSpdxId: (id: string) => boolean },
): Promise<BomValidation> {
  const read = parseOrExplain<XmlElement>(() => parseXml(text))
  if ('failure' in read) return createUnreadableResult(read.failure, 'cyclonedx-xml')
  const { explainXml } = await import('./explain-xml.ts')
  const explanations = explainXml(read.value, rules)
  const isValid = explanations.length === 0
  const version = readSpecVersion(read.value)
  const shape = read.value.name === 'bom' ? 'cyclonedx-xml' : undefined
  return { shape, version, isBySchema: false, isValid, explanations }
}

/** Validates the CycloneDX parts of a document in the specification's format. */
async function validateSpecificationFormat(
  value: unknown,
  more: {
    readonly shape: 'project' | 'network'
    readonly findJudge: (version: string) => ValidateJson | undefined
  },
): Promise<BomValidation> {
  const { shape } = more
  const explanations: Explanation[] = [
    {
      pointer: '',
      what: `this is the ${shape} BOM of the specification (${shape === 'project' ? '2.9' : '2.10'}), not a CycloneDX document`,
      why: 'Its CycloneDX content is in "scan_details", but tools expect it at the top level',
      repair: 'convert it: bom convert FILE --to cyclonedx-json',
    },
  ]
  const { explainJson } = await import('./explain-json.ts')
  let version = ''
  for (const [pointer, details] of listScanDetails(value, shape)) {
    version ||= toTextValue(details.specVersion)
    const judge = more.findJudge(toTextValue(details.specVersion))
    const found = judge
      ? await explainJson(details, judge)
      : [explainUnknownVersion(toTextValue(details.specVersion))]
    explanations.push(...found.map((each) => ({ ...each, pointer: `${pointer}${each.pointer}` })))
  }
  return { shape, version, isBySchema: true, isValid: false, explanations }
}

function* listScanDetails(value: unknown, shape: 'project' | 'network') {
  const documents = Array.isArray(value) ? value : [value]
  for (const [index, item] of documents.entries()) {
    const start = Array.isArray(value) ? `/${index}` : ''
    const document = toMembers(item)
    if (shape === 'project') {
      yield [`${start}/scan_details`, toMembers(document.scan_details)] as const
      continue
    }
    for (const [at, instance] of toItems(document.instances).entries()) {
      const details = toMembers(toMembers(instance).scan_details)
      yield [`${start}/instances/${at}/scan_details`, details] as const
    }
  }
}

function explainUnknownVersion(version: string): Explanation {
  return {
    pointer: '/specVersion',
    what: version === '' ? 'specVersion is missing' : 'specVersion is not a version with a schema',
    why: 'Versions 1.2 to 1.7 have an official JSON schema',
    repair: 'write "specVersion": "1.6"',
  }
}

function parseOrExplain<T>(
  read: () => T,
): { readonly value: T } | { readonly failure: Explanation } {
  try {
    return { value: read() }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return {
      failure: {
        pointer: '',
        what: error.message,
        why: 'Only a document that can be parsed can be validated',
        repair: 'write the document with a JSON or XML library',
      },
    }
  }
}

function createUnreadableResult(
  explanation: Explanation,
  shape: ReadShape | undefined,
): BomValidation {
  return { shape, version: '', isBySchema: false, isValid: false, explanations: [explanation] }
}

/** Explains text that is neither JSON nor XML, or an HTML page; undefined for other text. */
function explainOtherText(text: string): Explanation | undefined {
  const start = text.replace(/^\uFEFF/, '').trimStart()
  if (start === '') return explainOther('it is empty')
  if (/^<(?:!doctype html|html)\b/i.test(start)) return explainOther('it is an HTML page')
  // Also the first characters of numbers, strings and constants of JSON.
  if (/^(?:[<{["]|-?\d|true|false|null)/.test(start)) return undefined
  const [line = ''] = start.split(/\r?\n/, 1)
  return explainOther(`it is neither JSON nor XML, and starts with "${line.slice(0, MAX_SHOWN)}"`)
}

/** Explains a JSON value that is not a BOM. */
function explainOtherJson(value: unknown): Explanation {
  const names = isMembers(value) ? Object.keys(value).slice(0, MAX_NAMES) : []
  const members = names.map((name) => `"${name.slice(0, MAX_SHOWN)}"`).join(', ')
  if (members !== '') return explainOther(`it is JSON with ${members}`)
  return explainOther('it is JSON without members')
}

const MAX_SHOWN = 40
const MAX_NAMES = 4

function explainOther(seen: string): Explanation {
  return {
    pointer: '',
    what: `this is not a CycloneDX BOM: ${seen}`,
    why: 'It has neither "bomFormat", nor "scan_details", nor "instances", nor the element <bom>',
    repair: 'use a CycloneDX document as JSON or XML, or one in the format of the specification',
  }
}
