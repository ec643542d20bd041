import { type CaptureOptions, readCapture } from '../../core/traffic/capture/read-capture.ts'
import type { CaptureReport, Flow } from '../../core/traffic/flow.ts'

/** Reads all flows of a capture in chunks of `pieceBytes`. */
export async function readFlows(
  capture: Uint8Array,
  {
    pieceBytes = capture.length,
    ...options
  }: CaptureOptions & { readonly pieceBytes?: number } = {},
): Promise<{ readonly flows: readonly Flow[]; readonly report: CaptureReport }> {
  const reading = readCapture(splitBytes(capture, Math.max(1, pieceBytes)), options)
  const flows: Flow[] = []
  for await (const flow of reading) flows.push(flow)
  return { flows, report: reading.report() }
}

async function* splitBytes(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
