import * as v from 'valibot'
import { ServiceError } from '../../errors.ts'
import { DEFAULT_IMPORT_LIMITS } from '../../imports/limits.ts'
import { parseYaml } from '../../imports/parse-yaml.ts'
import { describeIssue } from '../../shared/issue-text.ts'
import type { PackageRow } from '../../vendors/package-rows.ts'
import type { ClientRows } from '../model/client-rows.ts'
import { lastName } from '../model/name-patterns.ts'
import { hasManyOwners } from '../packages/own-hosts.ts'
import { baseUrl, packageRows } from '../packages/rows.ts'
import { parseClients } from './parse-clients.ts'

/** Knowledge of a project about its own code. */
export interface ProjectFile {
  /** Client libraries, and wrappers as such. */
  readonly clients: readonly ClientRows[]
  /** Libraries of vendors. */
  readonly packages: readonly PackageRow[]
  /** Hosts of the project itself, with all hosts below them. */
  readonly ownHosts: readonly string[]
}

/**
 * Reads a project file. Throws a `ServiceError` with code `invalid_input` that names the line or
 * the key. The file may be from an untrusted project: aliases, patterns and large files are refused.
 */
export function parseProjectFile(text: string): ProjectFile {
  const { success, output, issues } = v.safeParse(projectFile, loadYaml(text) ?? {})
  if (!success) {
    const [issue] = issues
    throw invalid(describeIssue(issue, 'the file'))
  }
  const clients = [
    ...output.clients.map((rows) => (typeof rows === 'string' ? { rows } : rows)),
    ...output.wrappers.map(({ call: rows, ...rest }) => ({
      rows,
      ...rest,
      isWrapper: true as const,
    })),
  ]
  checkRows(clients)
  return { clients, packages: output.packages, ownHosts: output.own_hosts }
}

/** Sufficient for a project file, and safe against YAML bombs. */
const LIMITS = {
  ...DEFAULT_IMPORT_LIMITS,
  maxDepth: 20,
  maxNodes: 50_000,
  maxAliases: 0,
  maxRereadCharacters: 0,
}

/** Maximum number of rules of a project: each costs time at each call. */
const MAX_RULES = 500

const text = v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'), v.maxLength(1000))

/** One text, or a list of texts. */
const list = v.pipe(
  v.lazy((input) => (Array.isArray(input) ? v.pipe(v.array(text), v.maxLength(100)) : text)),
  v.transform((input) => (typeof input === 'string' ? input : input.join('\n'))),
)

const client = v.strictObject(
  {
    rows: list,
    receiver: v.exactOptional(list),
    from: v.exactOptional(list),
    with: v.exactOptional(list),
    base: v.exactOptional(baseUrl),
  },
  'must be a row, or have the keys rows, receiver, from, with and base only',
)

const wrapper = v.strictObject(
  { call: text, base: v.exactOptional(baseUrl) },
  'must be a row, or have the keys call and base only',
)

const ownHost = v.pipe(
  text,
  v.toLowerCase(),
  v.regex(/^[\w-]+(?:\.[\w-]+)+$/, 'must be a host without scheme and path, such as acme.io'),
  v.check(
    (host) => !hasManyOwners(host),
    'must be a host of the project, below a shared domain such as co.uk, vercel.app or slack.com',
  ),
)

const projectFile = v.strictObject(
  {
    clients: v.optional(
      v.pipe(
        v.array(v.lazy((input) => (typeof input === 'string' ? text : client))),
        v.maxLength(200),
      ),
      [],
    ),
    wrappers: v.optional(
      v.pipe(
        v.array(
          v.pipe(
            v.lazy((input) => (typeof input === 'string' ? text : wrapper)),
            v.transform((input) => (typeof input === 'string' ? { call: input } : input)),
          ),
        ),
        v.maxLength(200),
      ),
      [],
    ),
    packages: v.optional(packageRows, []),
    own_hosts: v.optional(v.pipe(v.array(ownHost), v.maxLength(200)), []),
  },
  'must have the keys clients, wrappers, packages and own_hosts only',
)

function loadYaml(source: string): unknown {
  try {
    return parseYaml(source, LIMITS).value
  } catch (error) {
    throw error instanceof ServiceError ? invalid(error.message) : error
  }
}

function checkRows(clients: readonly ClientRows[]): void {
  let count = 0
  for (const rows of clients) {
    const rules = parseRows(rows)
    count += rules.length
    const open = rules.find(({ callee }) => lastName(callee).includes('*'))
    if (open) throw invalid(`"${open.callee}" must end in a name`)
  }
  if (count > MAX_RULES) {
    throw invalid(`the rows expand to ${count} calls, at most ${MAX_RULES} are allowed`)
  }
}

function parseRows(rows: ClientRows): ReturnType<typeof parseClients> {
  try {
    return parseClients([rows])
  } catch (error) {
    throw error instanceof SyntaxError ? invalid(error.message) : error
  }
}

function invalid(reason: string): ServiceError {
  return new ServiceError('invalid_input', `Cannot read .api-discovery.yaml: ${reason}`)
}
