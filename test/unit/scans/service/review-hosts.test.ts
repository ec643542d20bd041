import { expect, it } from 'vitest'
import { openTestService } from '../../../helpers/service.ts'

it('rejects a review that repeatedly names hosts with very many URLs', async () => {
  const { app, caller, close } = await openTestService()
  const stored = await app.call(
    'submitNetworkScan',
    {
      head: {
        network_name: 'Office',
        project_name: 'Reviewed',
        start_time: '2026-03-13T08:00:00Z',
        scan_status: 'complete',
      },
      rows: Array.from({ length: 11 }, (_, at) => ({
        captured_ip: '',
        host: 'api.acme.example',
        direction: 'Outgoing' as const,
        capture_datetime: '2026-03-13T08:00:00Z',
        method: 'GET',
        url: `https://api.acme.example/v1/${at}`,
      })),
    },
    caller,
  )
  const review = (times: number) =>
    app.call(
      'reviewNetworkScan',
      {
        body: {
          instance_id: stored.instance_id,
          endpoints: Array.from({ length: times }, () => ({
            endpoint_url: 'api.acme.example',
            approval: 'yes' as const,
          })),
        },
      },
      caller,
    )
  await expect(review(1000)).rejects.toMatchObject({ code: 'too_large' })
  const { is_approved, endpoints } = await review(2)
  expect([is_approved, endpoints.length]).toEqual(['yes', 11])
  await close()
})
