import type { Import } from './sources.ts'

/**
 * Who may import whom: the first row whose `from` fits a file holds for it. `values` may be
 * imported for their values and types, `types` for their types alone. `OWN` is the file's feature.
 */
interface Row {
  readonly from: RegExp
  readonly values: readonly (RegExp | typeof OWN)[]
  readonly types?: readonly RegExp[]
}

const OWN = 'own folder'
const SHARED = /^core\/shared\//
const PROBLEMS = /^core\/http\/problems\.ts$/
const PORTS = /^core\/ports\.ts$/
const VALIBOT = /^valibot$/
/** Scans are kept and looked at: two repositories in one, each with a file of its own. */
const DOMAIN = /^core\/[\w-]+\/(auth-types|records|(usage-)?store)\.ts$/
const OPERATION = /^core\/http\/operation\.ts$/
/** The port of outgoing calls, its error included. */
const EGRESS = /^core\/egress\/egress\.ts$/

/** Which vendor a host belongs to is decided in one place. */
const VENDORS = /^core\/vendors\//

/** What a feature shows to the others beside its types, and why. */
const VOCABULARY = [
  // The fixed list of categories that the specification names.
  /^core\/catalogue\/categories\.ts$/,
  // Vocabularies of the domain: ways to authenticate, placements.
  /^core\/catalogue\/auth-types\.ts$/,
  /^core\/catalogue\/records\.ts$/,
  // The search index is written by the import and read by the search: one format.
  /^core\/catalogue\/search\/postings\.ts$/,
]

