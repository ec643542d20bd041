import { UsageError } from './errors.ts'
import { readFileBytes } from './files.ts'
import type { Io } from './io.ts'

/**
 * Reads a secret from a file, else from standard input, without its final line end. Secrets are
 * never arguments: all users of the machine can see those. Throws a `UsageError` if it is empty or
 * not UTF-8; it names the option `--<noun>-file`.
 */
export async function readSecret(
  io: Io,
  file: string | undefined,
  noun = 'secret',
): Promise<string> {
  if (file === undefined && io.isInteractive) io.note(`Reading the ${noun} from standard input.`)
  const bytes = file === undefined ? await io.readInput() : await readFileBytes(file)
  const text = decodeUtf8(bytes)?.replace(/\r?\n$/, '')
  if (text) return text
  const source = file ?? 'standard input'
  const advice = file === undefined ? `. Pipe it, or pass --${noun}-file FILE` : ''
  throw new UsageError(
    `Cannot read the ${noun} from ${source}: it must be one line of text${advice}`,
  )
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
