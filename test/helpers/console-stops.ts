import { TESTED } from './rate-limit-seed.ts'

/** The viewer: a user with all scopes, a reader, no user, or a user of the empty service. */
export type Visitor = 'root' | 'reader' | 'nobody' | 'newcomer'

/** A visit of a console page. */
export interface Stop {
  readonly visitor: Visitor
  /** Path and query below `/console`. */
  readonly path: string
  readonly status: number
  /** Form fields to send; without them, the page is loaded. */
  readonly form?: Readonly<Record<string, string>>
}

/** IDs in the filled service that occur in page addresses. */
export interface TourIds {
  /** Scans of a project and of a network. */
  readonly before: string
  readonly after: string
  readonly network: string
  readonly api: string
  /** Pages of two endpoints: one with an ended run and one with a queued run. */
  readonly weather: string
  readonly payments: string
  /** Short ID of the latter. */
  readonly payment: string
  /** An import with warnings; the next import failed. */
  readonly report: number
  readonly run: number
  readonly key: string
  /** ID of a stored credential. */
  readonly credential: string
  readonly revoked: string
  readonly user: string
  /** Tokens of links that create a user and set a password. */
  readonly invitation: string
  readonly reset: string
  /** ID of an unused invitation. */
  readonly link: string
  /** Required form fields of a rate-limit test of the tested endpoint. */
  readonly shape: string
  /** Required form fields of the agreements of an API without added ones. */
  readonly noAgreements: string
}

/** Lists every page of the console in every distinct state. */
export function listStops(ids: TourIds): readonly Stop[] {
  return [
    ...listFilled(ids),
    ...listNarrow(ids),
    ...listForms(ids),
    ...listOfReader(ids),
    ...listOfNobody(ids),
    ...listOfNewcomer(),
  ]
}

function look(visitor: Visitor, paths: readonly string[], status = 200): readonly Stop[] {
  return paths.map((path) => ({ visitor, path: `/console${path}`, status }))
}

function listFilled(ids: TourIds): readonly Stop[] {
  const [project, network] = [`/scans/projects/${ids.after}`, `/scans/networks/${ids.network}`]
  const compared = `before=${ids.before}&after=${ids.after}`
  return look('root', [
    '/',
    '/status',
    '/apis',
    `/apis/${ids.api}`,
    below(ids.weather),
    below(ids.payments),
    `/apis/${ids.api}/agreements?done=saved`,
    `${apiOf(ids.weather)}/agreements`,
    `/apis/${ids.api}/credentials?done=stored`,
    `/apis/${ids.api}/credentials?type=OAuth2`,
    `${apiOf(ids.weather)}/credentials`,
    '/credentials?done=removed',
    '/vulnerabilities',
    '/vulnerabilities?q=log4j&severity=critical',
    '/vulnerabilities/vendors',
    '/vulnerabilities/CVE-2021-44228',
    '/scans',
    '/scans/submit',
    ...[project, network]
      .flatMap((path) =>
        ['', '/endpoints', '/history', `/compare?${compared}`, '/remove'].map((end) => path + end),
      )
      .filter((path) => !path.startsWith(`${network}/compare`)),
    `${network}/compare`,
    `${network}/places`,
    `${project}/packages`,
    `${project}?show=rejected&done=no&n=1`,
    `${project}/endpoints?group=2new.example`,
    '/rate-limits',
    '/rate-limits/new',
    `/rate-limits/new?endpoint=${TESTED}`,
    `/rate-limits/new?endpoint=${ids.payment}`,
    '/rate-limits/1',
    '/rate-limits/2',
    '/rate-limits/3',
    `/rate-limits/${ids.run}?done=started`,
    '/imports',
    '/imports/new',
    `/imports/${ids.report}?done=imported`,
    `/imports/${ids.report + 1}`,
    '/account',
    '/?done=invite',
    `/account/keys/${ids.key}?done=made`,
    `/account/keys/${ids.revoked}`,
    `/account/keys/${ids.key}/policy`,
    `/account/keys/${ids.revoked}/policy`,
    '/account/password',
    '/account/calls',
    '/account/refused',
    '/account/users',
    `/account/users/${ids.user}`,
    '/guides',
    '/guides/scan-network',
  ])
}

/** Lists searches without results, pages past the end, and missing resources. */
function listNarrow(ids: TourIds): readonly Stop[] {
  return [
    ...look('root', [
      '/apis?q=nothing+at+all&auth=OAuth2',
      '/apis?page=99',
      `/apis/${ids.api}?find=nothing+at+all`,
      '/vulnerabilities?q=zyzzyva',
      '/scans?name=nothing+at+all',
      `/scans/projects/${ids.after}?show=approved`,
      `/scans/projects/${ids.after}/endpoints?show=approved`,
      '/rate-limits?page=99',
      '/imports?page=99',
      '/account/calls?page=99',
    ]),
    ...look(
      'root',
      [
        '/nowhere',
        '/apis/AAAAAAAAAAAAAAAAAAAAAA',
        '/rate-limits/new?endpoint=nowhere',
        '/account/users/nowhere',
      ],
      404,
    ),
    ...look('root', ['/vulnerabilities?score_from=x&cwe=79&q=log4j'], 400),
    ...look('root', ['/logout'], 405),
  ]
}

