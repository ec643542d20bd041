import type { ApiDiscovery } from '../../core/index.ts'
import { RARE_WORDS } from './pages-catalogue.ts'
import { type FilledPages, PERSON } from './pages-data.ts'

/** A requested page. */
export interface Asked {
  /** Path pattern in the registry of the console. */
  readonly pattern: string
  /** Path below the console. */
  readonly path: string
}

/** Path parameters of a page, and the queries to request it with. */
type Asking = readonly [params: Params, queries: readonly string[]]
type Params = Readonly<Record<string, string>>

/** Typical requests of every page: common, rare and unknown words, combined filters, deep pages. */
export async function listAsked(app: ApiDiscovery, filled: FilledPages): Promise<readonly Asked[]> {
  const { scans } = filled
  const user = await app.users.findLoggedIn(await logIn(app))
  if (!user) throw new Error('Nobody is logged in')
  const { account } = user.user
  const [key] = await app.accounts.listKeys(account)
  const { token: invitation } = await app.users.invite({ account, scopes: ['read'] })
  const table: Readonly<Record<string, readonly Asking[]>> = {
    '/': [[{}, ['']]],
    '/status': [[{}, ['', 'page=10']]],
    '/apis': [[{}, CATALOGUE]],
    '/apis/:id': [
      [{ id: filled.largest.encryptedId }, API],
      [{ id: filled.agreed.encryptedId }, ['']],
      [{ id: filled.vulnerable.encryptedId }, ['']],
    ],
    '/apis/:id/endpoints/:endpointId': [filled.largest, filled.vulnerable].map((api) => [
      { id: api.encryptedId, endpointId: api.endpoints[0]?.[2] ?? '' },
      [''],
    ]),
    '/vulnerabilities': [[{}, VULNERABILITIES]],
    '/vulnerabilities/download': [[{}, ['q=remote+code', 'format=json', 'q=qqxzv']]],
    '/vulnerabilities/vendors': [
      [{}, ['', 'q=soft', 'q=qqxzv', 'vendor=microsoft', 'vendor=linux', 'vendor=qqxzv']],
    ],
    '/vulnerabilities/:cve': await listCves(app),
    '/scans': [[{}, SCANS]],
    '/scans/submit': [[{}, ['']]],
    ...listScanPages('project', [scans.small, scans.project, scans.largeProject]),
    ...listScanPages('network', [scans.network]),
    '/scans/networks/:id/places': [[{ id: scans.network.id }, ['']]],
    '/rate-limits': [[{}, ['', 'page=15']]],
    '/rate-limits/new': [[{}, ['', `endpoint=${filled.largest.endpoints[0]?.[2]}`]]],
    '/rate-limits/:run': [
      [{ run: '1' }, ['']],
      [{ run: String(filled.runs) }, ['']],
    ],
    '/rate-limits/:run/plot': [[{ run: String(filled.runs) }, ['']]],
    '/rate-limits/:run/evidence': [[{ run: String(filled.runs) }, ['']]],
    '/imports': [[{}, ['', 'page=20']]],
    '/imports/new': [[{}, ['']]],
    '/imports/:id': [
      [{ id: '10' }, ['']],
      [{ id: String(filled.reports) }, ['']],
    ],
    '/guides': [[{}, ['']]],
    '/guides/:name': [[{ name: 'cli' }, ['']]],
    '/guides/pictures/:name': [[{ name: 'vulnerabilities' }, ['']]],
    '/login': [[{}, ['']]],
    '/welcome': [[{}, [`token=${invitation}`]]],
    '/account': [[{}, ['']]],
    '/account/keys/:id': [[{ id: key?.id ?? '' }, ['']]],
    '/account/password': [[{}, ['']]],
    '/account/calls': [[{}, ['', 'page=1000', 'page=2000']]],
    '/account/refused': [[{}, ['']]],
    '/account/users': [[{}, ['']]],
    '/account/users/:id': [[{ id: user.user.id }, ['']]],
  }
  return Object.entries(table).flatMap(([pattern, askings]) =>
    askings.flatMap(([params, queries]) =>
      queries.map((query) => ({ pattern, path: toPath(pattern, params, query) })),
    ),
  )
}

