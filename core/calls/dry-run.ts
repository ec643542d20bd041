import type { OutgoingCall } from './call.ts'
import { maskCall } from './mask.ts'

/** A request as plain data, for display. */
export interface DryRun {
  readonly method: string
  readonly url: string
  /** Multiple lines of one header are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  /** A string if the body is UTF-8; null without a body; only its length if it exceeds 1 MiB. */
  readonly body: string | { readonly base64: string } | { readonly bytes: number } | null
}

/** Converts a call to plain data with masked secrets. */
export function toDryRun(call: OutgoingCall): DryRun {
  const { method, url, headers, body } = maskCall(omitLongBody(call))
  const lines = new Map<string, string>()
  for (const [name, value] of headers) {
    const known = lines.get(name)
    lines.set(name, known === undefined ? value : `${known}, ${value}`)
  }
  return {
    method,
    url,
    headers: Object.fromEntries(lines),
    body: hasLongBody(call) ? { bytes: call.body.length } : body ? toShownBody(body) : null,
  }
}

/**
 * Converts a call to a curl command for a POSIX shell, with masked secrets. A binary body is piped
 * from `printf`; a body above 1 MiB is read from a file named `body`. Non-ASCII headers are sent in
 * the encoding of the terminal.
 */
export function toCurl(call: OutgoingCall): string {
  const { method, url, headers, body } = maskCall(omitLongBody(call))
  // Prevents curl from expanding patterns in the URL or normalising its path.
  const words = ['curl', '--globoff', '--path-as-is']
  // With `-X HEAD`, curl would wait for a body.
  words.push(
    ...(method === 'HEAD' ? ['--head'] : ['-X', quoteShellWord(method)]),
    quoteShellWord(url),
  )
  for (const [name, value] of headers) {
    // curl omits a header with nothing after the colon.
    words.push('-H', quoteShellWord(value.trim() === '' ? `${name};` : `${name}: ${value}`))
  }
  if (hasLongBody(call)) return [...words, '--data-binary', '@body'].join(' ')
  if (!body || body.length === 0) return words.join(' ')
  const text = decodeUtf8Text(body)
  if (text !== undefined) return [...words, '--data-raw', quoteShellWord(text)].join(' ')
  let octal = ''
  for (const byte of body) octal += OCTAL[byte]
  return `printf '${octal}' | ${[...words, '--data-binary', '@-'].join(' ')}`
}

/** Escaping a longer body takes seconds, and the caller has it as a file anyway. */
const MAX_SHOWN = 1024 * 1024

function hasLongBody(call: OutgoingCall): call is OutgoingCall & { readonly body: Uint8Array } {
  return call.body !== undefined && call.body.length > MAX_SHOWN
}

function omitLongBody(call: OutgoingCall): OutgoingCall {
  return hasLongBody(call) ? { ...call, body: undefined } : call
}

function toShownBody(body: Uint8Array): string | { readonly base64: string } {
  return decodeUtf8Text(body) ?? { base64: toBase64(body) }
}

/** The `printf` escape of each byte. */
const OCTAL = Array.from({ length: 256 }, (_, byte) => `\\${byte.toString(8).padStart(3, '0')}`)

/** Quotes a word for a POSIX shell (2.2.2): single quotes preserve all characters. */
function quoteShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** Decodes UTF-8. Returns undefined if it is invalid or contains NUL, which a shell cannot pass. */
function decodeUtf8Text(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}
