const MAX_LENGTH = 253
/** With brackets, port and dots at the end; longer texts are not looked at. */
const MAX_TEXT = 300
const DELETE = 0x7f

/**
 * A host's name as other machines sent it: lower case, without a trailing dot, with `_` for what
 * no name has, as far as a NUL; undefined for none. Port and brackets are taken off.
 */
export function toHostName(text: string): string | undefined {
  const bare = (text.split('\0', 1)[0] ?? '').trim().toLowerCase()
  if (bare.length > MAX_TEXT) return undefined
  const bracketed = /^\[([0-9a-f:.]+)\](:\d*)?$/.exec(bare)
  if (bracketed) return bracketed[1]
  const name = bare.replace(/:\d*$/, '').replace(/\.+$/, '')
  if (name === '' || name.length > MAX_LENGTH || /[\s/\\@?#<>"'`:,;(){}[\]|^]/.test(name)) {
    return undefined
  }
  return name.replaceAll(/[^a-z0-9._%*-]/g, '_')
}

/** Where a byte stands first; -1 where it does not. Looks no further than `end`. */
export function findByte(
  bytes: Uint8Array,
  { at, end, byte }: { readonly at: number; readonly end: number; readonly byte: number },
): number {
  const found = bytes.subarray(at, end).indexOf(byte)
  return found === -1 ? -1 : at + found
}

/** Bytes as the text of ISO 8859-1, so that each is one character. */
export function toLatin(
  bytes: Uint8Array,
  { at, end }: { readonly at: number; readonly end: number },
) {
  let text = ''
  for (let index = at; index < end; index += 1) text += String.fromCharCode(bytes[index] ?? 0)
  return text
}

/** A label of a DNS name: lower case, with `_` for what no host's name has. */
export function toLabel(
  bytes: Uint8Array,
  { at, end }: { readonly at: number; readonly end: number },
): string {
  let label = ''
  for (let index = at; index < end; index += 1) {
    const byte = bytes[index] ?? 0
    label += byte > 0x20 && byte < DELETE ? String.fromCharCode(byte) : '_'
  }
  return label.toLowerCase().replaceAll(/[^a-z0-9_-]/g, '_')
}
