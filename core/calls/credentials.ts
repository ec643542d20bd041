import type { HeaderLine } from '../egress/egress.ts'
import type { ExtraValue } from './body.ts'
import type { BodyKind } from './body-kind.ts'
import type { CredentialValue, SecretPlace } from './call.ts'
import { type Fields, isInBody } from './fields.ts'
import { attempt, type Issues } from './issues.ts'
import { createPairWriter, encodeCookie, plainShape } from './styles.ts'

/** Credentials that no field takes, written for where they go, and the secrets that they are. */
export interface UsedCredentials {
  readonly extras: readonly ExtraValue[]
  /** Of the query. */
  readonly pairs: readonly string[]
  readonly lines: readonly HeaderLine[]
  readonly cookies: readonly string[]
  /** But for fields that are secret anyway, and for those in the path. */
  readonly secrets: readonly SecretPlace[]
  /** Names of path parameters, which are told with their range. */
  readonly steps: readonly string[]
}

/**
 * Puts credentials in the slots where the caller gave nothing: a value of the caller's own wins.
 * One for a place in a path or a body that the endpoint does not have is left out.
 */
export function useCredentials(
  credentials: readonly CredentialValue[] | undefined,
  plan: { readonly fields: Fields; readonly kind: BodyKind | undefined },
  call: { readonly slots: unknown[]; readonly issues: Issues },
): UsedCredentials {
  const { slots, issues } = call
  if (credentials === undefined || credentials.length === 0) return NONE
  const extras: ExtraValue[] = []
  const pairs: string[] = []
  const lines: HeaderLine[] = []
  const cookies: string[] = []
  const secrets: SecretPlace[] = []
  const steps: string[] = []
  for (const { placement, name, value } of credentials) {
    const field = plan.fields.at(placement, name)
    if (field) {
      if (field.refusal !== undefined || slots[field.index] !== undefined) continue
      slots[field.index] = value
      if (placement === 'path') steps.push(name)
      if (placement === 'path' || field.isSecret) continue
    } else if (placement === 'query') {
      const write = createPairWriter(plainShape(name))
      pairs.push(attempt(name, issues, () => write(value)) ?? '')
    } else if (placement === 'header') {
      lines.push([name.toLowerCase(), value])
    } else if (placement === 'cookie') {
      cookies.push(attempt(name, issues, () => `${name}=${encodeCookie(value)}`) ?? '')
    } else if (plan.kind?.isFlattened && isInBody({ placement })) {
      extras.push([name, value])
    } else {
      continue
    }
    secrets.push({ placement, name: placement === 'header' ? name.toLowerCase() : name })
  }
  return { extras, pairs, lines, cookies, secrets, steps }
}

const NONE: UsedCredentials = {
  extras: [],
  pairs: [],
  lines: [],
  cookies: [],
  secrets: [],
  steps: [],
}
