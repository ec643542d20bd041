// Calls a URL twice over one connection, without closing it.
import process from 'node:process'
import { createPinnedEgress } from '../../../adapters/egress/pinned-egress.ts'
import { findEgressFailure, toGet } from './calls.ts'

const egress = createPinnedEgress({ allow: ['127.0.0.1'], connectionIdleMs: 600_000 })
for (const path of ['/at-once', '/later']) {
  console.log(await findEgressFailure(egress, toGet(`${process.argv[2]}${path}`)))
  await new Promise((resolve) => setTimeout(resolve, 20))
}
