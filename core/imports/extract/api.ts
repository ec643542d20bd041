import type { AuthType } from '../../catalogue/auth-types.ts'
import type { ApiDescription, License, Server } from '../../catalogue/records.ts'
import { isObject, toLink, toList, toObject, toText } from '../../schemas/values.ts'
import { foldName, MAX_NAME } from '../../shared/text.ts'
import type { Context } from './context.ts'
import { fillServer } from './servers.ts'

/** Data of an API collected from its operations. */
export interface ApiParts {
  readonly servers: readonly Server[]
  readonly authTypes: readonly AuthType[]
  /** Tag names in order of appearance. */
  readonly tags: readonly string[]
}

/** Describes the API from `info`, `externalDocs` and the data of its operations. */
export function toApiDescription(context: Context, parts: ApiParts): ApiDescription {
  const info = toObject(context.document.info)
  const contact = toObject(info.contact)
  const version = toText(info.version).trim()
  return {
    name: toName(context, parts),
    version,
    majorVersion: toMajorVersion(version),
    description: toText(info.description) || toText(info.summary),
    homepage: toLink(toObject(context.document.externalDocs).url) || toLink(contact.url),
    authTypes: parts.authTypes,
    licenses: toLicenses(info.license),
    servers: parts.servers,
    tags: parts.tags,
    contact: {
      name: toText(contact.name),
      url: toLink(contact.url),
      email: toText(contact.email),
    },
    image: toLink(toObject(info['x-logo']).url) || toLink(info['x-logo']),
  }
}

/** The provider and categories, if common extensions declare them. */
export function toProvider(context: Context): {
  readonly name: string
  readonly categories: readonly string[]
} {
  const info = toObject(context.document.info)
  return {
    name: toText(info['x-providerName']) || toText(context.document['x-providerName']),
    categories: [info['x-category'], ...toList(info['x-apisguru-categories'])]
      .map(toText)
      .filter((name) => name !== ''),
  }
}

/**
 * Leading number of a semver-like version (`v1.2`, `2`, `1.0.0-beta`), as text; empty for dates,
 * years and words. Part of an API's identity (contract 4.6).
 */
export function toMajorVersion(version: string): string {
  const match =
    /^v?\.?\s*(\d{1,3})(?:(?:\.\d+)*(?:[-+_. ]?[a-z].*)?|(?:\.\d+)+[-+_][\w.+-]+)$/i.exec(version)
  return match?.[1] === undefined ? '' : String(Number(match[1]))
}

/** The licence declared by the format or as plain text; at most one. */
export function toLicenses(value: unknown): readonly License[] {
  if (typeof value === 'string' && value.trim() !== '') {
    return [{ name: toLink(value) === '' ? value.trim() : 'License', url: toLink(value) }]
  }
  if (!isObject(value)) return []
  const identifier = toText(value.identifier).trim()
  const name = toText(value.name).trim() || identifier
  const url = toLink(value.url) || toSpdxLink(identifier)
  return name === '' && url === '' ? [] : [{ name: name || 'License', url }]
}

/** The page of the first licence in an SPDX expression; empty if `AND` requires several. */
function toSpdxLink(expression: string): string {
  if (/\sAND\s/i.test(expression)) return ''
  const id = /^\(*([A-Za-z0-9][A-Za-z0-9.+-]*)/.exec(expression)?.[1]
  return id === undefined ? '' : `https://spdx.org/licenses/${id}.html`
}

function toName(context: Context, { servers }: ApiParts): string {
  const title = toText(toObject(context.document.info).title).replace(/\s+/g, ' ').trim()
  if (foldName(title) !== '') return cutName(context, title)
  const server = servers[0]
  const host = server ? /^[a-z]+:\/\/([^/:?#]+)/i.exec(fillServer(server))?.[1] : undefined
  const name = host ?? 'Untitled API'
  context.warn('/info/title', `Missing title; using ${JSON.stringify(name)}`)
  return name
}

/** Truncates a title that is too long to be stored. */
function cutName(context: Context, title: string): string {
  let name = title
  for (let size = MAX_NAME; foldName(name).length > MAX_NAME; size -= 20) {
    name = title
      .slice(0, size)
      .replace(/[\ud800-\udbff]$/, '')
      .trim()
  }
  if (name !== title) {
    context.warn('/info/title', `Truncated from ${title.length} to ${name.length} characters`)
  }
  return name
}
