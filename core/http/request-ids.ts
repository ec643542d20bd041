import type { Clock } from '../ports/clock.ts'

const FROM_CLIENT = /^[A-Za-z0-9._-]{1,64}$/

/**
 * Creates a generator of request IDs. Returns the client's own ID if it is safe text of at most 64
 * characters. Otherwise joins the start time of the process and a counter, both in base 36.
 */
export function createRequestIds(clock: Clock): (fromClient: string | undefined) => string {
  const prefix = clock().toString(36)
  let count = 0
  return (fromClient) => {
    if (fromClient !== undefined && FROM_CLIENT.test(fromClient)) return fromClient
    count += 1
    return `${prefix}-${count.toString(36)}`
  }
}
