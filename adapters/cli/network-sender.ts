import { createClient } from '../../core/client.ts'
import type { SubmittedFlow } from '../../core/scans/index.ts'
import type { Spool, SpooledBatch } from '../scanner/index.ts'
import { type Io, toPrintable } from './io.ts'
import type { NetworkHead } from './network-options.ts'
import { type SubmittedNetwork, toSubmitted } from './network-submit.ts'
import type { SubmitTarget } from './scan-options.ts'
import { toRefusal } from './scan-submit.ts'

/** What the first batch of a live scan says of it. */
export interface LiveHead extends NetworkHead {
  readonly start_time: string
  /** `HH:MM:SS`. */
  readonly scan_data_send_freq: string
}

/** Sends a spool's batches in their order. */
export interface NetworkSender {
  /**
   * Sends what waits. False when the service did not take a batch: it is told, and the batch stays
   * for the next time.
   */
  send(): Promise<boolean>
  /** What the service answered last. */
  stored(): SubmittedNetwork | undefined
}

/** Creates a sender; each failure is told once. */
export function createNetworkSender(given: {
  readonly io: Io
  readonly target: SubmitTarget
  readonly spool: Spool<LiveHead>
}): NetworkSender {
  const { io, target, spool } = given
  const client = createClient(target)
  const { origin } = new URL(target.baseUrl)
  let told = ''
  let stored: SubmittedNetwork | undefined

  async function sendOne(batch: SpooledBatch): Promise<void> {
    const { key, head, instanceId, first } = spool.scan()
    // What may be there already is sent as it was the first time.
    const isFirst = instanceId === undefined || batch.number === first
    const names = isFirst ? head : { instance_id: instanceId }
    const answer = await client.submitNetworkScan({
      head: { ...names, batch: batch.number, ...batch.change },
      // Written as such.
      rows: batch.rows() as AsyncIterable<SubmittedFlow>,
      'idempotency-key': `${key}-${batch.number}`,
    })
    stored = toSubmitted(target, answer)
    await spool.release(batch, answer.instance_id)
  }

  return {
    stored: () => stored,
    async send() {
      try {
        for (const batch of await spool.pending()) await sendOne(batch)
        if (told !== '') io.note('The service takes the flows again.')
        told = ''
        return true
      } catch (error) {
        const reason = `Cannot send to ${origin}: ${toRefusal(error, target)}; what was captured is kept.`
        if (reason !== told) io.note(toPrintable(reason))
        told = reason
        return false
      }
    },
  }
}
