import { afterAll, describe, expect, it } from 'vitest'
import { createWorkerIsolate } from '../../../adapters/isolate/worker-isolate.ts'
import { openTestService } from '../../helpers/service.ts'

const MIB = 1024 * 1024
const DESCRIPTION = '{"openapi":"3.1.0","info":{"title":"Wide","version":"1"},"paths":{}}'

describe('the maximum file size', () => {
  const isolate = createWorkerIsolate({ maxWorkers: 1 })
  afterAll(() => isolate.close())

  it('is 32 MiB, or the configured size', async () => {
    const bytes = new TextEncoder().encode(DESCRIPTION.padEnd(32 * MIB + 1))
    const request = { bytes, vendorName: 'Wide', createVendor: true, isPublic: true }
    const usual = await openTestService({ isEmpty: true, app: { isolate } })
    await expect(usual.app.imports.importDescription(request)).rejects.toMatchObject({
      code: 'too_large',
      message: 'Cannot import the file: 33554433 bytes, at most 33554432 are allowed',
    })
    await usual.close()
    const wide = await openTestService({
      isEmpty: true,
      app: { isolate, bodyLimits: { maxFileBytes: 40 * MIB } },
    })
    const { report } = await wide.app.imports.importDescription(request)
    expect(report).toMatchObject({ operations: 0, skipped: 0, warnings: [] })
    await wide.close()
  })

  it('is 1 MiB if the file would be parsed on the event loop', async () => {
    const { app, close } = await openTestService({ isEmpty: true })
    const importOf = (length: number) =>
      app.imports.importDescription({
        bytes: new TextEncoder().encode(DESCRIPTION.padEnd(length)),
        vendorName: 'Wide',
        createVendor: true,
        isPublic: true,
      })
    await expect(importOf(MIB + 1)).rejects.toMatchObject({
      code: 'too_large',
      message:
        'Cannot import the file: 1048577 bytes, at most 1048576 are allowed without the option "isolate" of createApiDiscovery',
    })
    expect((await importOf(MIB)).report).toMatchObject({ operations: 0, warnings: [] })
    await close()
  })
})

describe('the base URL for relative servers', () => {
  it('must be absolute for all ways of importing', async () => {
    const { app, close } = await openTestService({ isEmpty: true })
    const bytes = new TextEncoder().encode(DESCRIPTION)
    const request = { bytes, vendorName: 'Wide', createVendor: true, isPublic: true }
    for (const baseUrl of ['nonsense', 'ftp://a.example', '/v1']) {
      await expect(app.imports.importDescription({ ...request, baseUrl })).rejects.toMatchObject({
        code: 'invalid_input',
        issues: [{ in: 'header', name: 'base_url', message: 'must be an http or https URL' }],
      })
    }
    await app.imports.importDescription({ ...request, baseUrl: '' })
    await close()
  })
})
