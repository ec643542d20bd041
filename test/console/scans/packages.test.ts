import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestConsole, type TestConsole } from '../../helpers/console.ts'

let pages: TestConsole

beforeAll(async () => {
  pages = await openTestConsole()
})

afterAll(() => pages.close())

async function submit(name: string, packages: object): Promise<string> {
  const row = {
    ...{ endpoint_url: 'https://api.acme.example', ...packages },
    found_in: [{ file: 'package.json', line: 5, column: 3 }],
  }
  const input = { head: { project_name: name }, rows: [row] }
  const { project_id: id } = await pages.app.call('submitProjectScan', input, pages.caller)
  return id
}

test('lists the packages of a project with the CVEs of their versions', async () => {
  const id = await submit('Library', {
    packages: ['pkg:npm/lodash@4.17.15', 'pkg:npm/acme@1.0.0'],
  })
  const { html, text } = await pages.get(`/console/scans/projects/${id}/packages`)
  expect(text).toContain('CVEs affect 1 of 2 client libraries')
  expect(text).toMatch(/pkg:npm\/lodash@4\.17\.15 1 \w+ \d\.\d CVSS 3\.1 CVE-2020-8203/)
  expect(text).toContain('package.json:5')
  expect(html).toContain('<a href="/console/vulnerabilities/CVE-2020-8203">CVE-2020-8203</a>')
})

test('marks the lowest version that a manifest permits', async () => {
  const id = await submit('Range', { lowest_packages: ['pkg:npm/lodash@4.17.15'] })
  const { text } = await pages.get(`/console/scans/projects/${id}/packages`)
  expect(text).toContain('pkg:npm/lodash@4.17.15 Lowest version')
  expect(text).toContain('The installed version may be newer.')
})

test('does not turn a fixed version into the lowest one', async () => {
  const row = { endpoint_url: 'https://api.acme.example', found_in: [] }
  const rows = [
    { ...row, packages: ['pkg:npm/lodash@4.17.15'] },
    { ...row, endpoint_method: 'get', lowest_packages: ['pkg:npm/lodash@4.17.15'] },
    { ...row, endpoint_method: 'put', lowest_packages: ['pkg:npm/lodash@4.17.10'] },
  ]
  const input = { head: { project_name: 'Both' }, rows }
  const { project_id: id } = await pages.app.call('submitProjectScan', input, pages.caller)
  const { packages } = await pages.app.call('listScannedPackages', { project_id: id }, pages.caller)
  expect(packages.map((one) => [one.package, one.is_lowest_version])).toEqual([
    ['pkg:npm/lodash@4.17.10', true],
    ['pkg:npm/lodash@4.17.15', false],
  ])
})

test('explains an empty list', async () => {
  const none = await submit('None', { packages: ['pkg:npm/lodash'] })
  const { text } = await pages.get(`/console/scans/projects/${none}/packages`)
  expect(text).toContain('No packages with a version')
  const safe = await submit('Safe', { packages: ['pkg:npm/lodash@4.17.21'] })
  const { text: checked } = await pages.get(`/console/scans/projects/${safe}/packages`)
  expect(checked).toContain('No known vulnerabilities')
  expect(checked).toContain('1 client library was checked')
})
