import * as v from 'valibot'
import { ServiceError } from '../../errors.ts'
import { describeIssue } from '../../shared/issue-text.ts'
import { PACKAGE_TYPES, type PackageRow, SERVICE_KINDS } from '../../vendors/package-rows.ts'

/**
 * Parses a list of packages from JSON. Throws a `ServiceError` with code `invalid_input` and the
 * reason.
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
  const { success, output, issues } = v.safeParse(packageRows, value)
  if (success) return output
  const [issue] = issues
  const reason = describeIssue(issue, 'the list')
  throw new ServiceError('invalid_input', `Cannot read the packages: ${reason}`)
}

const names = v.optional(v.array(v.pipe(v.string(), v.nonEmpty(), v.maxLength(500))))

const LANGUAGES = Object.fromEntries(Object.keys(PACKAGE_TYPES).map((name) => [name, names]))

/** A base URL. */
export const baseUrl = v.pipe(
  v.string(),
  v.regex(/^(?:https?|wss?):\/\/[^\s/]+/, 'must be an HTTP URL'),
)

/** A list of packages. */
export const packageRows = v.pipe(
  v.array(
    v.strictObject({
      vendor: v.pipe(v.string(), v.nonEmpty(), v.maxLength(500)),
      url: baseUrl,
      hosts: v.optional(
        v.array(v.pipe(v.string(), v.maxLength(253), v.regex(/^[^\s/:]+$/, 'must be a host'))),
      ),
      selfHosted: v.optional(v.boolean()),
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
          LANGUAGES,
          `must be an object of lists of names, by ${Object.keys(LANGUAGES).join(', ')}`,
        ),
      ),
      kind: v.optional(v.picklist(SERVICE_KINDS)),
      providers: names,
      logins: names,
      models: names,
      source: v.optional(v.pipe(v.string(), v.url('must be a URL'))),
    }),
  ),
  v.maxLength(20_000),
)
