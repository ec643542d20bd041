import type { InputIssue } from '../../errors.ts'
import type { CredentialKind } from '../records.ts'

/** A credential as sent by an account. `kind` determines which members are required. */
export interface CredentialRequest {
  /** `encrypted_id` or numeric ID. Excludes `vendor`. */
  readonly apiId?: string | undefined
  /** Vendor name. */
  readonly vendor?: string | undefined
  readonly kind: CredentialKind
  /** Name of the header, cookie or parameter. */
  readonly name?: string | undefined
  readonly value?: string | undefined
  readonly username?: string | undefined
  /** May be empty. */
  readonly password?: string | undefined
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  readonly tokenUrl?: string | undefined
  /** OAuth 2 scopes, separated by spaces. */
  readonly scope?: string | undefined
  /** Allowed origins; default: the only current one. Required if there are several. */
  readonly origins?: readonly string[] | undefined
}

/** The secret parts of a credential, as they are sealed. */
export interface CredentialSecret {
  /** The API key, token, password or client secret. */
  readonly value: string
  /** User name or client ID; empty for other kinds. */
  readonly user: string
}

/** A validated request. */
export interface ValidatedCredential {
  readonly name: string
  readonly secret: CredentialSecret
  readonly tokenUrl: string
  readonly oauthScope: string
  /** Undefined: the only current origin. */
  readonly origins: readonly string[] | undefined
}

type Member = Exclude<keyof CredentialRequest, 'apiId' | 'vendor' | 'kind' | 'origins'>

const WIRE_NAMES: Readonly<Record<Member, string>> = {
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
const HEADER_TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
/** Connection headers, and headers that the HTTP client sets itself. */
const RESERVED_HEADERS =
  /^(connection|content-length|content-type|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

/** Validates a request and adds all problems to `issues`. */
export function validateCredential(
  request: CredentialRequest,
  options: { readonly allowsPlainTokenUrl: boolean; readonly issues: InputIssue[] },
): ValidatedCredential {
  const { issues } = options
  const addIssue: AddIssue = (name, message) => issues.push({ in: 'body', name, message })
  const { name = '', tokenUrl = '' } = request
  const user = request.username ?? request.clientId ?? ''
  const value = request.value ?? request.password ?? request.clientSecret ?? ''
  checkMembers(request, addIssue)
  checkCharacters({ kind: request.kind, name, user, value }, addIssue)
  if (tokenUrl !== '' && !isTokenUrl(tokenUrl, options.allowsPlainTokenUrl)) {
    addIssue('token_url', 'must be an https URL without user name and fragment')
  }
  return {
    name,
    secret: { value, user },
    tokenUrl,
    oauthScope: request.scope ?? '',
    origins: request.origins && parseOrigins(request.origins, issues),
  }
}

type AddIssue = (name: string, message: string) => void

/** Checks which members are set. */
function checkMembers(request: CredentialRequest, addIssue: AddIssue): void {
  const { kind, apiId, vendor } = request
  if (apiId === undefined && vendor === undefined) {
    addIssue('api_id', 'is required: pass api_id or vendor')
  }
  if (apiId !== undefined && vendor !== undefined) {
    addIssue('api_id', 'must not be set together with vendor')
  }
  const { needed, allowed } = MEMBERS[kind]
  for (const member of Object.keys(WIRE_NAMES) as Member[]) {
    const value = request[member]
    // An explicit empty password is allowed: some users have none.
    const isEmpty = value === '' && !(kind === 'BasicAuth' && member === 'password')
    const isPresent = value !== undefined && !isEmpty
    if (isPresent === allowed.includes(member)) continue
    if (isPresent) addIssue(WIRE_NAMES[member], `is not allowed for ${kind}`)
    else if (needed.includes(member)) addIssue(WIRE_NAMES[member], `is required for ${kind}`)
  }
}

/** Checks that names and values can be sent as what they are. */
function checkCharacters(
  {
    kind,
    name,
    user,
    value,
  }: Pick<CredentialRequest, 'kind'> & Readonly<Record<'name' | 'user' | 'value', string>>,
  addIssue: AddIssue,
): void {
  const isToken = name === '' || HEADER_TOKEN.test(name)
  if (kind === 'header' && (!isToken || RESERVED_HEADERS.test(name))) {
    addIssue('name', 'must be the name of a header that may be set')
  }
  if (kind === 'cookie' && !isToken) addIssue('name', 'must be the name of a cookie')
  // Header values are Latin-1, and cookie values contain no separators (RFC 6265 4.1.1).
  const isHeader = kind === 'header' || kind === 'bearer'
  if (isHeader && /[^\x20-\x7e\xa0-\xff]/.test(value)) {
    addIssue('value', 'must contain only characters allowed in a header')
  }
  if (kind === 'cookie' && /[^\x21-\x7e]|[";,\\]/.test(value)) {
    addIssue('value', 'must contain only characters allowed in a cookie')
  }
  if (kind === 'BasicAuth' && user.includes(':')) addIssue('username', 'must not contain a colon')
}

function isTokenUrl(text: string, allowsPlain: boolean): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  if (username !== '' || password !== '' || hash !== '') return false
  return protocol === 'https:' || (allowsPlain && protocol === 'http:')
}

/** Returns the distinct origins in normalized spelling. */
function parseOrigins(texts: readonly string[], issues: InputIssue[]): readonly string[] {
  const origins = new Set<string>()
  if (texts.length === 0) {
    const message =
      'must contain at least one origin; omit it to use the only origin of the declared servers'
    issues.push({ in: 'body', name: 'origins', message })
  }
  for (const text of texts) {
    const origin = /^https?:/i.test(text) && URL.canParse(text) ? new URL(text).origin : undefined
    // Only scheme, host and port: accounts must see exactly what they confirm.
    const isBare = origin !== undefined && `${new URL(text).href}` === `${origin}/`
    if (origin !== undefined && isBare) origins.add(origin)
    else {
      const message =
        'must be origins without path, query and user name, such as https://api.example.com'
      issues.push({ in: 'body', name: 'origins', message })
    }
  }
  return [...origins]
}
