import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findTextSkipReason, isMinified } from './skipped-files.ts'

/** Reason to skip a file after opening it. */
export type ReadSkip = 'binary' | 'generated' | 'minified' | 'too_large' | 'unreadable'

/** Maximum size of a file, in bytes. */
const MAX_BYTES = 2 * 1024 * 1024

/** Length of the start of a text in which a NUL marks a binary file. */
const HEAD_LENGTH = 8192

/** A file to scan, the key of its stored result, or the reason to skip it. */
export type ReadSource =
  | { readonly text: string; readonly key: string }
  | { readonly known: string }
  | { readonly skipped: ReadSkip }

/**
 * Creates a reader of files. It reads synchronously, so use it in a thread without other work. With
 * a cache, keys are those of its results.
 */
export function createSourceReader(
  root: string,
  cache?: {
    has(key: string): boolean
    toKey(path: string, text: string): string
  },
): (path: string) => ReadSource {
  return (path) => {
    try {
      const file = join(root, path)
      if (statSync(file).size > MAX_BYTES) return { skipped: 'too_large' }
      const text = readFileSync(file, 'utf8').replace(/^\u{feff}/u, '')
      const key = cache?.toKey(path, text) ?? ''
      // Only results of files that are not skipped are stored.
      if (cache?.has(key)) return { known: key }
      if (text.slice(0, HEAD_LENGTH).includes('\0')) return { skipped: 'binary' }
      const reason = findTextSkipReason(text) ?? (isMinified(text) ? 'minified' : undefined)
      return reason === undefined ? { text, key } : { skipped: reason }
    } catch {
      return { skipped: 'unreadable' }
    }
  }
}
