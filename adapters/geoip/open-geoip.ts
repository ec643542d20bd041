import type { Buffer } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { Reader, type Response } from 'mmdb-lib'
import type { FindGeolocation } from '../../core/ports/geolocation.ts'

/**
 * A file is not a usable geolocation database.
 *
 * @example
 * ```ts
 * import { GeoIpError, openGeoIp } from 'api-discovery/geoip'
 *
 * const geoip = await openGeoIp({ files: ['GeoLite2-City.mmdb'] }).catch((error: unknown) => {
 *   if (error instanceof GeoIpError) return undefined
 *   throw error
 * })
 * ```
 */
export class GeoIpError extends Error {
  override readonly name = 'GeoIpError'
}

/**
 * Opens MaxMind databases (`.mmdb`): City or Country for geolocations, ISP or ASN for network
 * owners. If several files contain a field, the first one wins. Each file is read into memory once.
 * Throws a `GeoIpError` if a file cannot be read, is not a MaxMind database or is corrupt.
 *
 * @example
 * ```ts
 * import { createApiDiscovery } from 'api-discovery'
 * import { openGeoIp } from 'api-discovery/geoip'
 *
 * const geoip = await openGeoIp({ files: ['GeoLite2-City.mmdb', 'GeoLite2-ASN.mmdb'] })
 * const app = createApiDiscovery({ storage, geoip })
 * ```
 */
export async function openGeoIp({
  files,
}: {
  readonly files: readonly string[]
}): Promise<FindGeolocation> {
  const readers = await Promise.all(files.map(openReader))
  return (address) => {
    const found = readers.flatMap((reader) => findRecords(reader, address))
    if (found.length === 0) return undefined
    const findText = (...paths: readonly Path[]) => {
      for (const path of paths) {
        for (const record of found) {
          const text = readTextAt(record, path)
          if (text !== '') return text
        }
      }
      return ''
    }
    return {
      city: findText(['city', 'names', 'en']),
      country: findText(['country', 'names', 'en'], ['registered_country', 'names', 'en']),
      region: findText(['subdivisions', 0, 'names', 'en']),
      isp: findText(
        ['isp'],
        ['traits', 'isp'],
        ['organization'],
        ['autonomous_system_organization'],
      ),
      timezone: findText(['location', 'time_zone']),
    }
  }
}

type Path = readonly (string | number)[]

/** Addresses from all parts of the tree, IPv4 and IPv6: looking them up detects corrupt files. */
const PROBE_ADDRESSES = [
  ...Array.from({ length: 56 }, (_, part) => `${part * 4}.128.1.1`),
  ...Array.from({ length: 16 }, (_, part) => `${(0x2000 + part * 0x100).toString(16)}:db8::1`),
  '1.1.1.1',
  '::1.1.1.1',
]

async function openReader(file: string): Promise<Reader<Response>> {
  const reader = parseDatabase(file, await readBytes(file))
  for (const address of PROBE_ADDRESSES) {
    try {
      if (isOfFamily(reader, address)) reader.get(address)
    } catch {
      throw new GeoIpError(`Cannot read geolocations from ${file}: its data is corrupt`)
    }
  }
  return reader
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    const reason = code === 'ENOENT' ? 'file not found' : code
    throw new GeoIpError(`Cannot read geolocations from ${file}: ${reason}`)
  }
}

function parseDatabase(file: string, bytes: Buffer): Reader<Response> {
  try {
    const reader = new Reader<Response>(bytes)
    const { nodeCount, searchTreeSize } = reader.metadata
    if (nodeCount > 0 && searchTreeSize < bytes.length) return reader
  } catch {
    // Reported below: the library's messages describe bytes, not the file.
  }
  throw new GeoIpError(
    `Cannot read geolocations from ${file}: it is corrupt or not a MaxMind database (.mmdb)`,
  )
}

/** A database may be corrupt where it was not probed: such addresses have no geolocation. */
function findRecords(reader: Reader<Response>, address: string): readonly unknown[] {
  try {
    const record = isOfFamily(reader, address) ? reader.get(address) : null
    return record === null ? [] : [record]
  } catch {
    return []
  }
}

function isOfFamily({ metadata }: Reader<Response>, address: string): boolean {
  return metadata.ipVersion === 6 || !address.includes(':')
}

function readTextAt(record: unknown, path: Path): string {
  let value = record
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return ''
    value = (value as Readonly<Record<string | number, unknown>>)[name]
  }
  return typeof value === 'string' ? value : ''
}
