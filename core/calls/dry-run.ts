import type { OutgoingCall } from './call.ts'
import { maskCall } from './mask.ts'

/** A request as plain data. */
export interface DryRun {
  readonly method: string
  readonly url: string
  /** Lines of one name joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  /** Text where it is UTF-8; null when there is none; only its length beyond a mebibyte. */
  readonly body: string | { readonly base64: string } | { readonly bytes: number } | null
}

/** The request that would be sent, its secrets masked. */
export function toDryRun(call: OutgoingCall): DryRun {
  const { method, url, headers, body } = maskCall(leaveOut(call))
  const lines = new Map<string, string>()
  for (const [name, value] of headers) {
    const known = lines.get(name)
    lines.set(name, known === undefined ? value : `${known}, ${value}`)
  }
  return {
    method,
    url,
    headers: Object.fromEntries(lines),
    body: isLong(call) ? { bytes: call.body.length } : body ? toShown(body) : null,
  }
}

/**
 * The request as a command line for a POSIX shell and curl, its secrets masked. A body that is no
 * text comes from `printf`, one of more than a mebibyte from a file `body`. Headers beyond ASCII are sent in the encoding of the terminal.
 */
export function toCurl(call: OutgoingCall): string {
  const { method, url, headers, body } = maskCall(leaveOut(call))
  // Neither curl's patterns nor its tidying of paths may change the URL.
  const words = ['curl', '--globoff', '--path-as-is']
  // With `-X HEAD` curl would wait for a body.
  words.push(...(method === 'HEAD' ? ['--head'] : ['-X', quote(method)]), quote(url))
  for (const [name, value] of headers) {
    // A header with nothing behind the colon would be left out.
    words.push('-H', quote(value.trim() === '' ? `${name};` : `${name}: ${value}`))
  }
  if (isLong(call)) return [...words, '--data-binary', '@body'].join(' ')
  if (!body || body.length === 0) return words.join(' ')
  const text = toUtf8(body)
  if (text !== undefined) return [...words, '--data-raw', quote(text)].join(' ')
  let octal = ''
  for (const byte of body) octal += OCTAL[byte]
  return `printf '${octal}' | ${[...words, '--data-binary', '@-'].join(' ')}`
}

/** Longer bodies are files that the caller has: to escape them takes seconds. */
const MAX_SHOWN = 1024 * 1024

function isLong(call: OutgoingCall): call is OutgoingCall & { readonly body: Uint8Array } {
  return call.body !== undefined && call.body.length > MAX_SHOWN
}

function leaveOut(call: OutgoingCall): OutgoingCall {
  return isLong(call) ? { ...call, body: undefined } : call
}

function toShown(body: Uint8Array): string | { readonly base64: string } {
  return toUtf8(body) ?? { base64: toBase64(body) }
}

/** Every byte as `printf` writes it. */
const OCTAL = Array.from({ length: 256 }, (_, byte) => `\\${byte.toString(8).padStart(3, '0')}`)

/** A word of a POSIX shell (2.2.2): everything between single quotes stands for itself. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** The text that bytes are; undefined when they are none, or one that no shell can hold. */
function toUtf8(bytes: Uint8Array): string | undefined {
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
