import { describe, it } from 'vitest'
import { serve } from '../../adapters/runtime/serve.ts'
import { describeRuntime } from '../conformance/runtime.ts'

const native = 'Bun' in globalThis ? 'Bun.serve' : 'Deno' in globalThis ? 'Deno.serve' : undefined

if (native) {
  describeRuntime(native, async (handler) => ({
    ...(await serve(handler, { port: 0, listener: 'native' })),
    deliversGetBody: false,
    hasTimeouts: false,
    keepsLength: 'Deno' in globalThis,
    destroysAtDeadline: 'Bun' in globalThis,
  }))
} else {
  describe('the native server', () => {
    it.skip('is node:http itself on Node, which has its own test file', () => undefined)
  })
}
