import * as v from 'valibot'
import { ServiceError } from '../../../http/problems.ts'
import { toIssuePointer } from '../issue-pointer.ts'
import type { LanguageFamily } from '../languages.ts'

/** One of the environments of a vendor's API. */
export interface Environment {
  /** As code names it, in lower case: `sandbox`. */
  readonly name: string
  /** Base of the API there. */
  readonly url: string
}

/** What one vendor's libraries are called, and which API they call. */
export interface PackageRow {
  readonly vendor: string
  /** Base of the API; `{}` for what a user's account or region says. */
  readonly url: string
  /** The environments that the library can call, where it has several; `url` is one of them. */
  readonly environments?: readonly Environment[] | undefined
  /** Package URLs without a version; a `*` at the end stands for any rest. */
  readonly packages: readonly string[]
  /**
   * Modules that are imported, by language, where they are not called like the package:
   * `{ java: ['com.stripe'] }`. Parts are joined by dots; what is below them belongs to them.
   */
  readonly imports?:
    | { readonly [family in LanguageFamily]?: readonly string[] | undefined }
    | undefined
}

/**
 * Reads a list of packages as people write it, from JSON text. Throws a `ServiceError` with code
 * `invalid_input` that says what is wrong.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { parsePackageRows, scanFolder } from 'api-discovery/scanner'
 *
 * const packages = parsePackageRows(await readFile('packages.json', 'utf8'))
 * const found = await scanFolder({ root: '.', packages })
 * ```
 */
export function parsePackageRows(text: string): readonly PackageRow[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ServiceError('invalid_input', 'Cannot read the packages: they must be JSON')
  }
  const { success, output, issues } = v.safeParse(rowsSchema, value)
  if (success) return output
  const [issue] = issues
  const at = toIssuePointer(issue) || 'the list'
  throw new ServiceError('invalid_input', `Cannot read the packages: ${at}: ${issue.message}`)
}

const names = v.optional(v.array(v.pipe(v.string(), v.nonEmpty(), v.maxLength(500))))

const FAMILIES = {
  javascript: names,
  python: names,
  go: names,
  java: names,
  ruby: names,
  php: names,
  'c-sharp': names,
  rust: names,
  shell: names,
}

const baseUrl = v.pipe(
  v.string(),
  v.regex(/^(?:https?|wss?):\/\/[^\s/]+/, 'url must be an HTTP URL'),
)

const rowsSchema = v.pipe(
  v.array(
    v.strictObject({
      vendor: v.pipe(v.string(), v.nonEmpty(), v.maxLength(500)),
      url: baseUrl,
      environments: v.optional(
        v.array(
          v.strictObject({
            name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(100), v.toLowerCase()),
            url: baseUrl,
          }),
        ),
      ),
      packages: v.array(
        v.pipe(
          v.string(),
          v.maxLength(500),
          v.regex(/^pkg:[a-z]+\/[^\s@]*(?:@[^\s@/]+\/)?[^\s@]+$/, 'must be a package URL'),
        ),
      ),
      imports: v.optional(
        v.strictObject(
          FAMILIES,
          `imports must be an object of lists of names, by ${Object.keys(FAMILIES).join(', ')}`,
        ),
      ),
    }),
  ),
  v.maxLength(20_000),
)