/** Lists forms whose response stays on a page with a confirmation or an error. */
function listForms(ids: TourIds): readonly Stop[] {
  const send = (path: string, status: number, form: Stop['form'] = {}): Stop => {
    return { visitor: 'root', path: `/console${path}`, status, form }
  }
  return [
    send(below(ids.weather), 409, { shape: 'stale' }),
    send('/rate-limits/new', 400, { endpoint: TESTED, shape: ids.shape, rate: 'x' }),
    send('/rate-limits/new', 409, { endpoint: TESTED }),
    send('/rate-limits/new', 404, { endpoint: 'nowhere' }),
    send('/imports/new', 422, { text: '{"openapi": "3.0.0",' }),
    send('/imports/new', 400),
    send('/scans/submit', 400),
    send(`/scans/projects/${ids.after}/review`, 400, { approval: 'yes', reason: '<b>why</b>' }),
    send(`/scans/projects/${ids.after}/review`, 400, { approval: 'yes', list: 'endpoints' }),
    send(`/scans/projects/${ids.after}/vendor`, 400, { domain: 'x' }),
    send(`${apiOf(ids.weather)}/credentials`, 400, { type: 'query:appid', value: 'canary' }),
    send(`/apis/${ids.api}/credentials`, 400, { type: 'BasicAuth', username: 'a:b' }),
    send(`/credentials/${ids.credential}/remove`, 400),
    send(`${apiOf(ids.weather)}/agreements`, 400, {
      seen: ids.noAgreements,
      name_0: 'x',
      link_0: 'x',
    }),
    send(`/apis/${ids.api}/agreements`, 409, { seen: 'stale' }),
    send('/account/keys', 400, { name: 'x' }),
    send('/account/keys', 400, { name: '', scope: 'read' }),
    send(`/account/keys/${ids.key}/show`, 200),
    send(`/account/keys/${ids.key}/revoke`, 400),
    send(`/account/keys/${ids.key}/policy`, 400, {
      vendors: 'Nobody',
      api_ids: 'none',
      methods: 'G-T',
      daily_budget: 'x',
    }),
    send(`/account/keys/${ids.key}/policy`, 400, { vendors: 'Nobody', methods: '-' }),
    send(`/account/keys/${ids.key}/policy/remove`, 400),
    send('/account/password', 400, { password: 'one', repeated: 'other' }),
    send('/account/password', 403, {
      old_password: 'a wrong guess',
      password: 'new lamps over water',
      repeated: 'new lamps over water',
    }),
    send('/account/users', 400),
    send('/account/users', 200, { scope: 'read' }),
    send(`/account/users/${ids.user}/scopes`, 400),
    send(`/account/users/${ids.user}/reset`, 200),
    send(`/account/users/${ids.user}/remove`, 400),
  ]
}

function listOfReader(ids: TourIds): readonly Stop[] {
  return [
    ...look('reader', [
      below(ids.weather),
      apiOf(ids.weather),
      `/scans/projects/${ids.after}`,
      '/scans/submit',
      '/imports',
      '/rate-limits',
      '/account',
      `/account/keys/${ids.key}`,
    ]),
    ...look('reader', ['/status', '/imports/new', '/credentials'], 403),
  ]
}

function listOfNobody(ids: TourIds): readonly Stop[] {
  const send = (path: string, status: number, form: Stop['form'] = {}): Stop => {
    return { visitor: 'nobody', path: `/console${path}`, status, form }
  }
  const guess = { name: 'Nobody', password: 'a wrong guess' }
  const guesses = Array.from({ length: 5 }, () => send('/login', 401, guess))
  return [
    ...look('nobody', [
      '/login',
      '/login?done=logout',
      `/welcome?token=${ids.invitation}`,
      `/welcome?token=${ids.reset}`,
    ]),
    send('/welcome', 400, {
      token: ids.invitation,
      name: 'Eve',
      password: 'one',
      repeated: 'other',
    }),
    send('/welcome', 409, {
      token: ids.invitation,
      name: 'Root',
      password: 'paper boats in the harbour',
      repeated: 'paper boats in the harbour',
    }),
    ...guesses,
    send('/login', 429, guess),
    send('/welcome', 404),
    // These pages have no forms.
    ...look('nobody', ['/guides', '/guides/console']),
    ...look('nobody', ['/welcome?token=gone', '/nowhere', '/guides/nowhere'], 404),
  ]
}

function listOfNewcomer(): readonly Stop[] {
  return look('newcomer', [
    '/',
    '/status',
    '/apis',
    '/vulnerabilities',
    '/vulnerabilities/vendors',
    '/scans',
    '/rate-limits',
    '/imports',
    '/credentials',
    '/account',
    '/account/calls',
    '/account/users',
  ])
}

/** Returns the API page of an endpoint path, below the console. */
export function apiOf(path: string): string {
  return below(path).replace(/\/endpoints\/.*/, '')
}

/** Converts a path to one below the console. */
function below(path: string): string {
  return path.slice('/console'.length)
}
