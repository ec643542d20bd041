import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { readReported } from './reported-count.ts'

/** Counts of the raw files, computed independently of the loader. */
export interface NvdCount {
  /** The newest version of each record, by ID. */
  readonly records: ReadonlyMap<string, CountedRecord>
  /** Records with the same ID and modification time, but different content. */
  readonly ambiguous: readonly string[]
}

export interface CountedRecord {
  readonly changed: string
  readonly year: number
  readonly isRejected: boolean
  readonly hasV2: boolean
  readonly hasV3: boolean
  readonly hasV4: boolean
  /** NVD's record mentions an entry in CISA's catalogue. */
  readonly isExploited: boolean
  /** `<vendor> <product> <version>` of each vulnerable match, or of what reporters state. */
  readonly products: ReadonlySet<string>
  readonly hasProduct: boolean
  readonly hasConfigurations: boolean
  /** Of configurations and reporters. */
  readonly vendors: ReadonlySet<string>
  /** `<vendor> <product>`. */
  readonly pairs: ReadonlySet<string>
  readonly content: string
}

/** Parses all feeds in the folder as a whole, with `JSON.parse`. */
export function countNvd(folder: string): NvdCount {
  const records = new Map<string, CountedRecord>()
  const ambiguous = new Set<string>()
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json.gz'))) {
    const feed = JSON.parse(gunzipSync(readFileSync(`${folder}/${name}`)).toString('utf8'))
    for (const item of feed.vulnerabilities ?? feed.CVE_Items) {
      const isOld = item.cve.CVE_data_meta !== undefined
      const id: string = isOld ? item.cve.CVE_data_meta.ID : item.cve.id
      const record = isOld ? countOld(item) : countNew(item.cve)
      const other = records.get(id)
      if (other?.changed === record.changed && other.content !== record.content) ambiguous.add(id)
      if (other === undefined || other.changed < record.changed) records.set(id, record)
    }
  }
  return { records, ambiguous: [...ambiguous] }
}

/** Counts the records that match, except for rejected ones. */
export function countWhere(
  count: NvdCount,
  passes: (record: CountedRecord, id: string) => boolean,
): number {
  let found = 0
  for (const [id, record] of count.records) if (!record.isRejected && passes(record, id)) found += 1
  return found
}

/** Returns the IDs in CISA's catalogue. */
export function countKev(file: string): ReadonlySet<string> {
  const { vulnerabilities } = JSON.parse(readFileSync(file, 'utf8'))
  return new Set(vulnerabilities.map((entry: { cveID: string }) => entry.cveID))
}

/** Returns the EPSS scores by ID. */
export function countEpss(file: string): ReadonlyMap<string, number> {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n')
  return new Map(
    lines
      .map((line) => line.split(';'))
      .filter(([id]) => id?.startsWith('CVE-'))
      .map(([id = '', score]) => [id, Number(score)]),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: the raw files are read as they come
type Raw = any

function countNew(cve: Raw): CountedRecord {
  const has = (key: string) => (cve.metrics?.[key]?.length ?? 0) > 0
  const matches: Raw[] = []
  for (const { nodes } of cve.configurations ?? [])
    for (const node of nodes) collectMatches(node, matches)
  const stated = readReported(cve)
  const named = toNames(matches.map((match) => ({ ...match, name: match.criteria })))
  const isAnalysed = (cve.configurations?.length ?? 0) > 0
  return {
    changed: toMillis(cve.lastModified),
    year: Number(cve.published.slice(0, 4)),
    isRejected: cve.vulnStatus === 'Rejected',
    hasV2: has('cvssMetricV2'),
    hasV3: has('cvssMetricV31') || has('cvssMetricV30'),
    hasV4: has('cvssMetricV40'),
    isExploited: cve.cisaExploitAdd !== undefined,
    vendors: new Set([...named.vendors, ...stated.map(([vendor]) => vendor)]),
    pairs: new Set([...named.pairs, ...stated.map(([vendor, product]) => `${vendor} ${product}`)]),
    products: isAnalysed ? named.products : new Set(stated.map((words) => words.join(' '))),
    hasProduct: isAnalysed ? named.products.size > 0 : stated.length > 0,
    hasConfigurations: isAnalysed,
    content: JSON.stringify(cve),
  }
}

function countOld(item: Raw): CountedRecord {
  const matches: Raw[] = []
  for (const node of item.configurations?.nodes ?? []) collectMatches(node, matches)
  const named = toNames(matches.map((match) => ({ ...match, name: match.cpe23Uri })))
  const text: string = item.cve.description.description_data[0]?.value ?? ''
  return {
    changed: toMillis(item.lastModifiedDate),
    year: Number(item.publishedDate.slice(0, 4)),
    isRejected: /^(?:\*\* REJECT|Rejected reason:)/.test(text),
    hasV2: item.impact?.baseMetricV2 !== undefined,
    hasV3: item.impact?.baseMetricV3 !== undefined,
    hasV4: false,
    isExploited: false,
    ...named,
    hasProduct: named.products.size > 0,
    hasConfigurations: (item.configurations?.nodes?.length ?? 0) > 0,
    content: JSON.stringify(item),
  }
}

function collectMatches(node: Raw, into: Raw[]): void {
  into.push(...(node.cpeMatch ?? node.cpe_match ?? []))
  for (const child of node.children ?? []) collectMatches(child, into)
}

/** Converts `2023-11-07T01:56Z` and `2023-11-07T01:56:50.880` to the same format. */
function toMillis(text: string): string {
  const bare = text.replace('Z', '')
  return bare.length === 16 ? `${bare}:00.000` : bare.padEnd(23, '0')
}

function toNames(matches: readonly Raw[]) {
  const products = new Set<string>()
  const vendors = new Set<string>()
  const pairs = new Set<string>()
  for (const match of matches) {
    if (!match.vulnerable) continue
    const [vendor = '', product = '', version = ''] = splitCpe(match.name).slice(3)
    vendors.add(vendor)
    pairs.add(`${vendor} ${product}`)
    products.add(`${vendor} ${product} ${toVersion(match, version)}`)
  }
  return { products, vendors, pairs }
}

function splitCpe(name: string): string[] {
  return name
    .replace(/\\\\/g, '\u0001')
    .replace(/\\:/g, '\u0002')
    .split(':')
    .map((field) =>
      field.replace(/\\(.)/g, '$1').replaceAll('\u0001', '\\').replaceAll('\u0002', ':'),
    )
}

function toVersion(match: Raw, version: string): string {
  const bounds = [
    match.versionStartIncluding && `>=${match.versionStartIncluding}`,
    match.versionStartExcluding && `>${match.versionStartExcluding}`,
    match.versionEndIncluding && `<=${match.versionEndIncluding}`,
    match.versionEndExcluding && `<${match.versionEndExcluding}`,
  ].filter(Boolean)
  if (bounds.length > 0) return bounds.join(',').replace(/\\(.)/g, '$1')
  return version === '*' || version === '' ? '-' : version
}
