import { type EgressEnd, EgressError } from '../egress/egress.ts'

/**
 * The same body, told of as it is read: each chunk, and once how it ended, in whichever way and even
 * when nobody began to read it.
 */
export function watchBody(
  body: AsyncIterable<Uint8Array>,
  told: {
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
        told.onEnd({ bytes, failure })
      }
      return {
        async next() {
          try {
            const result = await iterator.next()
            if (result.done) end(undefined)
            else {
              bytes += result.value.byteLength
              told.onChunk?.(result.value)
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
