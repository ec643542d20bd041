import { compareCodePoints } from '../../shared/text.ts'
import { type StoredUsage, toJointDecision } from './stored-uses.ts'

/** What differs between two scans, each list sorted. */
export interface ScanDiff {
  readonly endpoints: {
    readonly new: readonly StoredUsage[]
    readonly gone: readonly StoredUsage[]
    readonly changed: readonly ChangedUsage[]
  }
  readonly apis: {
    readonly new: readonly NamedUsage[]
    readonly gone: readonly NamedUsage[]
  }
  /** Hosts, whether the catalogue has them or not. */
  readonly hosts: { readonly new: readonly string[]; readonly gone: readonly string[] }
}

export interface NamedUsage {
  readonly apiName: string
  readonly vendorName: string
}

/** An endpoint that both scans have, of which they say something else. */
export interface ChangedUsage {
  readonly before: StoredUsage
  readonly after: StoredUsage
  readonly what: readonly ('api' | 'approval' | 'files')[]
}

/**
 * Compares two scans, endpoints by URL and method; by URL alone where one of the two tells no
 * methods. Of what one of them does not tell at all, nothing is said to have changed.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { diffUsages, readStoredUsages } from 'api-discovery/scans'
 *
 * const before = readStoredUsages(await readFile('before.json', 'utf8'))
 * const after = readStoredUsages(await readFile('after.json', 'utf8'))
 * for (const { method, url } of diffUsages(before, after).endpoints.new) console.log(method, url)
 * ```
 */
export function diffUsages(
  before: readonly StoredUsage[],
  after: readonly StoredUsage[],
): ScanDiff {
  const hasMethods = [...before, ...after].every(({ method }) => method !== undefined)
  const old = index(before, hasMethods)
  const present = index(after, hasMethods)
  const tells = { before: listTold(before), after: listTold(after) }
  return {
    endpoints: {
      new: [...present].flatMap(([key, use]) => (old.has(key) ? [] : [use.shown])),
      gone: [...old].flatMap(([key, use]) => (present.has(key) ? [] : [use.shown])),
      changed: [...present].flatMap(([key, use]) => {
        const former = old.get(key)
        if (!former) return []
        const what = findChanges(former, use).filter(
          (each) => tells.before.has(each) && tells.after.has(each),
        )
        return what.length > 0 ? [{ before: former.shown, after: use.shown, what }] : []
      }),
    },
    apis: compareLists({ before: toApis(before), after: toApis(after) }),
    hosts: compareLists({ before: toHosts(before), after: toHosts(after) }),
  }
}

/**
 * Whether nothing differs.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { diffUsages, isEmptyDiff, readStoredUsages } from 'api-discovery/scans'
 *
 * const before = readStoredUsages(await readFile('before.json', 'utf8'))
 * const after = readStoredUsages(await readFile('after.json', 'utf8'))
 * if (!isEmptyDiff(diffUsages(before, after))) process.exitCode = 1
 * ```
 */
export function isEmptyDiff({ endpoints, apis, hosts }: ScanDiff): boolean {
  const lists = [...Object.values(endpoints), ...Object.values(apis), ...Object.values(hosts)]
  return lists.every((list) => list.length === 0)
}

type Told = ChangedUsage['what'][number]

/** Uses under one key, as of a URL whatever the method. */
interface JointUse {
  /** All as one. */
  readonly shown: StoredUsage
  /** Keys of their APIs, sorted; empty for a host of no API. */
  readonly apis: string
}

/** By key, in the order of the keys. */
function index(uses: readonly StoredUsage[], hasMethods: boolean): ReadonlyMap<string, JointUse> {
  const found = new Map<string, [StoredUsage, ...StoredUsage[]]>()
  for (const use of sortUses(uses)) {
    const key = hasMethods ? `${use.url} ${use.method}` : use.url
    const known = found.get(key)
    if (known) known.push(use)
    else found.set(key, [hasMethods ? use : { ...use, method: undefined }])
  }
  return new Map([...found].map(([key, all]) => [key, join(all)]))
}

function join(all: readonly [StoredUsage, ...StoredUsage[]]): JointUse {
  const files = all.flatMap((use) => (use.files ? [use.files] : []))
  const shown = {
    ...all[0],
    ...toJointDecision(all),
    files: files.length === 0 ? undefined : [...new Set(files.flat())].sort(),
  }
  return { shown, apis: [...toApis(all).keys()].sort().join('\n') }
}

/** What a document tells of any use. */
function listTold(uses: readonly StoredUsage[]): ReadonlySet<Told> {
  const told = new Set<Told>()
  for (const { apiName, approval, files } of uses) {
    if (apiName !== undefined) told.add('api')
    if (approval !== undefined) told.add('approval')
    if (files !== undefined) told.add('files')
  }
  return told
}

function findChanges(before: JointUse, after: JointUse): readonly Told[] {
  const differs: Record<Told, boolean> = {
    api: before.apis !== after.apis,
    approval: before.shown.approval !== after.shown.approval,
    files: JSON.stringify(before.shown.files) !== JSON.stringify(after.shown.files),
  }
  return (['api', 'approval', 'files'] as const).filter((what) => differs[what])
}

function toApiKey({ apiName, vendorName }: StoredUsage): string {
  return JSON.stringify([apiName ?? '', vendorName ?? ''])
}

function toApis(uses: readonly StoredUsage[]): ReadonlyMap<string, NamedUsage> {
  const named = uses.flatMap((use) =>
    use.apiName === undefined
      ? []
      : [[toApiKey(use), { apiName: use.apiName, vendorName: use.vendorName ?? '' }] as const],
  )
  return new Map(named)
}

function toHosts(uses: readonly StoredUsage[]): ReadonlyMap<string, string> {
  return new Map(uses.flatMap(({ host }) => (host === '' ? [] : [[host, host] as const])))
}

function compareLists<Item>(lists: {
  readonly before: ReadonlyMap<string, Item>
  readonly after: ReadonlyMap<string, Item>
}): { readonly new: readonly Item[]; readonly gone: readonly Item[] } {
  const { before, after } = lists
  return { new: without(after, before), gone: without(before, after) }
}

function without<Item>(
  from: ReadonlyMap<string, Item>,
  other: ReadonlyMap<string, Item>,
): readonly Item[] {
  const keys = [...from.keys()].filter((key) => !other.has(key)).sort()
  return keys.flatMap((key) => from.get(key) ?? [])
}

function sortUses(uses: readonly StoredUsage[]): readonly StoredUsage[] {
  return uses.toSorted(
    (a, b) => compareCodePoints(a.url, b.url) || compareCodePoints(a.method ?? '', b.method ?? ''),
  )
}
