import { EgressError } from '../../core/ports/egress.ts'
import type { ConnectionPool, PooledConnection } from './connection-pool.ts'
import type { EgressTarget } from './targets.ts'

export interface Opening {
  readonly target: EgressTarget
  /** Checked addresses, tried in order. */
  readonly addresses: readonly string[]
  /** Shared evenly among the remaining addresses; only the last one may exceed it. */
  readonly withinMs: number
}

/**
 * Opens a connection to one of several addresses of a target, trying one after the other. Calls
 * back once, with the last error on failure, unless the returned function cancels it.
 */
export function openAny(
  connections: ConnectionPool,
  opening: Opening & { readonly done: (result: PooledConnection | Error) => void },
): () => void {
  const { target, done } = opening
  const addresses = opening.addresses.slice(0, MAX_ADDRESSES)
  const endsAt = performance.now() + opening.withinMs
  let cancel = () => {}

  function attempt(at: number): void {
    const address = addresses[at]
    if (address === undefined) {
      done(new Error('no address found'))
      return
    }
    const left = addresses.length - at
    const next = () => {
      cancel()
      attempt(at + 1)
    }
    const share = Math.max(1, (endsAt - performance.now()) / left)
    const timer = left > 1 ? setTimeout(next, share) : undefined
    const stop = connections.open({ target, address }, (result) => {
      clearTimeout(timer)
      const isFinal = !(result instanceof Error) || result instanceof EgressError || left <= 1
      if (isFinal) done(result)
      else attempt(at + 1)
    })
    cancel = () => {
      clearTimeout(timer)
      stop()
    }
  }

  attempt(0)
  return () => cancel()
}

const MAX_ADDRESSES = 4
