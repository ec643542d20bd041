import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../../core/client.ts'
import { type SubmittedFlow, toSubmittedFlow } from '../../core/scans/index.ts'
import {
  CaptureError,
  captureLive,
  type LiveEnd,
  type LiveFlows,
  openSpool,
  repeatAtInterval,
  type Spool,
  type SpooledBatch,
} from '../scanner/index.ts'
import { CommandError } from './errors.ts'
import { openGeoip } from './geoip.ts'
import { type CommandIo, type Io, toPrintable } from './io.ts'
import { withLocalCatalogue } from './local-catalogue.ts'
import {
  findSubmitTarget,
  formatClock,
  type NetworkHead,
  type ScanNetworkOptions,
  toNetworkHead,
} from './network-options.ts'
import { printDamage, printFlows, type ReadFlows } from './network-print.ts'
import { type SubmittedNetwork, toSubmitted } from './network-submit.ts'
import type { SubmitTarget } from './scan-options.ts'
import { describeSubmitFailure } from './scan-submit.ts'
import { withStop } from './with-stop.ts'

/** Head of the first batch of a live scan. */
export interface LiveHead extends NetworkHead {
  readonly start_time: string
  /** `HH:MM:SS`. */
  readonly scan_data_send_freq: string
}

/** Sends the batches of a spool in order. */
interface NetworkSender {
  /**
   * Sends pending batches. Resolves with false if the service rejected one or was not reachable.
   * The failure is reported, and the batch remains for the next attempt.
   */
  send(): Promise<boolean>
  /** The last response of the service. */
  stored(): SubmittedNetwork | undefined
}

const SEND_EVERY_MS = 60_000
/** Exit code of a process that SIGINT ended. */
const EXIT_CODE_INTERRUPTED = 130

/** Captures from an interface until stopped, sends flows periodically, then prints a report. */
export async function scanInterface(
  io: CommandIo,
  capture: { readonly name: string; readonly options: ScanNetworkOptions },
): Promise<void> {
  const { name, options } = capture
  const target = findSubmitTarget(io, options)
  const places = await openGeoip(options.geoip)
  const nic = findNetworkInterface(name)
  const sending = target && (await openLiveSubmission(io, { target, name, options, nic }))
  try {
    await withLocalCatalogue(io, options, (known) =>
      withStop({ io, message: '' }, async (signal) => {
        const ownAddresses = [...nic.addresses, ...(options.ownAddress ?? [])]
        const live = await startLiveCapture({ ...options, interface: name, ownAddresses, signal })
        io.note(toPrintable(`Capturing from ${name}. Press Ctrl-C to stop.`))
        const sink = sending && {
          add: (flow: Parameters<typeof toSubmittedFlow>[0]) =>
            sending.spool.add(toSubmittedFlow(flow)),
        }
        const flows = toReadFlows(live, name)
        const head = { ...nic.head, ...toNetworkHead(options, name) }
        await printFlows(io, { flows, known, options, head, locate: places, sink })
        // If the capture did not start, `printCaptureEnd` explains why.
        if (flows.bytes > 0) printDamage(io, flows)
        const end = live.end()
        printCaptureEnd(io, end)
        // A capture that did not start and a spool without batches make no scan.
        const hasBegun = end.status !== 'failed' || (sending?.spool.scan().next ?? 0) > 0
        if (hasBegun) await sending?.finish(end)
      }),
    )
  } finally {
    await sending?.close()
  }
}

interface LiveSubmission {
  readonly spool: Spool<LiveHead>
  finish(end: LiveEnd): Promise<void>
  close(): Promise<void>
}