const TABLE: readonly Row[] = [
  { from: /^core\/version\.ts$/, values: [] },
  { from: /^core\/shared\/(line|list)-schema\.ts$/, values: [VALIBOT] },
  { from: /^core\/shared\//, values: [SHARED, /^stemmer$/] },
  { from: /^core\/http\/problems\.ts$/, values: [] },
  { from: /^core\/http\/router\.ts$/, values: [OWN, /^itty-router$/], types: [PORTS] },
  { from: /^core\/http\/multipart\.ts$/, values: [OWN, SHARED, /^@remix-run\/multipart-parser$/] },
  { from: /^core\/http\/client-address\.ts$/, values: [OWN, /^ipaddr\.js$/] },
  { from: /^core\/http\//, values: [OWN, SHARED, VALIBOT], types: [PORTS] },
  { from: /^core\/ports\.ts$/, values: [], types: [DOMAIN] },
  { from: /^core\/contract\.ts$/, values: [/^core\/[\w-]+\/operations\.ts$/, OPERATION] },
  {
    from: /^core\/client\.ts$/,
    values: [/^core\/(contract|version)\.ts$/, OPERATION, PROBLEMS],
    types: [/^core\/http\/call-types\.ts$/],
  },
  {
    from: /^core\/openapi\.ts$/,
    values: [
      /^core\/(contract|version)\.ts$/,
      /^core\/http\/base-path\.ts$/,
      OPERATION,
      PROBLEMS,
      /^@valibot\/to-json-schema$/,
    ],
    types: [VALIBOT],
  },
  { from: /^core\/(app|index)\.ts$/, values: [/^core\//] },
  { from: /^core\/(api-discovery|app-options)\.ts$/, values: [], types: [/^core\//] },
  {
    from: /^core\/vendors\//,
    values: [OWN, SHARED, /^tldts$/],
    types: [DOMAIN, /^core\/scans\/project\/packages\/rows\.ts$/],
  },
  { from: /^core\/matching\//, values: [OWN, SHARED, VENDORS], types: [DOMAIN] },
  {
    from: /^core\/boms\/cyclonedx\//,
    values: [OWN, SHARED, PROBLEMS, /^@cyclonedx\/cyclonedx-library$/],
  },
  { from: /^core\/schemas\//, values: [OWN, SHARED, /^openapi-sampler$/], types: [DOMAIN] },
  { from: /^core\/egress\//, values: [OWN, SHARED, PROBLEMS, /^ipaddr\.js$/] },
  {
    from: /^core\/calls\//,
    values: [OWN, SHARED, PROBLEMS],
    types: [DOMAIN, EGRESS, OPERATION],
  },
  {
    from: /^core\/[\w-]+\/records\.ts$/,
    values: [VALIBOT, SHARED, ...VOCABULARY],
    types: [DOMAIN, EGRESS],
  },
  {
    from: /^core\/[\w-]+\/wire\.ts$/,
    values: [OWN, VALIBOT, SHARED, ...VOCABULARY],
    types: [DOMAIN],
  },
  {
    from: /^core\/[\w-]+\/operations\.ts$/,
    values: [
      /^core\/[\w-]+\/(auth-types|records|wire)\.ts$/,
      /^core\/http\/(operation|params)\.ts$/,
      VALIBOT,
    ],
  },
  { from: /^core\/[\w-]+\/(usage-)?store\.ts$/, values: [], types: [DOMAIN, SHARED] },
  {
    // People belong to accounts: their names, ids, scopes and failures are dealt with alike.
    from: /^core\/users\//,
    values: [OWN, SHARED, PROBLEMS, /^core\/accounts\/(failure-limiter|keys|names|scopes)\.ts$/],
    types: [PORTS, DOMAIN],
  },
  {
    // People write policies as they write descriptions: read with the same guards.
    from: /^core\/assessments\/policy\/parse-policy\.ts$/,
    values: [OWN, SHARED, PROBLEMS, VALIBOT, /^core\/imports\/(parse-yaml|limits)\.ts$/],
  },
  {
    from: /^core\/[\w-]+\//,
    values: [
      OWN,
      SHARED,
      PROBLEMS,
      VENDORS,
      /^core\/(matching|schemas|calls|egress)\//,
      ...VOCABULARY,
      /^(valibot|ipaddr\.js|js-yaml|tldts)$/,
    ],
    types: [
      PORTS,
      DOMAIN,
      OPERATION,
      /^core\/http\/message\.ts$/,
      // A port too: what a host's secrets seal.
      /^core\/accounts\/sealer\.ts$/,
    ],
  },
  { from: /^core\//, values: [] },
  {
    from: /^adapters\/runtime\//,
    values: [
      OWN,
      /^core\/http\/(fetch|failure|client-address|problems|request-head)\.ts$/,
      // Who sends long bodies gives their buffers back.
      /^core\/shared\/buffer-pool\.ts$/,
      /^node:/,
    ],
    types: [PORTS, /^core\/http\/message\.ts$/],
  },
  {
    from: /^adapters\/isolate\//,
    values: [OWN, PROBLEMS, /^core\/imports\/parse-description\.ts$/, /^node:/],
    types: [PORTS],
  },
  {
    from: /^adapters\/secret\//,
    values: [OWN, PROBLEMS, /^core\/accounts\/parse-secret\.ts$/, /^node:/],
    types: [/^core\/accounts\/sealer\.ts$/, /^core\/users\/records\.ts$/],
  },
  {
    from: /^adapters\/scanner\//,
    values: [
      OWN,
      PROBLEMS,
      VENDORS,
      /^core\/scans\//,
      /^(ignore|web-tree-sitter|@vscode\/tree-sitter-wasm)/,
      /^node:/,
    ],
    types: [PORTS],
  },
  { from: /^adapters\/geoip\//, values: [OWN, /^mmdb-lib$/, /^node:/], types: [PORTS] },
  { from: /^adapters\/feeds\//, values: [OWN, PROBLEMS, /^node:/] },
  {
    from: /^adapters\/storage\/kysely\/migrations\//,
    values: [/^adapters\/storage\/kysely\/migrations\//, /^kysely$/],
  },
  {
    from: /^adapters\/storage\/kysely\//,
    // A store may say how long a right lasts.
    values: [OWN, SHARED, PROBLEMS, /^core\/[\w-]+\/(usage-)?store\.ts$/, /^kysely$/],
    types: [PORTS, DOMAIN],
  },
  {
    from: /^adapters\/storage\/sqlite/,
    values: [OWN, PROBLEMS, /^kysely$/, /^node:/],
    types: [PORTS],
  },
  {
    from: /^adapters\/storage\/bun-sqlite\.ts$/,
    values: [OWN, PROBLEMS, /^kysely/, /^bun:sqlite$/],
    types: [PORTS],
  },
  {
    from: /^adapters\/storage\/postgres/,
    values: [OWN, PROBLEMS, /^kysely$/, /^pg$/],
    types: [PORTS],
  },
  {
    from: /^adapters\/egress\//,
    // The port, and the error that it fails with.
    values: [
      OWN,
      PROBLEMS,
      /^core\/version\.ts$/,
      /^core\/vulnerabilities\/sync\/get\.ts$/,
      /^core\/shared\/buffer-pool\.ts$/,
      /^core\/egress\//,
      /^node:/,
    ],
  },
  {
    from: /^adapters\/web\//,
    // Pages speak HTTP and HTML by the core's own means, and ask the service for the rest.
    values: [
      OWN,
      SHARED,
      PROBLEMS,
      /^core\/index\.ts$/,
      /^core\/http\/(body|fetch|multipart|query)\.ts$/,
      /^(itty-router|markdown-it)$/,
      /^node:/,
    ],
    types: [/^core\/http\/(message|operation)\.ts$/],
  },
  {
    from: /^adapters\/cli\//,
    values: [
      OWN,
      /^adapters\/web\/console\.ts$/,
      // The version alone: what does no work loads no service.
      /^core\/(index|client|openapi|version|(assessments|scans)\/index)\.ts$/,
      /^adapters\/egress\/index\.ts$/,
      /^adapters\/feeds\/feed-files\.ts$/,
      /^adapters\/runtime\/serve\.ts$/,
      /^adapters\/storage\/(sqlite|bun-sqlite|postgres)\.ts$/,
      /^adapters\/(isolate\/worker-isolate|secret\/secret-file|scanner\/index|geoip\/open-geoip)\.ts$/,
      /^commander$/,
      /^node:/,
    ],
  },
  {
    from: /^examples\//,
    values: [/^api-discovery(\/|$)/, /^examples\//, /^(hono|express|fastify)$/, /^node:/],
  },
]

/** Says what is wrong with an import; undefined when it may stand. */
export function judgeImport(edge: Import): string | undefined {
  const row = TABLE.find(({ from }) => from.test(edge.from))
  if (!row) return `${edge.from} stands where the table of imports has no row`
  const own = ownFolder(edge.from)
  const mayValue = row.values.some((to) =>
    to === OWN ? edge.to.startsWith(own) : to.test(edge.to),
  )
  if (mayValue) return undefined
  const mayType = row.types?.some((to) => to.test(edge.to)) === true
  if (mayType && edge.isType) return undefined
  const what = edge.isType || mayType ? (mayType ? 'values of ' : 'types of ') : ''
  return `${edge.from} may not import ${what}${edge.to}`
}

/** `core/imports/` for everything below it: a feature or an adapter is one folder. */
function ownFolder(path: string): string {
  return `${path.split('/').slice(0, 2).join('/')}/`
}
