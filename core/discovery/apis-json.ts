import type { AgreementLink, Api } from '../catalogue/records.ts'
import type { ApiFacts } from '../catalogue/store.ts'
import { AGREEMENT_KINDS } from '../shared/agreement-kinds.ts'
import { isHttpUrl } from '../shared/urls.ts'
import { findPublisher, hasDescription, toDescriptionUrl, toSlug } from './entries.ts'

/** Options of an APIs.json file. */
export interface ApisJsonOptions {
  /** Address at which the file will be published. */
  readonly url: string
  /** Name of the collection; default `API catalogue`. */
  readonly name?: string | undefined
  /** Address of the HTTP API, such as `https://tools.example/api`, for links to descriptions. */
  readonly baseUrl?: string | undefined
}

const DEFAULT_NAME = 'API catalogue'

/** Builds the members of the file before its APIs. */
export function toApisJsonHead(
  { url, name = DEFAULT_NAME }: ApisJsonOptions,
  { facts, now }: { readonly facts: readonly ApiFacts[]; readonly now: number },
) {
  const created = facts.reduce((first, { createdAt }) => Math.min(first, createdAt), now)
  return {
    aid: `${new URL(url).hostname}:${toSlug(name, 'apis')}`,
    name,
    description: 'Third-party APIs in the catalogue of api-discovery.',
    type: 'Collection',
    url,
    created: toDay(created),
    modified: toDay(now),
    specificationVersion: '0.17',
    tags: [],
    maintainers: [{ FN: name }],
  }
}

/** Builds an API of the file. Agreements of other types than APIs.json reserves are omitted. */
export function toApisJsonEntry(
  { api, agreements }: { readonly api: Api; readonly agreements: readonly AgreementLink[] },
  { baseUrl }: Pick<ApisJsonOptions, 'baseUrl'>,
) {
  const { name, description, image, version, tags, vendor, contact } = api
  const humanUrl = [api.homepage, vendor.homepage].find(isHttpUrl)
  const baseURL = api.servers.map(toServerUrl).find(isHttpUrl)
  return {
    aid: `${findPublisher(api)}:${toSlug(name, 'api')}.${api.encryptedId}`,
    name,
    description: description || name,
    ...(isHttpUrl(image) ? { image } : {}),
    ...(humanUrl === undefined ? {} : { humanURL: humanUrl }),
    ...(baseURL === undefined ? {} : { baseURL }),
    ...(version === '' ? {} : { version }),
    tags,
    properties: [
      ...(baseUrl !== undefined && hasDescription(api)
        ? [{ type: DESCRIPTION_TYPES[api.kind], url: toDescriptionUrl(api, baseUrl) }]
        : []),
      ...agreements
        .filter(({ kind }) => AGREEMENT_KINDS.includes(kind))
        .map(({ kind, name: title, link }) => ({ type: kind, name: title, url: link })),
    ],
    contact: [
      {
        FN: contact.name || vendor.name,
        ...(contact.email === '' ? {} : { email: contact.email }),
        ...(isHttpUrl(contact.url) ? { url: contact.url } : {}),
      },
    ],
  }
}

/** Property types of descriptions. APIs.json reserves only the first. */
const DESCRIPTION_TYPES = { http: 'OpenAPI', mcp: 'MCPServerCard', a2a: 'A2AAgentCard' } as const

/** Inserts the defaults of the variables of a server. */
export function toServerUrl({ url, variables }: Api['servers'][number]): string {
  return variables.reduce((text, each) => text.replaceAll(`{${each.name}}`, each.default), url)
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
