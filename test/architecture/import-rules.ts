import type { Import } from './sources.ts'

/**
 * Defines which files may import which: the first row whose `from` matches a file applies. Files
 * that match `values` may be imported for values and types, `types` only for types. `OWN` stands
 * for the folder of the feature or adapter.
 */
interface Row {
  readonly from: RegExp
  readonly values: readonly (RegExp | typeof OWN)[]
  readonly types?: readonly RegExp[]
}

const OWN = 'own folder'
const SHARED = /^core\/shared\//
const ERRORS = /^core\/errors\.ts$/
/** The core's entry points, on which the console and the command line are built. */
const ENTRY_POINTS = /^core\/((client|contract|index|openapi|storage)|[\w-]+\/index)\.ts$/
/** Statuses and titles of error codes in HTTP responses. */
const PROBLEMS = /^core\/http\/problems\.ts$/
/** Interfaces that a host implements, with their errors. */
const PORTS = /^core\/ports\//
const VALIBOT = /^valibot$/
/** Domain types and repositories. Scans have two repositories, each in its own file. */
const DOMAIN = /^core\/[\w-]+\/(api-kinds|auth-types|endpoint-fields|records|(usage-)?store)\.ts$/
const OPERATION = /^core\/http\/operation\.ts$/

/** The vendor of a host is determined in one place only. */
const VENDORS = /^core\/vendors\//

/** Values that features may import from other features, with the reason. */
const VOCABULARY = [
  // The fixed list of categories in the specification.
  /^core\/catalogue\/categories\.ts$/,
  // Enumerations of the domain: kinds of APIs, types of authentication, placements.
  /^core\/catalogue\/(api-kinds|auth-types)\.ts$/,
  /^core\/catalogue\/records\.ts$/,
  // Roles of usages in a scanned project.
  /^core\/code-scanner\/model\/finding\.ts$/,
  // Imports write the search index, and searches read it in the same format.
  /^core\/catalogue\/search\/postings\.ts$/,
]

