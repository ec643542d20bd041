import type { FindGeolocation } from '../../core/index.ts'
import { GeoIpError, openGeoIp } from '../geoip/open-geoip.ts'
import { CommandError } from './errors.ts'

/** Opens the geolocation databases of `--geoip`; undefined without this option. */
export async function openGeoip(
  files: readonly string[] | undefined,
): Promise<FindGeolocation | undefined> {
  if (files === undefined) return undefined
  try {
    return await openGeoIp({ files })
  } catch (error) {
    throw error instanceof GeoIpError ? new CommandError(error.message) : error
  }
}
