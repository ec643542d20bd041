import type { Clock } from '../ports.ts'

const FROM_CLIENT = /^[A-Za-z0-9._-]{1,64}$/

/**
 * Creates a source of request ids: the client's own where it is harmless text of at most 64
 * characters, else the start of the process and a counter in base 36.
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
