import type { AuthType } from '../../catalogue/auth-types.ts'
import type { ApiDescription, License, Server } from '../../catalogue/records.ts'
import { asHttpUrl, asList, asObject, asText, isObject } from '../../schemas/values.ts'
import { foldName, MAX_NAME_LENGTH, truncateText } from '../../shared/text.ts'
import type { ExtractionContext } from './context.ts'
import { expandServerUrl } from './servers.ts'

/** Data of an API collected from its operations. */
export interface OperationTotals {
  readonly servers: readonly Server[]
  readonly authTypes: readonly AuthType[]
  /** Tag names in order of appearance. */
  readonly tags: readonly string[]
}

/** Describes the API from `info`, `externalDocs` and the data of its operations. */
export function toApiDescription(
  context: ExtractionContext,
  parts: OperationTotals,
): ApiDescription {
  const info = asObject(context.document.info)
  const contact = asObject(info.contact)
  const version = asText(info.version).trim()
  return {
    kind: context.card ?? 'http',
    name: chooseName(context, parts),
    version,
    majorVersion: parseMajorVersion(version),
    description: asText(info.description) || asText(info.summary),
    homepage: asHttpUrl(asObject(context.document.externalDocs).url) || asHttpUrl(contact.url),
    authTypes: parts.authTypes,
    licenses: toLicenses(info.license),
    servers: parts.servers,
    tags: parts.tags,
    contact: {
      name: asText(contact.name),
      url: asHttpUrl(contact.url),
      email: asText(contact.email),
    },
    image: asHttpUrl(asObject(info['x-logo']).url) || asHttpUrl(info['x-logo']),
  }
}

/** Returns the provider and categories, if common extensions declare them. */
export function readProvider(context: ExtractionContext): {
  readonly name: string
  readonly categories: readonly string[]
} {
  const info = asObject(context.document.info)
  return {
    name: asText(info['x-providerName']) || asText(context.document['x-providerName']),
    categories: [info['x-category'], ...asList(info['x-apisguru-categories'])]
      .map(asText)
      .filter((name) => name !== ''),
  }
}

/**
 * Leading number of a semver-like version (`v1.2`, `2`, `1.0.0-beta`), as text; empty for dates,
 * years and words. Part of an API's identity (contract 4.6).
 */
export function parseMajorVersion(version: string): string {
  const match =
    /^v?\.?\s*(\d{1,3})(?:(?:\.\d+)*(?:[-+_. ]?[a-z].*)?|(?:\.\d+)+[-+_][\w.+-]+)$/i.exec(version)
  return match?.[1] === undefined ? '' : String(Number(match[1]))
}

/** Returns the licence declared by the format or as plain text; at most one. */
export function toLicenses(value: unknown): readonly License[] {
  if (typeof value === 'string' && value.trim() !== '') {
    return [{ name: asHttpUrl(value) === '' ? value.trim() : 'License', url: asHttpUrl(value) }]
  }
  if (!isObject(value)) return []
  const identifier = asText(value.identifier).trim()
  const name = asText(value.name).trim() || identifier
  const url = asHttpUrl(value.url) || toSpdxLink(identifier)
  return name === '' && url === '' ? [] : [{ name: name || 'License', url }]
}

/** Returns the page of the first licence in an SPDX expression; empty if `AND` requires several. */
function toSpdxLink(expression: string): string {
  if (/\sAND\s/i.test(expression)) return ''
  const id = /^\(*([A-Za-z0-9][A-Za-z0-9.+-]*)/.exec(expression)?.[1]
  return id === undefined ? '' : `https://spdx.org/licenses/${id}.html`
}

function chooseName(context: ExtractionContext, { servers }: OperationTotals): string {
  const title = asText(asObject(context.document.info).title).replace(/\s+/g, ' ').trim()
  if (foldName(title) !== '') return truncateName(context, title)
  const server = servers[0]
  const host = server ? /^[a-z]+:\/\/([^/:?#]+)/i.exec(expandServerUrl(server))?.[1] : undefined
  const name = host ?? 'Untitled API'
  context.warn('/info/title', `Missing title; using ${JSON.stringify(name)}`)
  return name
}

/** Truncates a title that is too long to be stored. */
function truncateName(context: ExtractionContext, title: string): string {
  let name = title
  for (let size = MAX_NAME_LENGTH; foldName(name).length > MAX_NAME_LENGTH; size -= 20) {
    name = truncateText(title, size).trim()
  }
  if (name !== title) {
    context.warn('/info/title', `Truncated from ${title.length} to ${name.length} characters`)
  }
  return name
}
