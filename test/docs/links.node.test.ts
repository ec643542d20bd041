import { access } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../helpers/build.ts'
import { findAnchors, findLinks, type Page, readPages, toPage } from '../helpers/markdown.ts'

let pages: readonly Page[] = []

beforeAll(async () => {
  pages = await readPages()
})

/** Explains why a link is broken; undefined if it works. */
async function explainDeadLink(page: Page, link: string): Promise<string | undefined> {
  if (/^[a-z]+:/.test(link)) return undefined
  const [file = '', anchor] = link.split('#')
  const path = file === '' ? page.path : posix.join(dirname(page.path), file)
  const isThere = await access(join(ROOT, path)).then(
    () => true,
    () => false,
  )
  if (!isThere) return `${page.path}: ${link}: no such file`
  if (anchor === undefined) return undefined
  const target = pages.find((each) => each.path === path)
  if (target && findAnchors(target).has(anchor)) return undefined
  return `${page.path}: ${link}: no such heading`
}

describe('links in Markdown', () => {
  it('lead to files and headings', async () => {
    const links = pages.flatMap((page) => findLinks(page).map((link) => ({ page, link })))
    const dead = await Promise.all(links.map(({ page, link }) => explainDeadLink(page, link)))
    expect(links.length).toBeGreaterThan(50)
    expect(dead.filter((reason) => reason !== undefined)).toEqual([])
  })

  it('lead to every page of docs/ from the README, directly or over other pages', () => {
    const reached = new Set(['README.md'])
    for (const path of reached) {
      const page = pages.find((each) => each.path === path)
      for (const link of page ? findLinks(page) : []) {
        if (!/^([a-z]+:|#)/.test(link))
          reached.add(posix.join(dirname(path), link.replace(/#.*/, '')))
      }
    }
    const paths = pages.map(({ path }) => path).filter((path) => path.startsWith('docs/'))
    expect(paths.filter((path) => !reached.has(path))).toEqual([])
  })

  it('are told apart from dead ones', async () => {
    const text = '# A title, `code`\n\n[a](none.md) [b](#none) ![c](LICENSE)\n'
    const page = toPage('README.md', text)
    expect(findLinks(page)).toEqual(['none.md', '#none', 'LICENSE'])
    expect([...findAnchors(page)]).toEqual(['a-title-code'])
    expect(await explainDeadLink(page, 'none.md')).toBe('README.md: none.md: no such file')
    expect(await explainDeadLink(page, '#none')).toBe('README.md: #none: no such heading')
    expect(await explainDeadLink(page, 'LICENSE')).toBeUndefined()
  })
})
