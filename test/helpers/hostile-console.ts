import { expect } from 'vitest'
import type { ApiDiscoveryOptions } from '../../core/app-options.ts'
import { SCOPES } from '../../core/shared/account.ts'
import { type Browser, openPremisesWith, type Premises, type Seen } from './console-visit.ts'
import { findIntruders, readWords } from './page-intruders.ts'

/**
 * A console with hostile texts, and a user who can see all of them.
 *
 * | Field | Set in `test/console/` |
 * |---|---|
 * | names of users, keys, accounts; password links; login fields | `hostile/people` |
 * | names, words and homepages of vendors; agreements with their texts and changes | `hostile/catalogue` |
 * | import reports: locations, files, reasons; the redisplayed form | `hostile/catalogue` |
 * | titles, descriptions, paths, parameters, examples, schemes, licences, contacts | `catalogue/hostile` |
 * | projects, networks, hosts, URLs, files, packages, reasons, locations | `hostile/scans`, `scans/texts` |
 * | failures and subjects of rate-limit tests and jobs | `hostile/rate-limits` |
 * | contents, types and headers of responses | `hostile/answers` |
 * | CVE texts, references, sources, weaknesses, products | `vulnerabilities/hostile` |
 * | queries, paths, `next`, `done`, failure pages | `hostile/queries` |
 */
export interface HostileConsole extends Premises {
  readonly root: Browser
  /**
   * Loads pages, which must respond with 200, and expects that hostile texts are only text in them.
   * Resolves with the text of all pages.
   */
  read(paths: readonly string[]): Promise<string>
}

/** Opens a service without data; the user `Root` is logged in. */
export async function openHostileConsole(
  app: Partial<ApiDiscoveryOptions> = {},
): Promise<HostileConsole> {
  const premises = await openPremisesWith(app)
  await premises.addUser('Root', SCOPES)
  const root = premises.open()
  await root.logIn('Root')
  return {
    ...premises,
    root,
    async read(paths) {
      const words: string[] = []
      for (const path of paths) {
        const seen = await root.get(path)
        expect([path, seen.status]).toEqual([path, 200])
        words.push(expectTame(seen))
      }
      return words.join('\n')
    },
  }
}

/** Expects a page on which untrusted texts are only text. Returns its text. */
export function expectTame({ html }: Pick<Seen, 'html'>): string {
  expect(findIntruders(html)).toEqual([])
  return readWords(html)
}

/** Expects that each text occurs verbatim. */
export function expectAll(words: string, texts: readonly string[]): void {
  expect(texts.length).toBeGreaterThan(0)
  expect(texts.filter((text) => !words.includes(text))).toEqual([])
}
