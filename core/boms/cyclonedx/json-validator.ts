import { SPDX, Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { ServiceError } from '../../errors.ts'

/** A violation of the official schema, as reported by the validator. */
export interface SchemaIssue {
  /** JSON pointer; empty for the document. */
  readonly pointer: string
  /** Keyword of JSON Schema: `required`, `enum`, `additionalProperties`, … */
  readonly keyword: string
  readonly message: string
  readonly params: Readonly<Record<string, unknown>>
}

/** Validates a document by the official schema; resolves to an empty list if it is valid. */
export type ValidateJson = (document: unknown) => Promise<readonly SchemaIssue[]>

/**
 * Creates a validator with the official JSON schema of a version; undefined for a version without
 * one. It stops at the first violation, but reports all alternatives of it. It throws a
 * `ServiceError` with code `not_implemented` if the optional packages of the library's validator
 * are not installed.
 */
export function createJsonValidator(version: string): ValidateJson | undefined {
  const known = Object.values(Spec.Version).find((each) => each === version)
  if (known === undefined || Number(version.slice(2)) < 2) return undefined
  const validator = new Validation.JsonStrictValidator(known)
  return async (document) => {
    const issues: unknown = await validator
      .validate(JSON.stringify(document))
      .catch(rethrowMissingDependency)
    return Array.isArray(issues) ? issues.map(toSchemaIssue) : []
  }
}

/** True for an identifier of the SPDX licence list. */
export function isSpdxId(id: string): boolean {
  return SPDX.isSupportedSpdxId(id)
}

function rethrowMissingDependency(error: unknown): never {
  if (!(error instanceof Validation.MissingOptionalDependencyError)) throw error
  throw new ServiceError(
    'not_implemented',
    'Cannot validate the document: install the optional packages ajv, ajv-formats and ajv-formats-draft2019',
  )
}

/** Converts an error of ajv, which the library does not type. */
function toSchemaIssue(error: {
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
