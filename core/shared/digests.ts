/** Lower-case hex SHA-256 of bytes, or of a text as UTF-8. Costs some 10 µs through WebCrypto. */
export async function toSha256Hex(content: Uint8Array | string): Promise<string> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const digest = await crypto.subtle.digest('SHA-256', bytes as BufferSource)
  let hex = ''
  for (const byte of new Uint8Array(digest)) hex += (byte + 256).toString(16).slice(1)
  return hex
}
