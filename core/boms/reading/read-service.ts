import type { Approval, CodeLocation } from '../../scans/records.ts'
import { fromUriReference, toUriReference } from '../../shared/clean-text.ts'
import { parseInstant } from '../../shared/dates.ts'
import { parseUrlHost } from '../../shared/urls.ts'
import { parseAgreementComment } from '../agreements.ts'
import { joinAi } from '../ai.ts'
import { describeHost } from '../build-bom.ts'
import { type BomCapture, type BomEndpoint, type BomService, NO_DECISION } from '../model.ts'
import {
  type Members,
  parseApproval,
  parseBoolean,
  toItems,
  toJoinedText,
  toMembers,
  toTextList,
  toTextValue,
} from './values.ts'

/**
 * Reads a service in the format of Specification 2.9 or 2.10, or of CycloneDX from any producer.
 * Missing values and values of the wrong type are treated as unknown. `toUrl` converts an endpoint
 * to its URL.
 */
export function readService(value: unknown, toUrl: (endpoint: string) => string): BomService {
  const service = toMembers(value)
  const provider = toMembers(service.provider)
  const captures = readCaptures(service)
  const name = toTextValue(service.name) || 'unknown'
  const endpoints = readEndpoints(service, toUrl)
  const host = name === 'unknown' ? (captures[0]?.ip ?? '') : name
  const isMatched = isMatchedService(service, endpoints)
  const unmatched = describeHost(host)
  const version = toTextValue(service.version)
  const vendor = toTextValue(provider.name)
  const ref = isMatched ? `service:${vendor}/${name}@${version}` : unmatched.ref
  return {
    ...unmatched,
    ref: toTextValue(service['bom-ref']) || ref,
    name: isMatched ? name : unmatched.name,
    isMatched,
    provider: {
      name: vendor || (isMatched ? '' : unmatched.provider.name),
      urls: toTextList(provider.url),
    },
    group: toTextValue(service.group) || (isMatched ? '' : unmatched.group),
    version,
    description: toJoinedText(service.description),
    isAuthenticated: parseBoolean(service.authenticated),
    references: readReferences(service.externalReferences),
    licenses: [
      ...readLicenses(service.licenses),
      ...readOtherAgreements(service.externalReferences),
    ],
    ...readAi(service.properties),
    endpoints,
    captures,
  }
}

/** Reads the types and models of an AI service from our own properties. */
function readAi(properties: unknown): Pick<BomService, 'kinds' | 'models'> {
  const known = toItems(properties).map(toMembers)
  const find = (name: string) =>
    known.flatMap((each) => (each.name === name ? [toTextValue(each.value)] : []))
  return joinAi([{ kinds: find('api-discovery:kind'), models: find('api-discovery:model') }])
}

/**
 * True if our own property says so. Without it, a service is matched unless only its host is known.
 */
function isMatchedService(service: Members, endpoints: readonly BomEndpoint[]): boolean {
  const known = toItems(service.properties)
    .map(toMembers)
    .find(({ name }) => name === 'api-discovery:matched')
  if (known) return known.value === 'true'
  const name = toTextValue(service.name)
  if (name === 'unknown' || name === '') return false
  return !endpoints.some(({ url }) => parseUrlHost(url) === name.toLowerCase())
}

function readReferences(value: unknown): BomService['references'] {
  const found = toItems(value).flatMap((item): BomService['references'] => {
    const { type, url, comment } = toMembers(item)
    const text = toTextValue(url)
    if (text === '') return []
    if (type === 'license' || parseAgreementComment(toTextValue(comment)) !== undefined)
      return [{ type: 'license' as const, url: text }]
    if (type === 'url' || type === 'website') return [{ type: 'url' as const, url: text }]
    return [{ type: 'documentation' as const, url: text }]
  })
  // Several agreements on one page share a reference.
  return [...new Map(found.map((one) => [`${one.type} ${one.url}`, one])).values()]
}

/**
 * Reads `{ name, url }`, and CycloneDX's `{ license: { id | name, url } }` and `{ expression }`.
 */
function readLicenses(value: unknown): BomService['licenses'] {
  return toItems(value).flatMap((item) => {
    const choice = toMembers(item)
    const license = choice.license === undefined ? choice : toMembers(choice.license)
    const name = toTextValue(license.id) || toTextValue(license.name)
    const shown = name || toTextValue(choice.expression)
    const url = toTextValue(license.url)
    return shown === '' && url === '' ? [] : [{ name: shown || url, url }]
  })
}

/** Reads agreements that CycloneDX lists as external references because they are not licences. */
function readOtherAgreements(value: unknown): BomService['licenses'] {
  return toItems(value).flatMap((item) => {
    const { url, comment } = toMembers(item)
    const name = parseAgreementComment(toTextValue(comment))
    return name === undefined ? [] : [{ name, url: toTextValue(url) }]
  })
}

const APPROVAL_SUFFIX = ' approval status'
const FOUND_SUFFIX = ' found in file'

