import { SPDX, Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { ServiceError } from '../../http/problems.ts'

/** A place of a document that breaks the official schema, as the validator says it. */
export interface SchemaIssue {
  /** JSON pointer; empty for the document. */
  readonly pointer: string
  /** Keyword of JSON Schema: `required`, `enum`, `additionalProperties`, … */
  readonly keyword: string
  readonly message: string
  readonly params: Readonly<Record<string, unknown>>
}

/** What the official schema says of a document; nothing when it is valid. */
export type JudgeJson = (document: unknown) => Promise<readonly SchemaIssue[]>

/**
 * Makes a judge by the official JSON schema of a version; undefined for a version without one. It
 * stops at the first issue, of which the alternatives come together. It throws a `ServiceError` with
 * code `not_implemented` when the optional packages of the library's validator are not installed.
 */
export function createJsonJudge(version: string): JudgeJson | undefined {
  const known = Object.values(Spec.Version).find((each) => each === version)
  if (known === undefined || Number(version.slice(2)) < 2) return undefined
  const validator = new Validation.JsonStrictValidator(known)
  return async (document) => {
    const issues: unknown = await validator.validate(JSON.stringify(document)).catch(refuse)
    return Array.isArray(issues) ? issues.map(toIssue) : []
  }
}

/** True for an identifier of the SPDX licence list. */
export function isSpdxId(id: string): boolean {
  return SPDX.isSupportedSpdxId(id)
}

function refuse(error: unknown): never {
  if (!(error instanceof Validation.MissingOptionalDependencyError)) throw error
  throw new ServiceError(
    'not_implemented',
    'Cannot validate: install the optional packages ajv, ajv-formats and ajv-formats-draft2019',
  )
}

/** An error of ajv, whose types the library leaves open. */
function toIssue(error: {
  readonly instancePath?: unknown
  readonly keyword?: unknown
  readonly message?: unknown
  readonly params?: unknown
}): SchemaIssue {
  return {
    pointer: String(error.instancePath ?? ''),
    keyword: String(error.keyword ?? ''),
    message: String(error.message ?? 'is not valid'),
    params: { ...(error.params as object | undefined) },
  }
}
