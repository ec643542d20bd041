import { TESTED } from './rate-limit-seed.ts'

/** Who looks: one who may do all, one who may read, nobody, or one who may do all where there is no data. */
export type Visitor = 'root' | 'reader' | 'nobody' | 'newcomer'

/** One look at a page of the console. */
export interface Stop {
  readonly visitor: Visitor
  /** With its query, from `/console` on. */
  readonly path: string
  readonly status: number
  /** Fields of a form that is sent there; the page is loaded when absent. */
  readonly form?: Readonly<Record<string, string>>
}

/** What of the filled service has a page of its own, or stands in an address. */
export interface TourIds {
  /** Scans of one project, and of a network. */
  readonly before: string
  readonly after: string
  readonly network: string
  readonly api: string
  /** Pages of endpoints: one of which a run has ended, and one of which a run waits. */
  readonly weather: string
  readonly payments: string
  /** Short id of the latter. */
  readonly payment: string
  /** The import of which a part was not understood; the next one has failed. */
  readonly report: number
  readonly run: number
  readonly key: string
  /** Id of a stored credential. */
  readonly credential: string
  readonly revoked: string
  readonly user: string
  /** What links hold that make a user, and that set a password. */
  readonly invitation: string
  readonly reset: string
  /** Id of an invitation that nobody has used. */
  readonly link: string
  /** What the form of a rate-limit test of the endpoint that was tested has to hold. */
  readonly shape: string
  /** What the form of agreements of an API without entered ones has to hold. */
  readonly noAgreements: string
}

/** Every page of the console, in every state that differs. */
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
    `${project}?show=refused&done=no&n=1`,
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
  ])
}

/** Searches that find nothing, pages beyond the last, and things that are not there. */
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

/** Answers to forms that stay on a page: what was done, or what is wrong. */
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
    // No forms are on these.
    ...look('nobody', ['/welcome?token=gone', '/nowhere'], 404),
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

/** The page of the API whose endpoint a path names, below the console. */
export function apiOf(path: string): string {
  return below(path).replace(/\/endpoints\/.*/, '')
}

/** A path below the console. */
function below(path: string): string {
  return path.slice('/console'.length)
}
