import type { LogRecord } from './records.ts'

/** Converts lines of one tab-separated Zeek log to records. */
export interface ZeekTable {
  /** Returns the record of a line; undefined for header lines. */
  read(line: string): LogRecord | undefined
}

const LISTS = new Set(['answers', 'TTLs', 'tunnel_parents'])

/** Whether text starts like a tab-separated Zeek log. */
export function isZeekHeader(text: string): boolean {
  return /^#separator \\x09/.test(text) || /^#fields\t/m.test(text)
}

/** Creates a reader of one tab-separated log. */
export function createZeekTable(): ZeekTable {
  let names: readonly string[] = []
  let path = ''
  return {
    read(line) {
      const cells = line.split('\t')
      if (line.startsWith('#')) {
        if (cells[0] === '#fields') names = cells.slice(1)
        if (cells[0] === '#path') path = cells[1] ?? ''
        return undefined
      }
      const members = names.flatMap((name, index): readonly (readonly [string, unknown])[] => {
        const cell = cells[index]
        if (cell === undefined || cell === '-' || cell === '(empty)') return []
        return [[name, parseCell(name, cell)]]
      })
      return { _path: path, ...Object.fromEntries(members) }
    },
  }
}

function parseCell(name: string, cell: string): unknown {
  if (LISTS.has(name)) return cell.split(',')
  if (cell === 'T' || cell === 'F') return cell === 'T'
  return cell
}
