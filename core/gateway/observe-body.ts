import { type EgressEnd, EgressError } from '../ports/egress.ts'

/**
 * Wraps a body to observe it: `onChunk` for each chunk, `onEnd` exactly once. `onEnd` is also
 * called if the body fails, or if it is released before it was read.
 */
export function observeBody(
  body: AsyncIterable<Uint8Array>,
  listeners: {
    readonly onChunk?: ((chunk: Uint8Array) => void) | undefined
    readonly onEnd: (end: EgressEnd) => void
  },
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = body[Symbol.asyncIterator]()
      let bytes = 0
      let isOver = false
      const end = (failure: EgressEnd['failure']) => {
        if (isOver) return
        isOver = true
        listeners.onEnd({ bytes, failure })
      }
      return {
        async next() {
          try {
            const result = await iterator.next()
            if (result.done) end(undefined)
            else {
              bytes += result.value.byteLength
              listeners.onChunk?.(result.value)
            }
            return result
          } catch (error) {
            end(error instanceof EgressError ? error.failure : 'aborted')
            throw error
          }
        },
        async return(value?: unknown) {
          end('aborted')
          return (await iterator.return?.(value)) ?? { done: true, value: undefined }
        },
      }
    },
  }
}
