import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from './build.ts'

/** A fenced block of code. */
export interface Block {
  /** The first word after the fence: `sh`; empty when there is none. */
  readonly language: string
  readonly code: string
  /** Where the block begins and ends in the page: first character of its code, and one past it. */
  readonly start: number
  readonly end: number
  /** Line of the opening fence, from 1. */
  readonly line: number
  /** Texts of the HTML comments directly above the block, first to last. */
  readonly comments: readonly string[]
}

/** A Markdown page of the repository. */
export interface Page {
  /** From the root of the repository, with slashes: `docs/guides/import.md`. */
  readonly path: string
  readonly text: string
  readonly blocks: readonly Block[]
}

const PAGES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'fixtures/README.md']

/** Reads the pages at the root and everything below docs/. */
export async function readPages(): Promise<readonly Page[]> {
  const entries = await readdir(join(ROOT, 'docs'), { recursive: true })
  const below = entries.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)
  const paths = [...PAGES, ...below.map((path) => path.replaceAll('\\', '/')).sort()]
  return Promise.all(
    paths.map(async (path) => toPage(path, await readFile(join(ROOT, path), 'utf8'))),
  )
}

/** Parses a page. */
export function toPage(path: string, text: string): Page {
  const fences = text.matchAll(/((?:^<!--.*-->\n+)*)^```(.*)\n([\s\S]*?)^```$/gm)
  const blocks = [...fences].map(
    ({ index, 0: whole, 1: above = '', 2: info = '', 3: code = '' }) => {
      const start = index + whole.length - code.length - 3
      return {
        language: info.trim().split(/\s/)[0] ?? '',
        code,
        start,
        end: start + code.length,
        line: text.slice(0, index + above.length).split('\n').length,
        comments: [...above.matchAll(/<!--\s*(.*?)\s*-->/g)].map(([, comment = '']) => comment),
      }
    },
  )
  return { path, text, blocks }
}

/** Returns the page without blocks of code and comments. */
export function readProse({ text }: Page): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '').replace(/<!--[\s\S]*?-->/g, '')
}

/** Returns the anchors of a page's headings, as GitHub makes them. */
export function findAnchors(page: Page): ReadonlySet<string> {
  const counts = new Map<string, number>()
  const anchors = new Set<string>()
  for (const [, heading = ''] of readProse(page).matchAll(/^#{1,6} +(.+)$/gm)) {
    const plain = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase()
    const slug = plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-')
    const count = counts.get(slug) ?? 0
    counts.set(slug, count + 1)
    anchors.add(count === 0 ? slug : `${slug}-${count}`)
  }
  return anchors
}

/** Returns the targets of a page's links and images. */
export function findLinks(page: Page): readonly string[] {
  const prose = readProse(page).replace(/`[^`\n]*`/g, '``')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
}

/** Returns the pieces of inline code of a page. */
export function findInlineCode(page: Page): readonly string[] {
  return [...readProse(page).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
}
