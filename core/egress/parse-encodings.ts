/** Lists the encodings of a `content-encoding` header; empty without a header. */
export function parseEncodings(header: string | undefined): readonly string[] {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '' && name !== 'identity')
}
