import type { HeaderLine } from '../ports/egress.ts'
import type { ExtraValue } from './body.ts'
import type { BodyKind } from './body-kind.ts'
import type { CredentialValue, SecretPosition } from './call.ts'
import { type Fields, isInBody } from './fields.ts'
import { type Issues, tryWrite } from './issues.ts'
import { createPairWriter, encodeCookie, plainShape } from './styles.ts'

/**
 * Credentials without a matching field, serialised by placement, and the positions of all secrets.
 */
export interface AppliedCredentials {
  readonly extras: readonly ExtraValue[]
  /** Query pairs. */
  readonly pairs: readonly string[]
  readonly lines: readonly HeaderLine[]
  readonly cookies: readonly string[]
  /** Excludes path parameters, and fields that are secret regardless of credentials. */
  readonly secrets: readonly SecretPosition[]
  /** Names of path parameters. The URL writer adds their positions. */
  readonly pathNames: readonly string[]
}

/**
 * Fills fields without a value with credentials: values of the caller take precedence. Skips
 * credentials for a path or body parameter that the endpoint does not have.
 */
export function applyCredentials(
  credentials: readonly CredentialValue[] | undefined,
  plan: { readonly fields: Fields; readonly kind: BodyKind | undefined },
  call: { readonly slots: unknown[]; readonly issues: Issues },
): AppliedCredentials {
  const { slots, issues } = call
  if (credentials === undefined || credentials.length === 0) return NO_CREDENTIALS
  const extras: ExtraValue[] = []
  const pairs: string[] = []
  const lines: HeaderLine[] = []
  const cookies: string[] = []
  const secrets: SecretPosition[] = []
  const steps: string[] = []
  for (const { placement, name, value } of credentials) {
    const field = plan.fields.findByPlacement(placement, name)
    if (field) {
      if (field.refusal !== undefined || slots[field.index] !== undefined) continue
      slots[field.index] = value
      if (placement === 'path') steps.push(name)
      if (placement === 'path' || field.isSecret) continue
    } else if (placement === 'query') {
      const write = createPairWriter(plainShape(name))
      pairs.push(tryWrite(name, issues, () => write(value)) ?? '')
    } else if (placement === 'header') {
      lines.push([name.toLowerCase(), value])
    } else if (placement === 'cookie') {
      cookies.push(tryWrite(name, issues, () => `${name}=${encodeCookie(value)}`) ?? '')
    } else if (plan.kind?.isFlattened && isInBody({ placement })) {
      extras.push([name, value])
    } else {
      continue
    }
    secrets.push({ placement, name: placement === 'header' ? name.toLowerCase() : name })
  }
  return { extras, pairs, lines, cookies, secrets, pathNames: steps }
}

const NO_CREDENTIALS: AppliedCredentials = {
  extras: [],
  pairs: [],
  lines: [],
  cookies: [],
  secrets: [],
  pathNames: [],
}
