const MAX_LENGTH = 253
/** Includes brackets, port and trailing dots; longer text is rejected. */
const MAX_TEXT = 300
const DELETE = 0x7f

/**
 * Normalises a host name from untrusted data: cuts it at a NUL, removes port, brackets and trailing
 * dots, and converts to lower case. Characters that no name has become `_`. Undefined if no name is
 * left.
 */
export function normalizeHostName(text: string): string | undefined {
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

/** Finds the first position of a byte before `end`, or -1. */
export function findByte(
  bytes: Uint8Array,
  { at, end, byte }: { readonly at: number; readonly end: number; readonly byte: number },
): number {
  const found = bytes.subarray(at, end).indexOf(byte)
  return found === -1 ? -1 : at + found
}

/** Decodes bytes as ISO 8859-1, one character per byte. */
export function decodeLatin1(
  bytes: Uint8Array,
  { at, end }: { readonly at: number; readonly end: number },
) {
  let text = ''
  for (let index = at; index < end; index += 1) text += String.fromCharCode(bytes[index] ?? 0)
  return text
}

/** Normalises a label of a DNS name: lower case, with `_` for characters that no host name has. */
export function normalizeDnsLabel(
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
