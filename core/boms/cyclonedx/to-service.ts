import { Enums, Models, SPDX } from '@cyclonedx/cyclonedx-library'
import {
  cleanLine,
  cleanText,
  fromUriReference,
  removeUserInfo,
  toBracketFreeReference,
  toUriReference,
} from '../../shared/clean-text.ts'
import type { SteppedWork } from '../../shared/time-slices.ts'
import { formatAgreementComment, isLicense } from '../agreements.ts'
import type { CollectedService } from '../collect-bom.ts'
import type { BomCapture, BomEndpoint, BomReference } from '../model.ts'
import { type DataFlow, DetailedService } from './models.ts'

/** Prefix of our property names (CycloneDX property taxonomy). */
export const NAMESPACE = 'api-discovery:'

const REFERENCE_TYPES = {
  url: Enums.ExternalReferenceType.Website,
  license: Enums.ExternalReferenceType.License,
  documentation: Enums.ExternalReferenceType.Documentation,
} as const satisfies Record<BomReference['type'], Enums.ExternalReferenceType>

const OTHER = Enums.ExternalReferenceType.Other

const READ_METHODS = new Set(['get', 'head', 'options'])

/**
 * Converts a service to CycloneDX in time slices, as one service may have all usages of a scan.
 * Sanitises third-party texts, so that none can make the document invalid.
 */
export function* toCycloneDxService(service: CollectedService): SteppedWork<DetailedService> {
  const { provider } = service
  const made = new DetailedService(cleanLine(service.name), {
    bomRef: escapeReference(service.ref),
    provider: new Models.OrganizationalEntity({
      name: cleanLine(provider.name),
      url: new Set(provider.urls.map(toBracketFreeReference)),
    }),
  })
  if (service.group !== '') made.group = cleanLine(service.group)
  if (service.version !== '') made.version = cleanLine(service.version)
  if (service.description !== '') made.description = cleanLine(service.description)
  const urls = new Set<string>()
  for (const { url } of service.endpoints) {
    urls.add(toUriReference(url))
    yield
  }
  made.endpoints = [...urls]
  made.authenticated = service.isAuthenticated
  made.crossesTrustBoundary = true
  made.data = [inferDataFlow(service)]
  /** By URL: several agreements may be on one page. */
  const terms = new Map<string, Set<string>>()
  for (const license of service.licenses) {
    const { name, url } = license
    if (isLicense(license)) made.licenses.add(toCycloneDxLicense(name, url))
    else if (url !== '')
      terms.set(url, (terms.get(url) ?? new Set()).add(formatAgreementComment(license)))
  }
  const add = (url: string, type: Enums.ExternalReferenceType, comment?: string) => {
    const more = comment === undefined ? {} : { comment: cleanLine(comment) }
    made.externalReferences.add(
      new Models.ExternalReference(toBracketFreeReference(url), type, more),
    )
  }
  const addTerms = (url: string, comments: ReadonlySet<string>) => {
    for (const comment of comments) add(url, OTHER, comment)
    terms.delete(url)
  }
  for (const { type, url } of service.references) {
    const comments = type === 'license' ? terms.get(url) : undefined
    if (comments) addTerms(url, comments)
    else add(url, REFERENCE_TYPES[type])
  }
  for (const [url, comments] of terms) addTerms(url, comments)
  for (const [name, value] of listProperties(service)) {
    made.properties.add(new Models.Property(`${NAMESPACE}${name}`, cleanText(value)))
    yield
  }
  return made
}

/** Escapes a reference to printable ASCII. Distinct references stay distinct. */
export function escapeReference(ref: string): string {
  return ref.replace(/[^!-$&-~]/g, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function toCycloneDxLicense(name: string, url: string): Models.DisjunctiveLicense {
  const more = url === '' ? {} : { url: toBracketFreeReference(url) }
  return SPDX.isSupportedSpdxId(name)
    ? new Models.SpdxLicense(name, more)
    : new Models.NamedLicense(cleanLine(name) || 'unnamed', more)
}

/**
 * Returns the direction of data relative to the service: written data is inbound, read data
 * outbound. For traffic without visible methods, the direction of the connection decides.
 */
function inferDataFlow({ endpoints, captures }: CollectedService): DataFlow {
  const methods = endpoints.map(({ method }) => method)
  const directions = new Set(captures.map(({ direction }) => direction))
  return { flow: toFlow(), classification: 'unclassified', name: 'API calls' }

  function toFlow(): DataFlow['flow'] {
    if (methods.length > 0 && methods.every((method) => method !== '')) {
      const reads = methods.some((method) => READ_METHODS.has(method))
      const writes = methods.some((method) => !READ_METHODS.has(method))
      return reads && writes ? 'bi-directional' : reads ? 'outbound' : 'inbound'
    }
    if (directions.size === 0) return 'unknown'
    if (directions.size > 1) return 'bi-directional'
    return directions.has('Outgoing') ? 'inbound' : 'outbound'
  }
}

function* listProperties(service: CollectedService): Iterable<readonly [string, string]> {
  yield ['matched', String(service.isMatched)]
  for (const kind of service.kinds ?? []) yield ['kind', kind]
  for (const model of service.models ?? []) yield ['model', model]
  for (const endpoint of service.endpoints) {
    const name = formatEndpoint(endpoint)
    yield ['endpoint:approval', `${name} ${endpoint.approval}`]
    const url = cleanLine(removeUserInfo(endpoint.url))
    if (fromUriReference(toUriReference(url)) !== url) yield ['endpoint:url', `${name} ${url}`]
    if (endpoint.confidence !== undefined) {
      yield ['endpoint:confidence', `${name} ${endpoint.confidence}`]
    }
    for (const library of endpoint.packages) yield ['endpoint:package', `${name} ${library}`]
    for (const library of endpoint.lowestPackages ?? []) {
      yield ['endpoint:lowest_package', `${name} ${library}`]
    }
    for (const { file, line, column } of endpoint.foundIn) {
      const location = [file, line, line === undefined ? undefined : column]
      const text = location.filter((part) => part !== undefined).join(':')
      yield ['endpoint:found_in', `${name} ${text}`]
    }
  }
  for (const text of formatCaptures(service.captures)) yield ['capture', text]
  if (service.vulnerabilityCount > service.vulnerabilities.length) {
    yield ['vulnerabilities:known', String(service.vulnerabilityCount)]
  }
}

/** Formats method and URL, separated by a space; a hyphen replaces an unknown method. */
export function formatEndpoint({ method, url }: Pick<BomEndpoint, 'method' | 'url'>): string {
  return `${cleanLine(method).replaceAll(' ', '') || '-'} ${toUriReference(url)}`
}

/**
 * Formats captures: per address and direction, the first and last time and the number of
 * connections.
 */
function formatCaptures(captures: readonly BomCapture[]): Iterable<string> {
  const found = new Map<string, { first: number; last: number; count: number }>()
  for (const { ip, port, direction, at } of captures) {
    const host = ip.includes(':') ? `[${ip}]` : ip || '-'
    const key = `${host}${port === undefined ? '' : `:${port}`} ${direction}`
    const known = found.get(key)
    found.set(key, {
      first: Math.min(known?.first ?? at, at),
      last: Math.max(known?.last ?? at, at),
      count: (known?.count ?? 0) + 1,
    })
  }
  return [...found].map(
    ([key, { first, last, count }]) =>
      `${key} ${new Date(first).toISOString()} ${new Date(last).toISOString()} ${count}`,
  )
}
