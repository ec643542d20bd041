import type { EgressLimits } from './egress.ts'

/** What a call may take when nothing else is said. */
export const EGRESS_LIMITS: EgressLimits = {
  connectMs: 3_000,
  firstByteMs: 10_000,
  idleMs: 10_000,
  totalMs: 30_000,
  maxHeaderBytes: 16 * 1024,
  maxBodyBytes: 1024 ** 3,
  minBytesPerSecond: 1024,
}