const TABLE: readonly Row[] = [
  { from: /^core\/(errors|version)\.ts$/, values: [] },
  { from: /^core\/shared\/(line-schema|list-schema|issue-text)\.ts$/, values: [VALIBOT] },
  { from: /^core\/shared\//, values: [SHARED, /^(stemmer|packageurl-js)$/] },
  { from: /^core\/http\/problems\.ts$/, values: [], types: [ERRORS] },
  { from: /^core\/http\/router\.ts$/, values: [OWN, /^itty-router$/], types: [PORTS] },
  {
    from: /^core\/http\/multipart\.ts$/,
    values: [OWN, ERRORS, SHARED, /^@remix-run\/multipart-parser$/],
  },
  { from: /^core\/http\/client-address\.ts$/, values: [OWN, /^ipaddr\.js$/] },
  { from: /^core\/http\//, values: [OWN, ERRORS, SHARED, VALIBOT], types: [PORTS] },
  { from: /^core\/ports\//, values: [OWN, SHARED, ERRORS], types: [DOMAIN] },
  {
    from: /^core\/contract\.ts$/,
    values: [/^core\/[\w-]+\/operations\.ts$/, OPERATION],
    types: [/^core\/http\/call-types\.ts$/],
  },
  {
    from: /^core\/client\.ts$/,
    values: [/^core\/(contract|version)\.ts$/, OPERATION],
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
  { from: /^core\/(app|index|storage|[\w-]+\/index)\.ts$/, values: [/^core\//] },
  { from: /^core\/(api-discovery|app-options)\.ts$/, values: [], types: [/^core\//] },
  {
    from: /^core\/vendors\//,
    values: [OWN, SHARED, /^tldts$/],
    types: [DOMAIN, /^core\/code-scanner\/packages\/rows\.ts$/],
  },
  {
    // Project files are read with limits, as descriptions are.
    from: /^core\/code-scanner\/clients\/project-file\.ts$/,
    values: [OWN, ERRORS, SHARED, VALIBOT, /^core\/imports\/(parse-yaml|limits)\.ts$/],
    types: [DOMAIN, VENDORS],
  },
  {
    from: /^core\/code-scanner\//,
    values: [OWN, SHARED, ERRORS, VENDORS, /^core\/matching\//, /^(valibot|js-yaml|tldts)$/],
    types: [DOMAIN],
  },
  {
    from: /^core\/traffic\//,
    values: [OWN, SHARED, ERRORS, VENDORS, /^core\/matching\//, /^(ipaddr\.js|tldts)$/],
    types: [DOMAIN],
  },
  { from: /^core\/matching\//, values: [OWN, SHARED, VENDORS], types: [DOMAIN] },
  {
    from: /^core\/vulnerabilities\/version-schemes\.ts$/,
    values: [/^semver\//, /^@renovatebot\//],
  },
  {
    from: /^core\/boms\/cyclonedx\//,
    values: [OWN, SHARED, ERRORS, /^@cyclonedx\/cyclonedx-library$/],
  },
  { from: /^core\/schemas\//, values: [OWN, SHARED, /^openapi-sampler$/], types: [DOMAIN] },
  { from: /^core\/egress\//, values: [OWN, SHARED, ERRORS, PORTS, /^ipaddr\.js$/] },
  {
    from: /^core\/calls\//,
    values: [OWN, SHARED, ERRORS],
    types: [DOMAIN, OPERATION, PORTS],
  },
  {
    from: /^core\/[\w-]+\/(endpoint-fields|records)\.ts$/,
    values: [VALIBOT, SHARED, ...VOCABULARY],
    types: [DOMAIN, PORTS],
  },
  {
    from: /^core\/[\w-]+\/wire\.ts$/,
    values: [OWN, VALIBOT, SHARED, ...VOCABULARY],
    types: [DOMAIN],
  },
  {
    from: /^core\/[\w-]+\/operations\.ts$/,
    values: [
      /^core\/[\w-]+\/(api-kinds|auth-types|records|wire)\.ts$/,
      /^core\/http\/(operation|params)\.ts$/,
      VALIBOT,
    ],
  },
  { from: /^core\/[\w-]+\/(usage-)?store\.ts$/, values: [], types: [DOMAIN, SHARED] },
  {
    // Users belong to accounts and share their rules for names, IDs, scopes and failures.
    from: /^core\/users\//,
    values: [OWN, SHARED, ERRORS, /^core\/accounts\/(failure-limiter|keys|names|scopes)\.ts$/],
    types: [PORTS, DOMAIN],
  },
  {
    // Policies are read with the same limits as descriptions.
    from: /^core\/assessments\/policy\/parse-policy\.ts$/,
    values: [OWN, SHARED, ERRORS, VALIBOT, /^core\/imports\/(parse-yaml|limits)\.ts$/],
  },
  {
    from: /^core\/[\w-]+\//,
    values: [
      OWN,
      SHARED,
      ERRORS,
      PROBLEMS,
      PORTS,
      VENDORS,
      /^core\/(code-scanner|traffic|matching|schemas|calls|egress)\//,
      ...VOCABULARY,
      /^(valibot|ipaddr\.js|js-yaml|tldts)$/,
    ],
    types: [DOMAIN, OPERATION, /^core\/http\/message\.ts$/],
  },
  { from: /^core\//, values: [] },
  {
    from: /^adapters\/runtime\//,
    values: [
      OWN,
      ERRORS,
      /^core\/http\/(fetch|failure|client-address|request-head)\.ts$/,
      // Adapters that send long bodies release their buffers to the pool.
      /^core\/shared\/buffer-pool\.ts$/,
      /^node:/,
    ],
    types: [PORTS, /^core\/http\/message\.ts$/],
  },
  {
    from: /^adapters\/isolate\//,
    values: [OWN, ERRORS, SHARED, /^core\/imports\/parse-description\.ts$/, /^node:/],
    types: [PORTS],
  },
  {
    from: /^adapters\/secret\//,
    values: [OWN, ERRORS, /^core\/accounts\/parse-secret\.ts$/, /^node:/],
    types: [PORTS, /^core\/accounts\/sealer\.ts$/],
  },
  {
    from: /^adapters\/scanner\//,
    values: [
      OWN,
      ERRORS,
      VENDORS,
      /^core\/(code-scanner|traffic|scans)\//,
      /^core\/(version|shared\/(secret-patterns|url-secrets))\.ts$/,
      /^(ignore|web-tree-sitter|@(?:vscode|cursorless)\/tree-sitter-wasms?)/,
      /^node:/,
    ],
    types: [PORTS],
  },
  { from: /^adapters\/geoip\//, values: [OWN, /^mmdb-lib$/, /^node:/], types: [PORTS] },
  {
    from: /^adapters\/feeds\//,
    values: [OWN, ERRORS, /^yauzl$/, /^node:/],
    types: [/^core\/vulnerabilities\/(feeds\/read-cve-documents|transfer\/archive)\.ts$/],
  },
  {
    from: /^adapters\/storage\/kysely\/migrations\//,
    values: [/^adapters\/storage\/kysely\/migrations\//],
  },
  {
    from: /^adapters\/storage\/kysely\//,
    // A store file may export constants, such as the duration of a lease.
    values: [OWN, SHARED, ERRORS, /^core\/[\w-]+\/(usage-)?store\.ts$/, /^kysely$/],
    types: [PORTS, DOMAIN],
  },
  {
    from: /^adapters\/storage\/sqlite/,
    values: [OWN, ERRORS, /^kysely$/, /^node:/],
    types: [PORTS],
  },
  {
    from: /^adapters\/storage\/bun-sqlite\.ts$/,
    values: [OWN, ERRORS, /^kysely/, /^bun:sqlite$/],
    types: [PORTS],
  },
  {
    from: /^adapters\/storage\/postgres/,
    values: [OWN, ERRORS, /^kysely$/, /^pg$/],
    types: [PORTS],
  },
  {
    from: /^adapters\/egress\//,
    values: [
      OWN,
      ERRORS,
      PORTS,
      /^core\/version\.ts$/,
      /^core\/shared\/buffer-pool\.ts$/,
      /^core\/egress\//,
      /^node:/,
    ],
  },
  {
    from: /^adapters\/web\//,
    // Pages use the HTTP and HTML helpers of the core, and the service for everything else.
    values: [
      OWN,
      SHARED,
      ERRORS,
      PROBLEMS,
      ENTRY_POINTS,
      /^core\/http\/(body|fetch|multipart|query)\.ts$/,
      // The entry point of scans also loads the code scanner.
      /^core\/scans\/(owners|printed-scans)\.ts$/,
      /^(itty-router|markdown-it)$/,
      /^node:/,
    ],
    types: [/^core\/http\/(message|operation)\.ts$/],
  },
  {
    from: /^adapters\/mcp\//,
    values: [
      OWN,
      SHARED,
      ERRORS,
      ENTRY_POINTS,
      /^core\/http\/(body|failure|fetch|request-log)\.ts$/,
      /^@modelcontextprotocol\/server/,
      /^@valibot\/to-json-schema$/,
      VALIBOT,
      /^node:/,
    ],
  },
  {
    from: /^adapters\/cli\/scan-tool\.ts$/,
    values: [ENTRY_POINTS, SHARED, /^adapters\/(mcp\/|scanner\/index\.ts$)/, VALIBOT, /^node:/],
  },
  {
    from: /^adapters\/cli\//,
    values: [
      OWN,
      /^adapters\/web\/console\.ts$/,
      /^adapters\/mcp\/(handler|serve-stdio|tools)\.ts$/,
      // The version has its own module: printing it must not load the service.
      /^core\/version\.ts$/,
      ENTRY_POINTS,
      /^adapters\/egress\/index\.ts$/,
      /^adapters\/feeds\/index\.ts$/,
      /^adapters\/runtime\/serve\.ts$/,
      /^adapters\/storage\/(sqlite|bun-sqlite|postgres)\.ts$/,
      /^adapters\/(isolate\/worker-isolate|secret\/secret-file|scanner\/(assert-folder|create-folder|index)|geoip\/open-geoip)\.ts$/,
      /^(commander|croner)$/,
      /^node:/,
    ],
  },
  {
    from: /^examples\//,
    values: [/^api-discovery(\/|$)/, /^examples\//, /^(hono|express|fastify)$/, /^node:/],
  },
]

/** The rooms of the code scanner, and the rooms that each may import. */
const SCANNER_ROOMS: Readonly<Record<string, readonly string[]>> = {
  model: [],
  noise: ['model'],
  lowering: ['model'],
  packages: ['model', 'noise'],
  manifests: ['model', 'noise', 'packages'],
  config: ['model', 'noise', 'packages', 'formats'],
  clients: ['model', 'packages'],
  formats: [],
  commands: ['model', 'clients', 'formats'],
  languages: ['model', 'lowering', 'clients', 'commands'],
  resolve: ['model', 'lowering', 'clients', 'noise'],
  find: [
    ...['model', 'noise', 'packages', 'manifests', 'config', 'clients', 'commands', 'languages'],
    'resolve',
  ],
}

/** Returns the room of a file of the code scanner; undefined for its entry and all other files. */
function scannerRoom(path: string): string | undefined {
  return /^core\/code-scanner\/([\w-]+)\//.exec(path)?.[1]
}

/** Whether an import leads from one room of the code scanner to one that builds on it. */
function leavesRoom({ from, to }: Import): boolean {
  const room = scannerRoom(from)
  const other = scannerRoom(to)
  if (room === undefined || other === room || !to.startsWith('core/code-scanner/')) return false
  return other === undefined || SCANNER_ROOMS[room]?.includes(other) !== true
}

/** Explains why an import is forbidden; undefined if it is allowed. */
export function judgeImport(edge: Import): string | undefined {
  const row = TABLE.find(({ from }) => from.test(edge.from))
  if (!row) return `${edge.from} stands where the table of imports has no row`
  if (leavesRoom(edge)) return `${edge.from} may not import ${edge.to}: see the rooms`
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

/** Returns the folder of a feature or adapter: `core/imports/` for all files below it. */
function ownFolder(path: string): string {
  return `${path.split('/').slice(0, 2).join('/')}/`
}
