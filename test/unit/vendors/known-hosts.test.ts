import { describe, expect, it } from 'vitest'
import { classifyClaim } from '../../../core/vendors/host-vendors.ts'
import { KNOWN_VENDORS } from '../../../core/vendors/known-vendors.ts'

describe('the known vendor of a host', () => {
  it.each([
    ['sheets.googleapis.com', 'Google'],
    ['api.kucoin.com', 'KuCoin'],
    ['api.openweathermap.org', 'OpenWeather'],
    ['eutils.ncbi.nlm.nih.gov', 'NCBI'],
    // Other services of the same institution or company.
    ['api.ibmcloud.com', undefined],
    ['cds.climate.copernicus.eu', undefined],
    ['ssd-api.jpl.nasa.gov', undefined],
    ['login.yahoo.com', undefined],
    ['suggest.baidu.com', undefined],
    ['api.map.baidu.com', 'Baidu Maps'],
    ['registry-1.docker.io', 'Docker'],
    ['sandbox.safaricom.co.ke', 'Safaricom M-PESA'],
    ['sandbox.momodeveloper.mtn.com', 'MTN MoMo'],
    ['hunyuan.tencent.com', 'Tencent Hunyuan'],
    ['geo.api.gouv.fr', undefined],
    ['www.nih.gov', undefined],
    // Customers of a CDN.
    ['d111111abcdef8.cloudfront.net', undefined],
  ])('of %s is %s', (host, vendor) => {
    expect(KNOWN_VENDORS.findByHost(host)?.name).toBe(vendor)
  })

  it.each([
    ['sheets.googleapis.com', 'Acme', 'foreign'],
    ['api.stripe.com', 'Acme', 'foreign'],
    ['api.stripe.com', 'Stripe', 'own'],
    ['api.fda.gov', 'U.S. Food and Drug Administration', 'own'],
    ['api.ibmcloud.com', 'IBM', 'own'],
  ] as const)('decides whether %s belongs to %s: %s', (host, vendorName, claim) => {
    expect(classifyClaim({ host, vendorName, isTemplate: false })).toBe(claim)
  })
})
