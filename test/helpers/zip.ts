import { crc32, deflateRawSync } from 'node:zlib'

/** A file of an archive, and what the archive states wrongly about it. */
export interface ZippedFile {
  readonly name: string
  readonly content: string | Uint8Array
  readonly isStored?: boolean
  /** The stated size after decompression. */
  readonly statedBytes?: number
  readonly crc?: number
  /** 0, 8, or an unknown compression method. */
  readonly method?: number
  readonly isEncrypted?: boolean
}

/** Packs files into a zip archive. */
export function zipFiles(files: readonly ZippedFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const file of files) {
    const content = Buffer.from(file.content)
    const data = file.isStored ? content : deflateRawSync(content)
    const name = Buffer.from(file.name)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(file.isEncrypted ? 1 : 0, 2)
    head.writeUInt16LE(file.method ?? (file.isStored ? 0 : 8), 4)
    head.writeUInt32LE(file.crc ?? crc32(content), 10)
    head.writeUInt32LE(data.length, 14)
    head.writeUInt32LE(file.statedBytes ?? content.length, 18)
    head.writeUInt16LE(name.length, 22)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), head, name, data)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), head, rest, name)
    at += 30 + name.length + data.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...parts, list, Buffer.from('PK\x05\x06', 'latin1'), end])
}