function readEndpoints(
  service: Members,
  toUrl: (endpoint: string) => string,
): readonly BomEndpoint[] {
  const properties = toItems(service.properties).map((item) => {
    const { name, value } = toMembers(item)
    return { name: toTextValue(name), value: toTextValue(value) }
  })
  const own = readEndpointProperties(properties)
  const urls = new Set(toTextList(service.endpoints).map(toUrl))
  const approvals = new Map<string, Approval>()
  const locations = new Map<string, CodeLocation[]>()
  for (const { name, value } of properties) {
    if (name.endsWith(APPROVAL_SUFFIX)) {
      const url = name.slice(0, -APPROVAL_SUFFIX.length)
      approvals.set(url, parseApproval(value))
      urls.add(url)
    } else if (name.endsWith(FOUND_SUFFIX)) {
      const url = name.slice(0, -FOUND_SUFFIX.length)
      const known = locations.get(url)
      if (known) known.push({ file: value })
      else locations.set(url, [{ file: value }])
      urls.add(url)
    }
  }
  for (const { url } of own) urls.delete(toUrl(toUriReference(url)))
  const plain = [...urls].map((url) => ({
    url,
    method: '',
    approval: approvals.get(url) ?? 'unreviewed',
    reason: '',
    decision: NO_DECISION,
    foundIn: locations.get(url) ?? [],
    packages: [],
    confidence: undefined,
  }))
  return [...own, ...plain]
}

/**
 * Reads `capturedIPs` of Specification 2.10, or our property, which has the first and last time of
 * each address.
 */
function readCaptures(service: Members): readonly BomCapture[] {
  const listed = toItems(service.capturedIPs).map((item): BomCapture => {
    const { ip, direction, timestamp } = toMembers(item)
    return {
      ip: toTextValue(ip),
      port: undefined,
      direction: direction === 'Incoming' ? 'Incoming' : 'Outgoing',
      at: parseInstant(toTextValue(timestamp)) ?? 0,
    }
  })
  const own = toItems(service.properties).flatMap((item): readonly BomCapture[] => {
    const { name, value } = toMembers(item)
    const match = name === 'api-discovery:capture' ? CAPTURE.exec(toTextValue(value)) : undefined
    if (!match) return []
    const [, address = '', port, direction, first = '', last = ''] = match
    const ip = address === '-' ? '' : address.replace(/^\[(.*)\]$/, '$1')
    const instants = new Set([first, last].map((text) => parseInstant(text) ?? 0))
    return [...instants].map((at) => ({
      ip,
      port: port === undefined ? undefined : Number(port),
      direction: direction === 'Incoming' ? ('Incoming' as const) : ('Outgoing' as const),
      at,
    }))
  })
  return [...listed, ...own]
}

const CAPTURE = /^(\[[^\]]*\]|[^\s:]+)(?::(\d{1,5}))? (Outgoing|Incoming) (\S+) (\S+) \d+$/

const PROPERTY_NAME =
  /^api-discovery:endpoint:(approval|url|confidence|package|lowest_package|found_in)$/
const PROPERTY_VALUE = /^(\S+) (\S+) (.*)$/s
const LOCATION = /^(.*?)(?::(\d+))?(?::(\d+))?$/s

/** Reads the endpoints from our own properties of a CycloneDX service, in order of appearance. */
function readEndpointProperties(
  properties: readonly { readonly name: string; readonly value: string }[],
): readonly BomEndpoint[] {
  /** By method and reference. */
  const found = new Map<string, ReturnType<typeof createEndpointBuilder>>()
  for (const { name, value } of properties) {
    const what = PROPERTY_NAME.exec(name)?.[1]
    const [, shownMethod = '', url = '', text = ''] = (what && PROPERTY_VALUE.exec(value)) || []
    if (url === '') continue
    const method = shownMethod === '-' ? '' : shownMethod
    const key = `${method} ${url}`
    const known = found.get(key) ?? createEndpointBuilder(fromUriReference(url), method)
    found.set(key, known)
    if (what === 'found_in') known.foundIn.push(parseLocation(text))
    else if (what === 'approval') found.set(key, { ...known, approval: parseApproval(text) })
    else if (what === 'url') found.set(key, { ...known, url: text })
    else if (what === 'package') known.packages.push(text)
    else if (what === 'lowest_package')
      found.set(key, { ...known, lowestPackages: [...(known.lowestPackages ?? []), text] })
    else if (Number.isFinite(Number(text))) found.set(key, { ...known, confidence: Number(text) })
  }
  return [...found.values()]
}

function createEndpointBuilder(
  url: string,
  method: string,
): BomEndpoint & { readonly foundIn: CodeLocation[]; readonly packages: string[] } {
  return {
    url,
    method,
    approval: 'unreviewed' as const,
    reason: '',
    decision: NO_DECISION,
    foundIn: [],
    packages: [],
    confidence: undefined,
  }
}

function parseLocation(text: string): CodeLocation {
  const [, file = '', line, column] = LOCATION.exec(text) ?? []
  return {
    file,
    line: line === undefined ? undefined : Number(line),
    column: column === undefined ? undefined : Number(column),
  }
}
