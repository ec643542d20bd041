import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { isMinified, judgeText } from './left-out.ts'

/** Why a file that was opened is left out. */
export type ReadSkip = 'binary' | 'generated' | 'minified' | 'too_large' | 'unreadable'

/** Bytes of the largest file that is read. */
const MAX_BYTES = 2 * 1024 * 1024

/** Bytes at the head of a file in which a NUL says that it is no text. */
const HEAD_BYTES = 8192

/**
 * Reads files one after the other into the same memory; waits for the disk, so it belongs into a
 * thread that has nothing else to do.
 */
export function createSourceReader(): (path: string) => { text: string } | { skipped: ReadSkip } {
  let buffer = new Uint8Array(64 * 1024)
  const decoder = new TextDecoder()
  return (path) => {
    let file: number | undefined
    try {
      file = openSync(path, 'r')
      const { size } = fstatSync(file)
      if (size > MAX_BYTES) return { skipped: 'too_large' }
      if (size > buffer.length) buffer = new Uint8Array(size + HEAD_BYTES)
      const bytes = buffer.subarray(0, readWhole(file, buffer.subarray(0, size)))
      if (bytes.subarray(0, HEAD_BYTES).includes(0)) return { skipped: 'binary' }
      const text = decoder.decode(bytes)
      const reason = judgeText(text) ?? (isMinified(text) ? 'minified' : undefined)
      return reason === undefined ? { text } : { skipped: reason }
    } catch {
      return { skipped: 'unreadable' }
    } finally {
      if (file !== undefined) closeSync(file)
    }
  }
}

function readWhole(file: number, bytes: Uint8Array): number {
  let length = 0
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, length)
    if (read === 0) break
    length += read
  }
  return length
}
