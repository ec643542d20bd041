import type { StoredUse } from './stored-uses.ts'

/** What differs between two scans, each list sorted. */
export interface ScanDiff {
  readonly endpoints: {
    readonly new: readonly StoredUse[]
    readonly gone: readonly StoredUse[]
    readonly changed: readonly ChangedUse[]
  }
  readonly apis: {
    readonly new: readonly NamedUse[]
    readonly gone: readonly NamedUse[]
  }
  /** Hosts, whether the catalogue has them or not. */
  readonly hosts: { readonly new: readonly string[]; readonly gone: readonly string[] }
}

export interface NamedUse {
  readonly apiName: string
  readonly vendorName: string
}

/** An endpoint that both scans have, of which they say something else. */
export interface ChangedUse {
  readonly before: StoredUse
  readonly after: StoredUse
  readonly what: readonly ('api' | 'approval' | 'files')[]
}

/**
 * Compares two scans, endpoints by URL and method; by URL alone where one of the two tells no
 * methods. Of what one of them does not tell at all, nothing is said to have changed.
 */
export function diffUses(before: readonly StoredUse[], after: readonly StoredUse[]): ScanDiff {
  const hasMethods = [...before, ...after].every(({ method }) => method !== undefined)
  const old = index(before, hasMethods)
  const present = index(after, hasMethods)
  const tells = { before: listTold(before), after: listTold(after) }
  return {
    endpoints: {
      new: sortUses([...present].filter(([key]) => !old.has(key)).map(([, use]) => use)),
      gone: sortUses([...old].filter(([key]) => !present.has(key)).map(([, use]) => use)),
      changed: [...present].flatMap(([key, use]) => {
        const former = old.get(key)
        if (!former) return []
        const what = findChanges(former, use).filter(
          (each) => tells.before.has(each) && tells.after.has(each),
        )
        return what.length > 0 ? [{ before: former, after: use, what }] : []
      }),
    },
    apis: compareLists({ before: toApis(before), after: toApis(after) }),
    hosts: compareLists({ before: toHosts(before), after: toHosts(after) }),
  }
}

/** Whether nothing differs. */
export function isEmptyDiff({ endpoints, apis, hosts }: ScanDiff): boolean {
  const lists = [...Object.values(endpoints), ...Object.values(apis), ...Object.values(hosts)]
  return lists.every((list) => list.length === 0)
}

type Told = ChangedUse['what'][number]

/** Where uses come under one key, as without methods, they are told as one. */
function index(uses: readonly StoredUse[], hasMethods: boolean): ReadonlyMap<string, StoredUse> {
  const found = new Map<string, StoredUse>()
  for (const use of sortUses(uses)) {
    const key = hasMethods ? `${use.url} ${use.method}` : use.url
    const known = found.get(key)
    if (!known) found.set(key, hasMethods ? use : { ...use, method: undefined })
    else found.set(key, { ...known, files: joinFiles(known.files, use.files) })
  }
  return found
}

function joinFiles(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  return a && b ? [...new Set([...a, ...b])].sort() : (a ?? b)
}

/** What a document tells of any use. */
function listTold(uses: readonly StoredUse[]): ReadonlySet<Told> {
  const told = new Set<Told>()
  for (const { apiName, approval, files } of uses) {
    if (apiName !== undefined) told.add('api')
    if (approval !== undefined) told.add('approval')
    if (files !== undefined) told.add('files')
  }
  return told
}

function findChanges(before: StoredUse, after: StoredUse): readonly Told[] {
  const differs: Record<Told, boolean> = {
    api: toApiKey(before) !== toApiKey(after),
    approval: before.approval !== after.approval,
    files: JSON.stringify(before.files) !== JSON.stringify(after.files),
  }
  return (['api', 'approval', 'files'] as const).filter((what) => differs[what])
}

function toApiKey({ apiName, vendorName }: StoredUse): string {
  return JSON.stringify([apiName ?? '', vendorName ?? ''])
}

function toApis(uses: readonly StoredUse[]): ReadonlyMap<string, NamedUse> {
  const named = uses.flatMap((use) =>
    use.apiName === undefined
      ? []
      : [[toApiKey(use), { apiName: use.apiName, vendorName: use.vendorName ?? '' }] as const],
  )
  return new Map(named)
}

function toHosts(uses: readonly StoredUse[]): ReadonlyMap<string, string> {
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

function sortUses(uses: readonly StoredUse[]): readonly StoredUse[] {
  return uses.toSorted((a, b) => compare(a.url, b.url) || compare(a.method ?? '', b.method ?? ''))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
