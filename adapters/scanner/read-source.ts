import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { findTextSkipReason, isMinified } from './skipped-files.ts'

/** Reason to skip a file after opening it. */
export type ReadSkip = 'binary' | 'generated' | 'minified' | 'too_large' | 'unreadable'

/** Maximum size of a file, in bytes. */
const MAX_BYTES = 2 * 1024 * 1024

/** Bytes at the start of a file in which a NUL marks it as binary. */
const HEAD_BYTES = 8192

/** A file to scan, the key of its stored result, or the reason to skip it. */
export type ReadSource =
  | { readonly text: string; readonly key: string }
  | { readonly known: string }
  | { readonly skipped: ReadSkip }

/**
 * Creates a reader that reuses a buffer for all files. It reads synchronously, so use it in a
 * thread without other work. With a cache, keys are those of its results.
 */
export function createSourceReader(
  root: string,
  cache?: {
    has(key: string): boolean
    toKey(path: string, content: Uint8Array): string
  },
): (path: string) => ReadSource {
  let buffer = new Uint8Array(64 * 1024)
  const decoder = new TextDecoder()
  return (path) => {
    let file: number | undefined
    try {
      file = openSync(join(root, path), 'r')
      const { size } = fstatSync(file)
      if (size > MAX_BYTES) return { skipped: 'too_large' }
      if (size > buffer.length) buffer = new Uint8Array(size + HEAD_BYTES)
      const bytes = buffer.subarray(0, readFully(file, buffer.subarray(0, size)))
      const key = cache?.toKey(path, bytes) ?? ''
      // Only results of files that are not skipped are stored.
      if (cache?.has(key)) return { known: key }
      if (bytes.subarray(0, HEAD_BYTES).includes(0)) return { skipped: 'binary' }
      const text = decoder.decode(bytes)
      const reason = findTextSkipReason(text) ?? (isMinified(text) ? 'minified' : undefined)
      return reason === undefined ? { text, key } : { skipped: reason }
    } catch {
      return { skipped: 'unreadable' }
    } finally {
      if (file !== undefined) closeSync(file)
    }
  }
}

function readFully(file: number, bytes: Uint8Array): number {
  let length = 0
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, length)
    if (read === 0) break
    length += read
  }
  return length
}
