import type { SchemaIssue } from '../cyclonedx/validate.ts'

/** Something that keeps a document from being valid CycloneDX, in words. */
export interface Explanation {
  /** JSON pointer, or path of an XML element; empty for the document. */
  readonly pointer: string
  readonly what: string
  readonly why: string
  readonly repair: string
}

type Words = Omit<Explanation, 'pointer'>

/** What is known of often broken places: the first row that fits an issue explains it. */
const PLACES: readonly (readonly [RegExp, Words])[] = [
  [
    /^\/bomFormat$/,
    {
      what: 'bomFormat is not "CycloneDX"',
      why: 'Readers tell CycloneDX documents by this word alone',
      repair: 'write "bomFormat": "CycloneDX"',
    },
  ],
  [
    /^\/serialNumber$/,
    {
      what: 'serialNumber is no UUID',
      why: 'It has to be a URN of a UUID (RFC 9562) in lower case',
      repair: 'write "urn:uuid:" and a UUID, or leave it out',
    },
  ],
  [
    /\/timestamp$/,
    {
      what: 'the timestamp is no RFC 3339 date and time',
      why: 'A date, a "T", a time and an offset are required: without an offset it names no instant',
      repair: 'end it with "Z" when it is in UTC',
    },
  ],
  [
    /\/externalReferences\/\d+\/type$/,
    {
      what: 'the type of the external reference is not one of the list',
      why: 'CycloneDX has a fixed list of types; "url" is not on it',
      repair: 'write "website" in place of "url", or "other"',
    },
  ],
  [
    /\/license\/id$/,
    {
      what: 'the licence id is not on the SPDX list',
      why: '"id" is for SPDX identifiers alone, and they are case-sensitive',
      repair: 'write a licence of another name as "name"',
    },
  ],
  [
    /\/licenses(?:\/\d+(?:\/license)?)?$/,
    {
      what: 'a licence is not written as CycloneDX wants it',
      why: 'Each item is { "license": { "id" or "name", "url"? } }, or the only one is { "expression" }',
      repair: 'write { "license": { "name": …, "url": … } } in place of { "name": …, "url": … }',
    },
  ],
  [
    /\/services\/\d+\/description$/,
    {
      what: 'the description of a service is no text',
      why: 'CycloneDX has one text here, no list',
      repair: 'join the texts of the list',
    },
  ],
  [
    /\/services\/\d+\/data(?:\/\d+.*)?$/,
    {
      what: "a service's data is not described as CycloneDX wants it",
      why: 'Each item needs "flow" (inbound, outbound, bi-directional or unknown) and "classification"',
      repair: 'add what is missing; "unknown" and "unclassified" say that it is not known',
    },
  ],
]

/** Says in words what the schema's issue at a pointer of the document means. */
export function explainIssue(issue: SchemaIssue, pointer: string): Explanation {
  if (issue.keyword === 'additionalProperties') {
    const name = String(issue.params.additionalProperty)
    return { pointer: `${pointer}/${escapePointer(name)}`, ...explainUnknown(pointer, name) }
  }
  const known = PLACES.find(([place]) => place.test(pointer))
  if (known) return { pointer, ...known[1] }
  return { pointer, ...explainKeyword(issue, pointer) }
}

/** One name of a JSON pointer (RFC 6901). */
function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function explainUnknown(pointer: string, name: string): Words {
  if (/\/licenses\/\d+$/.test(pointer)) {
    const known = PLACES.find(([place]) => place.test(pointer))
    if (known) return known[1]
  }
  const where = pointer === '' ? 'the document' : 'this object'
  const repair =
    name === 'capturedIPs'
      ? 'write each address as an item of "properties", with a name and a value'
      : 'remove it, or write it as an item of "properties" with a name and a value'
  return {
    what: `"${name.slice(0, 60)}" does not belong in ${where}`,
    why: 'CycloneDX allows no members beyond its own',
    repair,
  }
}

function explainKeyword({ keyword, params, message }: SchemaIssue, pointer: string): Words {
  const place = toPlaceName(pointer)
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
        repair: 'write one of these',
      }
    }
    case 'type':
      return {
        what: `${place} is of the wrong type`,
        why: `The schema wants: ${String(params.type)}`,
        repair: 'write a value of this type',
      }
    case 'uniqueItems':
      return {
        what: `${place} has the same item twice`,
        why: `Items ${String(params.j)} and ${String(params.i)} do not differ`,
        repair: 'remove one of them, or give each a "bom-ref" of its own',
      }
    default:
      return {
        what: `${place} ${message}`,
        why: 'The official schema says so',
        repair: 'change the value so that this holds',
      }
  }
}

function toPlaceName(pointer: string): string {
  const [, list, name = ''] = /(?:([^/]*)\/)?([^/]*)$/.exec(pointer) ?? []
  if (pointer === '') return 'the document'
  return list !== '' && /^\d+$/.test(name) ? `an item of "${list}"` : `"${name}"`
}
