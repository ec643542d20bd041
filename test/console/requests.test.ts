import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../core/shared/account.ts'
import { openPremises, type Premises } from '../helpers/console-visit.ts'

describe('Requests for pages', () => {
  let premises: Premises
  beforeAll(async () => {
    premises = await openPremises(undefined, true)
    await premises.addUser('Root', SCOPES)
  })
  afterAll(() => premises.close())

  /** Returns the logged requests after the first `count` lines. */
  const listRequests = (count: number) =>
    premises.lines
      .slice(count)
      .map((line) => JSON.parse(line))
      .filter(([, event]) => event === 'request')
      .map(([, , fields]) => fields)

  it('are logged with their page, account, user and address, without query and cookie', async () => {
    const browser = premises.open('192.0.2.9')
    await browser.logIn('Root')
    const count = premises.lines.length
    await browser.get('/console/vulnerabilities/CVE-2021-44228?secret=1')
    await browser.get('/console/nowhere/at/all')
    const session = [...browser.jar.values()].join()
    const [known, unknown] = listRequests(count)
    expect(known).toMatchObject({
      method: 'GET',
      path: '/console/vulnerabilities/CVE-2021-44228',
      operation: 'GET /console/vulnerabilities/:cve',
      status: 200,
      account: premises.account.name,
      user: 'Root',
      client_address: '192.0.2.9',
    })
    expect(unknown).toMatchObject({ operation: 'none', status: 404, user: 'Root' })
    expect(premises.lines.slice(count).join()).not.toContain('secret')
    for (const value of session.split(',')) expect(premises.lines.join()).not.toContain(value)
  })

  it('are counted by the pattern of their page, however many addresses there are', async () => {
    const browser = premises.open()
    await browser.logIn('Root')
    for (let index = 0; index < 30; index += 1) {
      await browser.get(`/console/apis/none-${index}`)
      await browser.get(`/console/elsewhere-${index}`)
      await browser.get(`/console/assets/none-${index}.css`)
    }
    const metrics = await premises.app.fetch(
      new Request('http://service.test/metrics', { headers: { 'api-key': premises.keys.all } }),
    )
    const lines = (await metrics.text())
      .split('\n')
      .filter((line) => /^api_discovery_requests_total.*(console|none)/.test(line))
    expect(lines.filter((line) => /none-\d|elsewhere/.test(line))).toEqual([])
    const counted = new Map(lines.map((line) => line.split(/ (?=\d+$)/) as [string, string]))
    const get = (operation: string, status: number) =>
      Number(
        counted.get(`api_discovery_requests_total{operation="${operation}",status="${status}"}`),
      )
    expect(get('GET /console/apis/:id', 404)).toBe(30)
    expect(get('GET /console/assets', 404)).toBe(30)
    expect(get('none', 404)).toBeGreaterThanOrEqual(30)
  })
})
