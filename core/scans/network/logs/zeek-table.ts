import type { LogRecord } from './records.ts'

/** Turns the lines of one of Zeek's tab-separated logs into records. */
export interface ZeekTable {
  /** The record of a line; undefined for lines of the header. */
  read(line: string): LogRecord | undefined
}

const LISTS = new Set(['answers', 'TTLs', 'tunnel_parents'])

/** Whether a text begins as Zeek's tab-separated logs do. */
export function isZeekHeader(text: string): boolean {
  return /^#separator \\x09/.test(text) || /^#fields\t/m.test(text)
}

/** Creates the reader of one such log. */
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
        return [[name, toValue(name, cell)]]
      })
      return { _path: path, ...Object.fromEntries(members) }
    },
  }
}

function toValue(name: string, cell: string): unknown {
  if (LISTS.has(name)) return cell.split(',')
  if (cell === 'T' || cell === 'F') return cell === 'T'
  return cell
}
