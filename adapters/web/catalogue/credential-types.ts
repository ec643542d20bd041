import { CREDENTIAL_KINDS, type CredentialType } from '../../../core/gateway/index.ts'

const KIND_LABELS: Readonly<Record<CredentialType['kind'], string>> = {
  BasicAuth: 'User name and password',
  OAuth2: 'OAuth 2 client',
  bearer: 'Bearer token',
  body: 'Key in the body',
  cookie: 'Key in a cookie',
  header: 'Key in a header',
  path: 'Key in the path',
  query: 'Key in the query',
}

/** Formats a credential type, such as `Key in a header: X-Api-Key`. */
export function formatCredentialType({ kind, name }: CredentialType): string {
  return name === '' ? KIND_LABELS[kind] : `${KIND_LABELS[kind]}: ${name}`
}

/** Every credential kind, without a name. */
export const ALL_TYPES: readonly CredentialType[] = CREDENTIAL_KINDS.map((kind) => ({
  kind,
  name: '',
}))

/** True if credentials of this kind are sent with a name. */
export function hasName(kind: CredentialType['kind']): boolean {
  return kind !== 'BasicAuth' && kind !== 'OAuth2' && kind !== 'bearer'
}

/** Encodes a type as a form value; `readType` decodes it. */
export function encodeCredentialType({ kind, name }: CredentialType): string {
  return name === '' ? kind : `${kind}:${name}`
}

/** Decodes a form value to a type; undefined for an unknown kind. */
export function decodeCredentialType(value: string): CredentialType | undefined {
  const [first = '', ...rest] = value.split(':')
  const kind = CREDENTIAL_KINDS.find((each) => each === first)
  return kind && { kind, name: hasName(kind) ? rest.join(':').slice(0, 200) : '' }
}
