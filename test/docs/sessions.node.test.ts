import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../helpers/build.ts'
import { type Block, type Page, readPages } from '../helpers/markdown.ts'
import { splitCommands } from '../helpers/shell-words.ts'
import { openSession, type Session } from './session.ts'

// Blocks of `console` are run: lines after `$ ` are commands, the others what they print. A line `…`
// stands for any lines, and JSON for a part of the document. Comments above a block prepare it:
// `<!-- run: COMMAND -->`, and `<!-- file: NAME -->`, which writes the block into a file.

/** A command of a block, and the output that the page shows below it. */
interface Step {
  readonly command: string
  readonly shown: readonly string[]
}

function readSteps({ code }: Block): readonly Step[] {
  const steps: { command: string; shown: string[] }[] = []
  for (const line of code.trimEnd().split('\n')) {
    const last = steps.at(-1)
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), shown: [] })
    else if (last?.command.endsWith('\\') && last.shown.length === 0) last.command += `\n${line}`
    else last?.shown.push(line)
  }
  return steps
}

/** Replaces what differs from run to run: times, days, durations, random IDs. */
function mask(line: string): string {
  return line
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, 'TIME')
    .replace(/\d{4}-\d\d-\d\d(?: \d\d:\d\d)?/g, 'DAY')
    .replace(/\b\d+(?:\.\d+)? (?:ms|s)\b/g, 'N s')
    .replace(/\b(prj|net|rep|key|acc|crd|rec|job)_[\w…]+/g, '$1_ID')
    .replace(/adk_live_[\w…]+/g, 'KEY')
    .trimEnd()
}

function isJson(lines: readonly string[]): boolean {
  return /^[[{]/.test(lines[0] ?? '')
}

/** Checks that `whole` contains every member of `part`; lists are compared from their start. */
function contains(whole: unknown, part: unknown): boolean {
  if (typeof part === 'string') return typeof whole === 'string' && mask(whole) === mask(part)
  if (typeof part !== 'object' || part === null) return whole === part
  if (typeof whole !== 'object' || whole === null) return false
  return Object.entries(part).every(([name, value]) => contains(Reflect.get(whole, name), value))
}

/** Checks that `shown` matches the output; `…` matches any lines. */
function fits(printed: readonly string[], shown: readonly string[]): boolean {
  if (isJson(shown) && isJson(printed)) {
    return contains(JSON.parse(printed.join('\n')), JSON.parse(shown.join('\n')))
  }
  const pattern = shown.map((line) =>
    line === '…' ? '(?:.*\\n)*' : `${mask(line).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}\\n`,
  )
  return new RegExp(`^${pattern.join('')}$`).test(printed.map((line) => `${mask(line)}\n`).join(''))
}

/**
 * Returns the part of the output that the page shows: everything, or as many lines as `shown` has
 * before and after its `…`. JSON and output with several `…` must be edited by hand.
 */
function toShown(printed: readonly string[], shown: readonly string[]): readonly string[] {
  if (isJson(shown) || shown.filter((line) => line === '…').length > 1) return shown
  const lines = printed.map((line) => line.trimEnd())
  const cut = shown.indexOf('…')
  if (cut < 0) return lines
  const after = shown.length - cut - 1
  return [...lines.slice(0, cut), '…', ...lines.slice(lines.length - after)]
}

async function runAll(session: Session, script: string): Promise<readonly string[]> {
  const lines: string[] = []
  for (const command of splitCommands(script, session.variables)) {
    lines.push(...(await session.run(command)))
  }
  return lines
}

/** Runs the blocks of a page. Returns the updated page, and adds differences to `faults`. */
async function runPage(page: Page, faults: unknown[]): Promise<string> {
  const session = await openSession()
  let { text } = page
  try {
    for (const block of page.blocks) {
      const lines: string[] = []
      for (const comment of block.comments) {
        const [, kind, value = ''] = /^(run|file): (.*)$/.exec(comment) ?? []
        if (kind === 'run') await runAll(session, value)
        if (kind === 'file') await session.write(value, block.code)
      }
      if (block.language !== 'console') continue
      for (const { command, shown } of readSteps(block)) {
        const printed = await runAll(session, command)
        const isFitting = fits(printed, shown)
        lines.push(`$ ${command}`, ...(isFitting ? shown : toShown(printed, shown)))
        if (!isFitting)
          faults.push({ place: `${page.path}:${block.line}`, command, shown, printed })
      }
      text = text.replace(block.code, () => `${lines.join('\n')}\n`)
    }
  } finally {
    await session.close()
  }
  return text
}

const pages = (await readPages()).filter(({ blocks }) =>
  blocks.some(({ language }) => language === 'console'),
)

describe('what a page shows of a terminal', () => {
  it.each(pages.map((page) => [page.path, page] as const))(
    'is printed, in %s; UPDATE_GOLDEN=1 writes it',
    async (path, page) => {
      const faults: unknown[] = []
      const text = await runPage(page, faults)
      if (process.env.UPDATE_GOLDEN && text !== page.text) {
        await writeFile(join(ROOT, path), text)
        const [written] = (await readPages()).filter((each) => each.path === path)
        expect(written?.text).toBe(await readFile(join(ROOT, path), 'utf8'))
        return
      }
      expect(faults).toEqual([])
    },
  )

  it('is compared without times and ids, and in part where the page says so', () => {
    const printed = ['Done in 2 s', 'key_abc', 'on 2026-01-02', 'end']
    expect(fits(printed, ['Done in 0.1 s', 'key_x', 'on 2025-05-05', 'end'])).toBe(true)
    expect(fits(printed, ['Done in 0.1 s', '…', 'end'])).toBe(true)
    expect(fits(printed, ['Done in 0.1 s', 'end'])).toBe(false)
    expect(toShown(printed, ['Begun', '…', 'ended'])).toEqual(['Done in 2 s', '…', 'end'])
    expect(fits(['{"a":[1,{"b":2}],"c":3}'], ['{ "a": [1, { "b": 2 }] }'])).toBe(true)
    expect(fits(['{"a":[1,{"b":2}],"c":3}'], ['{ "a": [2] }'])).toBe(false)
  })
})
