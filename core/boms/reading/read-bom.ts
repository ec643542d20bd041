import { ServiceError } from '../../errors.ts'
import { fromUriReference } from '../../shared/clean-text.ts'
import { parseInstant } from '../../shared/dates.ts'
import { toDisplayName } from '../../shared/display-name.ts'
import { type Bom, type BomInstance, type BomScan, type BomSubject, NO_DECISION } from '../model.ts'
import { readService } from './read-service.ts'
import { readXmlBom } from './read-xml-bom.ts'
import { isMembers, type Members, toItems, toMembers, toTextValue } from './values.ts'

/** The format of a parsed document. */
export type ReadShape = 'project' | 'network' | 'cyclonedx-json' | 'cyclonedx-xml'

/** The BOMs of a document; only an array in the specification's format may contain several. */
export interface ReadBoms {
  readonly shape: ReadShape
  readonly boms: readonly Bom[]
  /**
   * Ignored parts of a CycloneDX document besides services: number of items by member. Components of
   * packages and models that services use are read with their services.
   */
  readonly ignoredParts: Readonly<Record<string, number>>
}

/**
 * Reads a BOM of any producer: in the specification's format (2.9, 2.10, one or an array), or
 * CycloneDX as JSON or XML. Throws a `ServiceError` with code `invalid_description` for other
 * documents.
 *
 * @example
 * ```ts
 * import { readBom } from 'api-discovery/boms'
 *
 * const { shape, boms } = readBom('{ "bomFormat": "CycloneDX", "specVersion": "1.6" }')
 * shape // 'cyclonedx-json'
 * boms.length // 1
 * ```
 */
export function readBom(text: string): ReadBoms {
  if (/^\uFEFF?\s*</.test(text)) {
    const document = readXmlBom(text)
    const boms = [readCycloneDx(document)]
    return { shape: 'cyclonedx-xml', boms, ignoredParts: countIgnoredParts(document) }
  }
  const value = parseBomJson(text, MAX_DEPTH)
  const [first] = Array.isArray(value) ? value : [value]
  const shape = findShape(first)
  if (!shape) {
    throw new ServiceError(
      'invalid_description',
      'Cannot read this BOM: it has neither "bomFormat", nor "scan_details", nor "instances"',
    )
  }
  const read = {
    project: readProjectBom,
    network: readNetworkBom,
    'cyclonedx-json': readCycloneDx,
  }[shape]
  const all = Array.isArray(value) ? value : [value]
  const leftOut = shape === 'cyclonedx-json' ? countIgnoredParts(toMembers(first)) : {}
  return { shape, boms: all.map((each) => read(toMembers(each))), ignoredParts: leftOut }
}

/** Detects the format of a parsed document; undefined if it is not a BOM. */
export function findShape(value: unknown): Exclude<ReadShape, 'cyclonedx-xml'> | undefined {
  if (!isMembers(value)) return undefined
  if (isMembers(value.scan_details)) return 'project'
  if (Array.isArray(value.instances)) return 'network'
  const isCycloneDx = typeof value.bomFormat === 'string' || Array.isArray(value.services)
  return isCycloneDx ? 'cyclonedx-json' : undefined
}

/**
 * Parses JSON. Throws a `ServiceError` with code `invalid_description` for invalid JSON, and for
 * nesting deeper than `maxDepth`, because later processing recurses.
 */
export function parseBomJson(text: string, maxDepth: number): unknown {
  const depth = measureDepth(text)
  if (depth > maxDepth) {
    throw new ServiceError(
      'invalid_description',
      `Cannot read this document: its lists and objects are nested ${depth} levels deep, at most ${maxDepth} are allowed. Flatten nested components or services`,
    )
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ServiceError('invalid_description', `Cannot read this document: ${reason}`)
  }
}

/** Maximum nesting of lists and objects; each nested service takes two levels. */
const MAX_DEPTH = 5000

/** Returns the maximum nesting of brackets outside strings. */
function measureDepth(text: string): number {
  let depth = 0
  let deepest = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isInString) {
      if (character === '\\') at += 1
      else if (character === '"') isInString = false
    } else if (character === '"') {
      isInString = true
    } else if (character === '{' || character === '[') {
      depth += 1
      deepest = Math.max(deepest, depth)
    } else if (character === '}' || character === ']') {
      depth -= 1
    }
  }
  return deepest
}

function countIgnoredParts(document: Members): Readonly<Record<string, number>> {
  // Our own properties of services end with the package URL, or are the name of a model.
  const used = new Set(
    flattenServices(toItems(document.services))
      .flatMap((service) => toItems(toMembers(service).properties))
      .map((property) => toTextValue(toMembers(property).value))
      .flatMap((value) => [value, value.slice(value.lastIndexOf(' ') + 1)]),
  )
  const components = toItems(document.components)
    .map(toMembers)
    .filter(({ purl, name }) => !used.has(toTextValue(purl)) && !used.has(toTextValue(name)))
  const counts = ['vulnerabilities', 'annotations', 'formulation'].map(
    (name) => [name, toItems(document[name]).length] as const,
  )
  const all = [['components', components.length] as const, ...counts]
  return Object.fromEntries(all.filter(([, count]) => count > 0))
}