async function openLiveSubmission(
  io: CommandIo,
  request: {
    readonly target: NonNullable<ReturnType<typeof findSubmitTarget>>
    readonly name: string
    readonly options: ScanNetworkOptions
    readonly nic: NetworkInterface
  },
): Promise<LiveSubmission> {
  const { target, name, options, nic } = request
  const isOwn = options.spool === undefined
  const folder = options.spool ?? (await mkdtemp(join(tmpdir(), 'api-discovery-spool-')))
  const everyMs = options.sendEvery ?? SEND_EVERY_MS
  const head: LiveHead = {
    ...nic.head,
    ...toNetworkHead(options, name),
    start_time: new Date().toISOString(),
    scan_data_send_freq: formatClock(everyMs),
  }
  const open = () => openSpool({ folder, key: randomUUID(), head }).catch(rethrowCaptureError)
  let spool = await open()
  let sender = createNetworkSender({ io, target, spool })
  if (spool.scan().isEnded) {
    // Send the rest of the ended scan, then start a new one.
    if (!(await sender.send())) {
      await spool.close()
      throw createUnsentError(folder)
    }
    await spool.remove()
    spool = await open()
    sender = createNetworkSender({ io, target, spool })
  } else if (spool.isResumed) printResumedScan(io, spool)
  const stopRepeating = repeatAtInterval(everyMs, async () => {
    await spool.seal()
    await sender.send()
  })
  let isSent = false
  return {
    spool,
    async finish(end) {
      await stopRepeating()
      await spool.seal({ scan_status: end.status, end_time: new Date().toISOString() })
      isSent = await sender.send()
      if (isSent) return printStoredScan(io, sender)
      throw createUnsentError(folder)
    },
    async close() {
      await stopRepeating()
      await spool.close()
      const isEmpty = isSent || spool.scan().next === 0
      if (isEmpty) await spool.remove()
      if (isEmpty && isOwn) await rm(folder, { recursive: true, force: true })
    },
  }
}

function startLiveCapture(options: Parameters<typeof captureLive>[0] & ScanNetworkOptions) {
  const { captureTool: tool, duration: durationMs } = options
  return captureLive({ ...options, tool, durationMs }).catch(rethrowCaptureError)
}

/** Turns a `CaptureError`, which the user can resolve, into a `CommandError`. */
function rethrowCaptureError(error: unknown): never {
  throw error instanceof CaptureError ? new CommandError(error.message) : error
}

interface NetworkInterface {
  readonly addresses: readonly string[]
  readonly head: Pick<NetworkHead, 'nic_ip' | 'nic_name' | 'mac_address'>
}

/** Finds the addresses of an interface. The specification prefixes each address with a slash. */
function findNetworkInterface(name: string): NetworkInterface {
  const all = networkInterfaces()
  const own = all[name] ?? []
  const known = own.length > 0 ? own : Object.values(all).flatMap((each) => each ?? [])
  const mac = own.find(({ mac: each }) => each !== '' && each !== '00:00:00:00:00:00')?.mac
  return {
    addresses: known.map(({ address }) => address),
    head: {
      nic_name: name,
      ...(own.length > 0 ? { nic_ip: own.map(({ address }) => `/${address}`).join(' ') } : {}),
      ...(mac === undefined ? {} : { mac_address: mac }),
    },
  }
}

function toReadFlows(live: LiveFlows, name: string): ReadFlows {
  return {
    get bytes() {
      return live.report().bytes
    },
    get damaged() {
      return live.report().damaged.map((damage) => ({ file: name, ...damage }))
    },
    get damagedCount() {
      return live.report().damagedCount
    },
    [Symbol.asyncIterator]: () => live[Symbol.asyncIterator](),
  }
}

function printCaptureEnd(io: CommandIo, { status, reason }: LiveEnd): void {
  io.note(toPrintable(`Capture ${status}: ${reason}.`))
  if (status === 'interrupted') io.setFailed(EXIT_CODE_INTERRUPTED)
  if (status === 'failed') io.setFailed()
}

function printResumedScan(io: Io, spool: Spool<LiveHead>): void {
  const { instanceId } = spool.scan()
  io.note(
    toPrintable(
      `Resuming ${instanceId === undefined ? 'an unsent scan' : `the scan ${instanceId}`}.`,
    ),
  )
}

function printStoredScan(io: Io, { stored }: NetworkSender): void {
  const last = stored()
  if (last) io.note(toPrintable(`Stored as ${last.instanceId}. ${last.advice}`))
}

function createUnsentError(folder: string): CommandError {
  return new CommandError(
    `Cannot submit the whole scan: unsent flows are stored in ${folder}. To send them, run the command again with --spool ${folder}`,
  )
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
