import type { SchemaIssue } from '../cyclonedx/json-validator.ts'

/** Explains in plain words why a document is not valid CycloneDX. */
export interface Explanation {
  /** JSON pointer, or path of an XML element; empty for the document. */
  readonly pointer: string
  readonly what: string
  readonly why: string
  readonly repair: string
}

type ExplanationText = Omit<Explanation, 'pointer'>

/** Explanations of locations that are often invalid; the first match is used. */
const KNOWN_LOCATIONS: readonly (readonly [RegExp, ExplanationText])[] = [
  [
    /^\/bomFormat$/,
    {
      what: 'bomFormat is not "CycloneDX"',
      why: 'Tools recognise CycloneDX documents only by this value',
      repair: 'write "bomFormat": "CycloneDX"',
    },
  ],
  [
    /^\/serialNumber$/,
    {
      what: 'serialNumber is not a UUID',
      why: 'It must be a URN of a UUID (RFC 9562) in lower case',
      repair: 'write "urn:uuid:" and a UUID, or omit it',
    },
  ],
  [
    /\/timestamp$/,
    {
      what: 'the timestamp is not an RFC 3339 date and time',
      why: 'A date, a "T", a time and an offset are required',
      repair: 'end it with "Z" if it is in UTC',
    },
  ],
  [
    /\/externalReferences\/\d+\/type$/,
    {
      what: 'the type of the external reference is invalid',
      why: 'CycloneDX has a fixed list of types, which does not contain "url"',
      repair: 'write "website" instead of "url", or use "other"',
    },
  ],
  [
    /\/license\/id$/,
    {
      what: 'the licence ID is not on the SPDX list',
      why: '"id" must be an SPDX identifier, which is case-sensitive',
      repair: 'write other licences as "name"',
    },
  ],
  [
    /\/licenses(?:\/\d+(?:\/license)?)?$/,
    {
      what: 'a licence does not have the structure that CycloneDX requires',
      why: 'Each item must be { "license": { "id" or "name", "url"? } }, or there must be only { "expression" }',
      repair: 'write { "license": { "name": …, "url": … } } instead of { "name": …, "url": … }',
    },
  ],
  [
    /\/services\/\d+\/description$/,
    {
      what: 'the description of a service is not a string',
      why: 'CycloneDX requires one string here, not a list',
      repair: 'join the strings of the list',
    },
  ],
  [
    /\/services\/\d+\/data(?:\/\d+.*)?$/,
    {
      what: 'the data of a service does not have the structure that CycloneDX requires',
      why: 'Each item needs "flow" (inbound, outbound, bi-directional or unknown) and "classification"',
      repair: 'add the missing member, with "unknown" or "unclassified" if its value is unknown',
    },
  ],
]

/** Explains the schema violation at a pointer of the document. */
export function explainIssue(issue: SchemaIssue, pointer: string): Explanation {
  if (issue.keyword === 'additionalProperties') {
    const name = String(issue.params.additionalProperty)
    return { pointer: `${pointer}/${escapePointer(name)}`, ...explainUnknownMember(pointer, name) }
  }
  const known = KNOWN_LOCATIONS.find(([place]) => place.test(pointer))
  if (known) return { pointer, ...known[1] }
  return { pointer, ...explainKeyword(issue, pointer) }
}

/** Escapes one step of a JSON pointer (RFC 6901). */
function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function explainUnknownMember(pointer: string, name: string): ExplanationText {
  if (/\/licenses\/\d+$/.test(pointer)) {
    const known = KNOWN_LOCATIONS.find(([place]) => place.test(pointer))
    if (known) return known[1]
  }
  const where = pointer === '' ? 'the document' : 'this object'
  const repair =
    name === 'capturedIPs'
      ? 'write each address as an item of "properties", with a name and a value'
      : 'remove it, or write it as an item of "properties" with a name and a value'
  return {
    what: `"${name.slice(0, 60)}" is not allowed in ${where}`,
    why: 'CycloneDX does not allow additional members',
    repair,
  }
}

function explainKeyword(
  { keyword, params, message }: SchemaIssue,
  pointer: string,
): ExplanationText {
  const place = describeLocation(pointer)
  switch (keyword) {
    case 'required':
      return {
        what: `${place} has no "${String(params.missingProperty)}"`,
        why: 'The schema requires it',
        repair: 'add it',
      }
    case 'enum':
    case 'const': {
      const values = [params.allowedValues ?? params.allowedValue].flat().map(String)
      const more = values.length > 12 ? `, … (${values.length} in all)` : ''
      return {
        what: `${place} has a value that is not allowed`,
        why: `Allowed: ${values.slice(0, 12).join(', ')}${more}`,
        repair: 'use one of these',
      }
    }
    case 'type':
      return {
        what: `${place} is of the wrong type`,
        why: `The schema requires: ${String(params.type)}`,
        repair: 'use a value of this type',
      }
    case 'uniqueItems':
      return {
        what: `${place} has the same item twice`,
        why: `Items ${String(params.j)} and ${String(params.i)} do not differ`,
        repair: 'remove one of them, or add a distinct "bom-ref" to each',
      }
    default:
      return {
        what: `${place} ${message}`,
        why: 'The official schema requires it',
        repair: 'change the value accordingly',
      }
  }
}

function describeLocation(pointer: string): string {
  const [, list, name = ''] = /(?:([^/]*)\/)?([^/]*)$/.exec(pointer) ?? []
  if (pointer === '') return 'the document'
  return list !== '' && /^\d+$/.test(name) ? `an item of "${list}"` : `"${name}"`
}