function readProjectBom(document: Members): Bom {
  const details = toMembers(document.scan_details)
  const createdAt = parseTimestamp(document.datetime_created)
  const subject: BomSubject = {
    kind: 'project',
    id: toTextValue(document.project_id),
    projectName: toTextValue(document.project_name),
    networkName: '',
    createdAt,
  }
  return { subject, scans: [readScan(details, { createdAt, instance: undefined })] }
}

function readNetworkBom(document: Members): Bom {
  const createdAt = parseTimestamp(document.datetime_created)
  const subject: BomSubject = {
    kind: 'network',
    id: toTextValue(document.repo_id),
    projectName: toTextValue(document.project_name),
    networkName: toTextValue(document.network_name),
    createdAt,
  }
  const scans = toItems(document.instances).map((item) => {
    const instance = toMembers(item)
    const details = toMembers(instance.scan_details)
    return readScan(details, { createdAt, instance: readInstance(instance, details) })
  })
  return { subject, scans }
}

function readInstance(instance: Members, details: Members): BomInstance {
  const reviewed = toTextValue(instance.review_status)
  const endedAt = parseTimestamp(details.endTime)
  return {
    id: toTextValue(instance.instance_id),
    nicIp: toTextValue(instance.nic_ip) || toTextValue(details.nicIP),
    nicName: toTextValue(instance.nic_name),
    macAddress: toTextValue(details.macAddress),
    organization: '',
    startedAt: parseTimestamp(details.startTime) ?? parseTimestamp(instance.datetime_analyzed),
    endedAt,
    status: endedAt === undefined ? 'running' : 'complete',
    reviewStatus: reviewed === 'in_progress' || reviewed === 'complete' ? reviewed : 'not_started',
    isApproved: 'not_analyzed',
    decision: NO_DECISION,
  }
}

function readCycloneDx(document: Members): Bom {
  const version = toTextValue(document.specVersion)
  if (version !== '' && !/^1\.[0-7]$/.test(version)) {
    throw new ServiceError(
      'invalid_description',
      `Cannot read this BOM: CycloneDX version "${toDisplayName(version)}" is unknown, versions 1.0 to 1.7 are supported`,
    )
  }
  const metadata = toMembers(document.metadata)
  const component = toMembers(metadata.component)
  const properties = new Map(
    toItems(metadata.properties).map((item) => {
      const { name, value } = toMembers(item)
      return [toTextValue(name), toTextValue(value)]
    }),
  )
  const repository = properties.get('api-discovery:repo_id')
  const createdAt =
    parseTimestamp(properties.get('api-discovery:datetime_created')) ??
    parseTimestamp(metadata.timestamp)
  const kind = repository === undefined ? 'project' : 'network'
  const subject: BomSubject = {
    kind,
    id: repository ?? properties.get('api-discovery:project_id') ?? '',
    projectName: toTextValue(component.name),
    networkName: properties.get('api-discovery:network_name') ?? '',
    createdAt,
  }
  const instance = kind === 'network' ? readOwnInstance(properties, createdAt) : undefined
  return { subject, scans: [readScan(document, { createdAt, instance, toUrl: fromUriReference })] }
}

/**
 * Restores the instance of a CycloneDX document. Scans of several instances are one there, so the
 * first instance represents all.
 */
function readOwnInstance(
  properties: ReadonlyMap<string, string>,
  createdAt: number | undefined,
): BomInstance {
  const prefix = 'api-discovery:instance:'
  const name = [...properties.keys()].find((each) => each.startsWith(prefix)) ?? prefix
  const id = name.slice(prefix.length, name.lastIndexOf(':'))
  const get = (key: string) => properties.get(`${prefix}${id}:${key}`)
  return readInstance(
    {
      instance_id: id,
      nic_ip: get('nic_ip'),
      nic_name: get('nic_name'),
      review_status: get('review_status'),
    },
    {
      macAddress: get('mac_address'),
      startTime: get('start_time') ?? (createdAt === undefined ? '' : toIsoTimestamp(createdAt)),
      endTime: get('end_time'),
    },
  )
}

function readScan(
  details: Members,
  {
    createdAt,
    instance,
    toUrl = (url) => url,
  }: {
    readonly createdAt: number | undefined
    readonly instance: BomInstance | undefined
    readonly toUrl?: (endpoint: string) => string
  },
): BomScan {
  const services = flattenServices(toItems(details.services)).map((each) =>
    readService(each, toUrl),
  )
  return {
    analyzedAt: parseTimestamp(toMembers(details.metadata).timestamp) ?? createdAt,
    instance,
    services: (async function* () {
      yield services
    })(),
  }
}

/** Adds nested services to the same list as those that contain them. */
function flattenServices(services: readonly unknown[], depth = 0): readonly unknown[] {
  if (depth > 20) return []
  return services.flatMap((each) => [
    each,
    ...flattenServices(toItems(toMembers(each).services), depth + 1),
  ])
}

/** Parses a timestamp; offset, fraction and seconds are optional. The default offset is UTC. */
function parseTimestamp(value: unknown): number | undefined {
  return parseInstant(toTextValue(value).trim())
}

function toIsoTimestamp(ms: number): string {
  return new Date(ms).toISOString()
}
