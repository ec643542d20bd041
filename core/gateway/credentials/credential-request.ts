import type { InputIssue } from '../../http/problems.ts'
import type { CredentialKind } from '../records.ts'

/** A credential as an account gives it. Which members go together follows from `kind`. */
export interface CredentialRequest {
  /** `encrypted_id` or numeric id. Either this or `vendor`. */
  readonly apiId?: string | undefined
  /** Name. */
  readonly vendor?: string | undefined
  readonly kind: CredentialKind
  /** Of the header, cookie or parameter. */
  readonly name?: string | undefined
  readonly value?: string | undefined
  readonly username?: string | undefined
  /** Empty where there is none. */
  readonly password?: string | undefined
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  readonly tokenUrl?: string | undefined
  /** OAuth 2 scopes, separated by blanks. */
  readonly scope?: string | undefined
  /** Where it may be sent to; when absent, the present one: needed where there are several. */
  readonly origins?: readonly string[] | undefined
}

/** The secret parts of a credential, as they are sealed. */
export interface CredentialSecret {
  /** The key or token; the password; the client's secret. */
  readonly value: string
  /** User name or client id; empty for other kinds. */
  readonly user: string
}

/** A request whose members go together. */
export interface CheckedCredential {
  readonly name: string
  readonly secret: CredentialSecret
  readonly tokenUrl: string
  readonly oauthScope: string
  /** Undefined: the present one. */
  readonly origins: readonly string[] | undefined
}

type Member = Exclude<keyof CredentialRequest, 'apiId' | 'vendor' | 'kind' | 'origins'>

const WIRE: Readonly<Record<Member, string>> = {
  name: 'name',
  value: 'value',
  username: 'username',
  password: 'password',
  clientId: 'client_id',
  clientSecret: 'client_secret',
  tokenUrl: 'token_url',
  scope: 'scope',
}

const VALUE = { needed: ['value'], allowed: ['value'] } as const
const NAMED_VALUE = { needed: ['name', 'value'], allowed: ['name', 'value'] } as const

const MEMBERS: Readonly<
  Record<
    CredentialKind,
    { readonly needed: readonly Member[]; readonly allowed: readonly Member[] }
  >
> = {
  BasicAuth: { needed: ['username', 'password'], allowed: ['username', 'password'] },
  OAuth2: {
    needed: ['clientId', 'clientSecret', 'tokenUrl'],
    allowed: ['clientId', 'clientSecret', 'tokenUrl', 'scope'],
  },
  bearer: VALUE,
  body: NAMED_VALUE,
  cookie: NAMED_VALUE,
  header: NAMED_VALUE,
  path: NAMED_VALUE,
  query: NAMED_VALUE,
}

/** RFC 9110 5.6.2. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
/** Of the connection, or the implementation's own. */
const RESERVED =
  /^(connection|content-length|content-type|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

/** Checks what a request holds, and adds to `issues` all that is wrong with it. */
export function checkCredential(
  request: CredentialRequest,
  options: { readonly allowsPlainTokenUrl: boolean; readonly issues: InputIssue[] },
): CheckedCredential {
  const { issues } = options
  const { kind } = request
  const blame = (name: string, message: string) => issues.push({ in: 'body', name, message })
  if (request.apiId === undefined && request.vendor === undefined) {
    blame('api_id', 'is required: give either api_id or vendor')
  }
  if (request.apiId !== undefined && request.vendor !== undefined) {
    blame('api_id', 'must not be given together with vendor')
  }
  const { needed, allowed } = MEMBERS[kind]
  for (const member of Object.keys(WIRE) as Member[]) {
    const given = request[member]
    // There are users without a password: who says so gives an empty one.
    const isEmpty = given === '' && !(kind === 'BasicAuth' && member === 'password')
    const isGiven = given !== undefined && !isEmpty
    if (!isGiven && needed.includes(member)) blame(WIRE[member], `is required for ${kind}`)
    if (isGiven && !allowed.includes(member)) blame(WIRE[member], `is not for ${kind}`)
  }
  const { name = '', tokenUrl = '' } = request
  const user = request.username ?? request.clientId ?? ''
  const value = request.value ?? request.password ?? request.clientSecret ?? ''
  if (kind === 'header' && name !== '' && (!TOKEN.test(name) || RESERVED.test(name))) {
    blame('name', 'must be the name of a header that a caller may set')
  }
  if (kind === 'cookie' && name !== '' && !TOKEN.test(name)) {
    blame('name', 'must be the name of a cookie')
  }
  // A header is Latin-1 to the wire, and a cookie's value has no separators (RFC 6265 4.1.1).
  const isHeader = kind === 'header' || kind === 'bearer'
  if (isHeader && /[^\x20-\x7e\xa0-\xff]/.test(value)) {
    blame('value', 'must be of characters that a header can hold')
  }
  if (kind === 'cookie' && /[^\x21-\x7e]|[";,\\]/.test(value)) {
    blame('value', 'must be of characters that a cookie can hold')
  }
  if (kind === 'BasicAuth' && user.includes(':')) blame('username', 'must hold no colon')
  if (tokenUrl !== '' && !isTokenUrl(tokenUrl, options.allowsPlainTokenUrl)) {
    blame('token_url', 'must be an https URL without user and fragment')
  }
  return {
    name,
    secret: { value, user },
    tokenUrl,
    oauthScope: request.scope ?? '',
    origins: request.origins && readOrigins(request.origins, issues),
  }
}

function isTokenUrl(text: string, allowsPlain: boolean): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  if (username !== '' || password !== '' || hash !== '') return false
  return protocol === 'https:' || (allowsPlain && protocol === 'http:')
}

/** Distinct, in the spelling in which origins are compared. */
function readOrigins(given: readonly string[], issues: InputIssue[]): readonly string[] {
  const origins = new Set<string>()
  if (given.length === 0) {
    const message =
      'must name at least one origin; without them, the only one of the present servers is meant'
    issues.push({ in: 'body', name: 'origins', message })
  }
  for (const text of given) {
    const origin = /^https?:/i.test(text) && URL.canParse(text) ? new URL(text).origin : undefined
    // Nothing but scheme, host and port: the account shall see what it confirms.
    const isBare = origin !== undefined && `${new URL(text).href}` === `${origin}/`
    if (origin !== undefined && isBare) origins.add(origin)
    else {
      const message = 'must be origins: https://api.example.com, without path, query and user'
      issues.push({ in: 'body', name: 'origins', message })
    }
  }
  return [...origins]
}
