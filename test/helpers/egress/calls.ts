import { type Egress, EgressError, type EgressRequest } from '../../../core/ports/egress.ts'

/** A GET without headers. */
export function toGet(url: string, more: Partial<EgressRequest> = {}): EgressRequest {
  return { method: 'GET', url, headers: [], ...more }
}

/** Status and body of a call. */
export async function readAnswer(
  egress: Egress,
  request: EgressRequest,
): Promise<readonly [status: number, body: string]> {
  const answer = await egress.send(request)
  const pieces: Uint8Array[] = []
  for await (const piece of answer.body) pieces.push(piece)
  return [
    answer.status,
    new TextDecoder().decode(await new Blob(pieces as BlobPart[]).arrayBuffer()),
  ]
}

/** How a call fails, before or within its body: the code, and whether anything was sent. */
export async function findEgressFailure(egress: Egress, request: EgressRequest): Promise<string> {
  try {
    const [status] = await readAnswer(egress, request)
    return `answered ${status}`
  } catch (error) {
    if (!(error instanceof EgressError)) return `other: ${String(error)}`
    return error.isUnsent ? `${error.failure}, unsent` : error.failure
  }
}
