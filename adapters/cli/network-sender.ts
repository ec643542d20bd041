import { createClient } from '../../core/client.ts'
import type { SubmittedFlow } from '../../core/scans/index.ts'
import type { Spool, SpooledBatch } from '../scanner/index.ts'
import { type Io, toPrintable } from './io.ts'
import type { NetworkHead } from './network-options.ts'
import { type SubmittedNetwork, toSubmitted } from './network-submit.ts'
import type { SubmitTarget } from './scan-options.ts'
import { describeSubmitFailure } from './scan-submit.ts'

/** Head of the first batch of a live scan. */
export interface LiveHead extends NetworkHead {
  readonly start_time: string
  /** `HH:MM:SS`. */
  readonly scan_data_send_freq: string
}

/** Sends the batches of a spool in order. */
export interface NetworkSender {
  /**
   * Sends pending batches. Resolves with false if the service rejected one or was not reachable.
   * The failure is reported, and the batch remains for the next attempt.
   */
  send(): Promise<boolean>
  /** The last response of the service. */
  stored(): SubmittedNetwork | undefined
}

/** Creates a sender. It reports repeated failures once. */
export function createNetworkSender(options: {
  readonly io: Io
  readonly target: SubmitTarget
  readonly spool: Spool<LiveHead>
}): NetworkSender {
  const { io, target, spool } = options
  const client = createClient(target)
  const { origin } = new URL(target.baseUrl)
  let reportedFailure = ''
  let stored: SubmittedNetwork | undefined

  async function sendBatch(batch: SpooledBatch): Promise<void> {
    const { key, head, instanceId, first } = spool.scan()
    // A retry of the first batch must be identical, or its idempotency key is rejected.
    const isFirst = instanceId === undefined || batch.number === first
    const names = isFirst ? head : { instance_id: instanceId }
    const answer = await client.submitNetworkScan({
      head: { ...names, batch: batch.number, ...batch.change },
      // The spool stores flows in this form.
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
        for (const batch of await spool.pending()) await sendBatch(batch)
        if (reportedFailure !== '') io.note('The service accepts flows again.')
        reportedFailure = ''
        return true
      } catch (error) {
        const reason = `Cannot send to ${origin}: ${describeSubmitFailure(error, target)}. Captured flows are stored for the next attempt.`
        if (reason !== reportedFailure) io.note(toPrintable(reason))
        reportedFailure = reason
        return false
      }
    },
  }
}
