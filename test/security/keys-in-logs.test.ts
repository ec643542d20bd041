import { describe, expect, it } from 'vitest'
import { openTestService } from '../helpers/service.ts'

describe('misplaced key', () => {
  it('is masked in the log', async () => {
    const lines: string[] = []
    const { app, keys, close } = await openTestService({
      isEmpty: true,
      app: {
        logger: { log: (...event) => void lines.push(JSON.stringify(event)) },
      },
    })
    const headers = { 'api-key': keys.all, 'x-request-id': keys.all }
    for (const path of [`/api/categories/${keys.all}`, `/api/categories&api_key=${keys.all}`]) {
      await app.fetch(new Request(`http://service.test${path}`, { headers }))
    }
    expect(lines.filter((line) => line.includes(keys.all))).toEqual([])
    expect(lines.map((line) => JSON.parse(line)[2].path)).toEqual([
      '/api/categories/adk_live_…',
      '/api/categories&api_key=adk_live_…',
    ])
    await close()
  })
})
