import type { FindPlace } from '../../core/index.ts'
import { openPlaces, PlacesError } from '../geoip/mmdb.ts'
import { CommandError } from './errors.ts'

/** Opens the geolocation databases of `--geoip`; undefined without this option. */
export async function findPlaces(
  files: readonly string[] | undefined,
): Promise<FindPlace | undefined> {
  if (files === undefined) return undefined
  try {
    return await openPlaces({ files })
  } catch (error) {
    throw error instanceof PlacesError ? new CommandError(error.message) : error
  }
}