/** Creates a session of the viewer and returns its token. */
export async function logIn({ users }: ApiDiscovery): Promise<string> {
  const { token } = await users.logIn({ ...PERSON, clientAddress: '' })
  return token
}

const CATALOGUE = [
  '',
  'page=40',
  'page=80',
  'q=user',
  'q=order+status',
  'q=send+a+text+message',
  'q=how+to+get+the+weather+of+a+city',
  'q=create+invoice&page=4',
  'q=u',
  'q=pa',
  'q=list',
  `q=${RARE_WORDS[0]}`,
  `q=${RARE_WORDS[1]}`,
  'q=qqxzv',
  'q=user+account+order+message+payment+customer+list+file+event+status+email+address+token+team',
  'auth=OAuth2',
  'auth=OAuth2&license=mit&deprecated=yes',
  'license=none&category=5',
  'vendor=1',
  'q=payment&auth=header&deprecated=no&category=5',
  'q=message&vendor=1',
]

const API = [
  '',
  'find=order',
  'find=qqxzv',
  'method=get&deprecated=yes',
  'find=user&method=post',
  'page=30',
]

const VULNERABILITIES = [
  '',
  'page=9000',
  'q=vulnerability',
  'q=remote+code+execution&severity=critical',
  'q=%22cross-site+scripting%22',
  'q=%22cross-site+scripting%22&page=50',
  'q=qqxzv',
  'q=CVE-2021-44228',
  'kev=yes',
  'severity=high&year_from=2018&year_to=2024&epss_from=0.01',
  'vendor=microsoft',
  'vendor=microsoft&product=windows_10&version=1809',
  'vendor=qqxzv',
  'score_from=7&cvss=3&vector=AV:N/PR:N&published_from=2020-01-01',
  'q=buffer+overflow&vendor=linux&page=3',
]

const SCANS = [
  '',
  'page=5',
  'name=service+1',
  'name=qqxzv',
  'vendor=microsoft',
  'vendor=soft',
  'vendor=qqxzv',
  'kind=network',
  'kind=project&name=mono&vendor=microsoft',
]

const USES = [
  '',
  'show=new',
  'show=unreviewed&page=10',
  'show=rejected',
  'show=approved&page=2',
  'page=200',
  'page=3999',
]

const OF_GROUP = [
  'group=01',
  'group=2service6.unknown.example',
  'group=01&show=unreviewed&page=3',
  'done=yes&n=3&of=01',
]

function listScanPages(
  kind: 'project' | 'network',
  scans: readonly { readonly id: string; readonly before: string }[],
): Readonly<Record<string, readonly Asking[]>> {
  const path = `/scans/${kind}s/:id`
  const all = (...queries: readonly string[]) => scans.map(({ id }) => [{ id }, queries] as const)
  return {
    [path]: all(...USES),
    [`${path}/endpoints`]: all(...USES, ...OF_GROUP),
    [`${path}/history`]: all(''),
    [`${path}/compare`]: scans.flatMap(({ id, before }) => [
      [{ id }, [`before=${before}&after=${id}`, `before=${id}&after=${before}`, '']] as const,
    ]),
    [`${path}/bom`]: all('', 'format=cyclonedx-json&spec_version=1.6'),
    [`${path}/remove`]: all(''),
  }
}

/** The newest CVE, the oldest, an exploited one, and one with very many products. */
async function listCves({ vulnerabilities }: ApiDiscovery): Promise<readonly Asking[]> {
  const ids = new Set<string>()
  const newest = { page: 1, size: 1 }
  for (const query of [
    { term: 'cve', page: newest },
    { term: 'cve', page: newest, isKnownExploited: true },
    { term: 'linux kernel', page: newest },
    { term: 'cisco ios', page: newest },
  ]) {
    const { hits } = await vulnerabilities.search(query)
    for await (const batch of hits) {
      // The cast is safe: the core wrote the line.
      for (const { line } of batch) ids.add((JSON.parse(line) as { cve_id: string }).cve_id)
    }
  }
  return [...ids].map((cve) => [{ cve }, ['']])
}

function toPath(pattern: string, params: Params, query: string): string {
  const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (!value) throw new Error(`There is no ${name} for ${pattern}`)
    return encodeURIComponent(value)
  })
  return query === '' ? path : `${path}?${query}`
}
