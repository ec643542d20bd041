import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderFailure } from '../../adapters/web/failure-page.ts'
import { ServiceError } from '../../core/http/problems.ts'
import { openTestConsole, type TestConsole } from '../helpers/console.ts'

let pages: TestConsole
beforeAll(async () => {
  pages = await openTestConsole()
})
afterAll(() => pages.close())

test('A page that is not there says where to look', async () => {
  const { status, html } = await pages.get('/console/apis/nothing')
  expect(status).toBe(404)
  expect(html).toContain('Look for it in the <a href="/console/apis">catalogue</a>')
})

test('A failure says what to do, and nothing of its cause', () => {
  const internal = renderFailure(new TypeError('canary of the cause'))
  expect([internal.status, internal.body.text.includes('canary')]).toEqual([500, false])
  expect(internal.body.text).toContain('tell whoever runs this service')
  const busy = renderFailure(new ServiceError('overloaded', 'Too many wait', { retryAfter: 7 }))
  expect(busy.body.text).toContain('Load the page again in 7 s.')
  const forbidden = renderFailure(new ServiceError('forbidden', 'This needs the scope "admin"'))
  expect(forbidden.body.text).toContain('An administrator of the account changes what you may do')
})
