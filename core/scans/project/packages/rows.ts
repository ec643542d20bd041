import * as v from 'valibot'
import type { LanguageFamily } from '../languages.ts'

/** What one vendor's libraries are called, and which API they call. */
export interface PackageRow {
  readonly vendor: string
  /** Base of the API; `{}` for what a user's account or region says. */
  readonly url: string
  /** Package URLs without a version; a `*` at the end stands for any rest. */
  readonly packages: readonly string[]
  /**
   * Modules that are imported, by language, where they are not called like the package:
   * `{ java: ['com.stripe'] }`. Parts are joined by dots; what is below them belongs to them.
   */
  readonly imports?: Readonly<Partial<Record<LanguageFamily, readonly string[]>>> | undefined
}

const names = v.optional(v.array(v.pipe(v.string(), v.nonEmpty(), v.maxLength(500))))

/** A list of packages as people write it, in JSON. */
export const packageRowsSchema = v.pipe(
  v.array(
    v.strictObject({
      vendor: v.pipe(v.string(), v.nonEmpty(), v.maxLength(500)),
      url: v.pipe(v.string(), v.regex(/^(?:https?|wss?):\/\/[^\s/]+/, 'url must be an HTTP URL')),
      packages: v.array(
        v.pipe(
          v.string(),
          v.maxLength(500),
          v.regex(/^pkg:[a-z]+\/[^\s@]*(?:@[^\s@/]+\/)?[^\s@]+$/, 'must be a package URL'),
        ),
      ),
      imports: v.optional(
        v.strictObject({
          javascript: names,
          python: names,
          go: names,
          java: names,
          ruby: names,
          php: names,
          'c-sharp': names,
          rust: names,
          shell: names,
        }),
      ),
    }),
  ),
  v.maxLength(20_000),
)
