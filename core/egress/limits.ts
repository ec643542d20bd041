import type { Egress, EgressLimits, EgressRequest } from '../ports/egress.ts'

/** Default limits of a call. */
export const EGRESS_LIMITS: EgressLimits = {
  connectMs: 3_000,
  firstByteMs: 10_000,
  idleMs: 10_000,
  totalMs: 30_000,
  maxHeaderBytes: 16 * 1024,
  maxBodyBytes: 1024 ** 3,
  minBytesPerSecond: 1024,
}

/** Returns the total time of a request in milliseconds. */
export function getTotalMs(
  { limits }: Pick<Egress, 'limits'>,
  request: Pick<EgressRequest, 'limits'>,
): number {
  return request.limits?.totalMs ?? (limits ?? EGRESS_LIMITS).totalMs
}
