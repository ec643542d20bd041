import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openGeoIp } from '../../../adapters/geoip/open-geoip.ts'
import { ROOT } from '../../helpers/build.ts'
import { findSharedData } from '../../helpers/shared-data.ts'

const data = findSharedData()
const pathOf = (name: string) => join(data ?? '', 'mmdb', name)

describe('openPlaces', () => {
  it.skipIf(!data)(
    'finds geolocations, networks and their owners; the first file wins',
    async () => {
      const city = pathOf('GeoIP2-City-Test.mmdb')
      const isp = pathOf('GeoIP2-ISP-Test.mmdb')
      const places = await openGeoIp({ files: [city, isp] })
      expect(places('81.2.69.160')).toEqual({
        city: 'London',
        country: 'United Kingdom',
        region: 'England',
        isp: 'Andrews & Arnold Ltd',
        timezone: 'Europe/London',
      })
      expect(places('2001:218::1')).toEqual({
        city: '',
        country: 'Japan',
        region: '',
        isp: '',
        timezone: 'Asia/Tokyo',
      })
    },
  )

  it.skipIf(!data)('reads the fields of other database types', async () => {
    const blank = { city: '', country: '', region: '', isp: '', timezone: '' }
    const asn = await openGeoIp({ files: [pathOf('GeoLite2-ASN-Test.mmdb')] })
    expect(asn('1.128.0.1')).toEqual({ ...blank, isp: 'Telstra Pty Ltd' })
    const country = await openGeoIp({ files: [pathOf('GeoLite2-Country-Test.mmdb')] })
    expect(country('81.2.69.160')).toEqual({ ...blank, country: 'United Kingdom' })
  })

  it.skipIf(!data)('never throws for an address', async () => {
    const places = await openGeoIp({ files: [pathOf('GeoIP2-City-Test.mmdb')] })
    for (const text of ['', 'rubbish', '10.0.0.5', '999.1.1.1', '::', '%', '1.1.1.1:80', ':::']) {
      expect(places(text)).toBeUndefined()
    }
  })

  it
    .skipIf(!data)
    .each([
      'bad-bad-unicode-in-map-key.mmdb',
      'bad-cyclic-data-structure.mmdb',
      'bad-invalid-bytes-length.mmdb',
      'bad-invalid-data-record-offset.mmdb',
      'bad-invalid-string-length.mmdb',
      'bad-unexpected-bytes.mmdb',
      'GeoLite2-ASN-Test.json',
    ])('rejects %s', async (name) => {
    const file = pathOf(name)
    await expect(openGeoIp({ files: [file] })).rejects.toThrow(
      /: (it is corrupt or not a MaxMind database \(\.mmdb\)|its data is corrupt)$/,
    )
  })

  it('rejects a file that is not a database or is missing', async () => {
    const file = join(ROOT, 'package.json')
    await expect(openGeoIp({ files: [file] })).rejects.toMatchObject({
      name: 'GeoIpError',
      message: `Cannot read geolocations from ${file}: it is corrupt or not a MaxMind database (.mmdb)`,
    })
    const gone = join(ROOT, 'gone.mmdb')
    await expect(openGeoIp({ files: [gone] })).rejects.toMatchObject({
      message: `Cannot read geolocations from ${gone}: file not found`,
    })
  })
})
