import { dump } from 'js-yaml'
import type { AgreementLink, Api } from '../catalogue/records.ts'
import type { ApiFacts } from '../catalogue/store.ts'
import type { ApiSource } from '../imports/store.ts'
import type { StoredScan } from '../scans/store.ts'
import { toShortId } from '../shared/ids.ts'
import { foldName, truncateText } from '../shared/text.ts'
import { isHttpUrl } from '../shared/urls.ts'
import { toServerUrl } from './apis-json.ts'
import { hasDescription, toDescriptionUrl, toSlug } from './entries.ts'

/** Options of Backstage entities. */
export interface BackstageOptions {
  /** Reference to the owner of all entities, such as `group:default/platform`. */
  readonly owner: string
  /**
   * Address of the HTTP API, such as `https://tools.example/api`: definitions are then references to
   * it. Otherwise they are the texts of the descriptions.
   */
  readonly baseUrl?: string | undefined
}

const API_VERSION = 'backstage.io/v1alpha1'
const MAX_NAME = 63
const MAX_TAG = 63
const MAX_LINKS = 20

/** Builds the entity of an API. */
export function toApiEntity(
  described: {
    readonly api: Api
    readonly agreements: readonly AgreementLink[]
    readonly facts: Pick<ApiFacts, 'endpoints' | 'deprecated'> | undefined
    /** Absent without a stored description, and for references. */
    readonly source: ApiSource | undefined
  },
  { owner, baseUrl }: BackstageOptions,
) {
  const { api, agreements, facts, source } = described
  const isDeprecated =
    facts !== undefined && facts.endpoints > 0 && facts.deprecated === facts.endpoints
  const home = { link: api.homepage || api.vendor.homepage, name: 'Homepage' }
  const links = [home, ...agreements].filter(({ link }) => isHttpUrl(link))
  // The first server is that of the current transport.
  const server = api.servers.map(toServerUrl).find(isHttpUrl)
  return {
    apiVersion: API_VERSION,
    kind: 'API',
    metadata: {
      name: toApiName(api),
      title: api.name,
      ...toOptional('description', truncateText(api.description.trim(), 1000)),
      annotations: {
        'api-discovery/api-id': api.encryptedId,
        'api-discovery/vendor': api.vendor.name,
      },
      tags: toTags(api.tags),
      links: links.slice(0, MAX_LINKS).map(({ link, name }) => ({ url: link, title: name })),
    },
    spec: {
      type: ENTITY_TYPES[api.kind],
      lifecycle: isDeprecated ? 'deprecated' : 'production',
      owner,
      ...(api.kind === 'mcp' && server !== undefined
        ? { remotes: [{ type: 'streamable-http', url: server }] }
        : {}),
      definition:
        baseUrl !== undefined && hasDescription(api)
          ? { $text: toDescriptionUrl(api, baseUrl) }
          : source
            ? new TextDecoder().decode(source.bytes)
            : writeStub(api),
    },
  }
}

const ENTITY_TYPES = { http: 'openapi', mcp: 'mcp-server', a2a: 'a2a' } as const

/** A definition is required: an API that is known by name only gets one without endpoints. */
function writeStub({ name, version }: Api): string {
  const info = { title: name, version: version || '0' }
  return JSON.stringify({ openapi: '3.1.0', info, paths: {} })
}

/** Builds the entity of a scanned project with the catalogued APIs that it uses. */
export function toComponentEntity(project: {
  readonly scan: StoredScan
  readonly apis: readonly Api[]
  readonly owner: string
}) {
  const { scan, apis, owner } = project
  return {
    apiVersion: API_VERSION,
    kind: 'Component',
    metadata: {
      name: toComponentName(scan.projectName),
      title: scan.projectName,
      annotations: { 'api-discovery/project-id': scan.id },
    },
    spec: {
      type: 'service',
      lifecycle: 'production',
      owner,
      consumesApis: apis.map(toApiName),
    },
  }
}

/** Builds a unique name that does not change when other APIs are added. */
function toApiName({ name, encryptedId }: Api): string {
  const slug = toSlug(name, 'api').slice(0, MAX_NAME - 1 - encryptedId.length)
  return `${slug.replace(/-$/, '')}.${encryptedId}`
}

/** Returns a project's name if Backstage accepts it; else a similar one with a hash. */
function toComponentName(name: string): string {
  const slug = toSlug(name, 'project')
  return slug === name
    ? name
    : `${slug.slice(0, 54).replace(/-$/, '')}.${toShortId(foldName(name))}`
}

/** Converts tags to lower-case words of letters, digits, `+` and `#`, joined by hyphens. */
function toTags(tags: readonly string[]): readonly string[] {
  const words = tags.map((tag) => (foldName(tag).match(/[a-z\d+#]+/g) ?? []).join('-'))
  return [...new Set(words)].filter((tag) => tag !== '' && tag.length <= MAX_TAG).slice(0, 20)
}

function toOptional<Name extends string>(name: Name, value: string) {
  return value === '' ? {} : { [name]: value }
}

/** Writes one YAML document of a stream. */
export function writeYamlDocument(value: unknown): string {
  return `---\n${dump(value, { lineWidth: -1, noRefs: true })}`
}
