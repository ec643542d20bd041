import { describe, it } from 'vitest'
import { serve } from '../../adapters/runtime/serve.ts'
import { describeRuntime } from '../conformance/runtime.ts'

/** Only node:http closes the connection after it rejects a request head. */
const NATIVE_DIFFERENCES = {
  'a request after a bad host': 'GET /2',
}

/**
 * Bun normalises URLs: it resolves dot segments, replaces backslashes, encodes bytes and removes
 * fragments.
 */
const BUN_DIFFERENCES = {
  ...NATIVE_DIFFERENCES,
  'empty lines before a request': 'refused',
  'target "/.."': 'GET /',
  'target "/../../etc/passwd"': 'GET /etc/passwd',
  'target "/./a"': 'GET /a',
  'target "/a/../b"': 'GET /b',
  'target "/a/%2e%2e/metrics"': 'GET /metrics',
  'target "/\\\\"': 'GET //',
  'target "/a\\\\..\\\\b"': 'GET /b',
  'target "/a\\\\metrics"': 'GET /a/metrics',
  'target "/\\"\'<>`{}|^"': "GET /%22'%3C%3E%60%7B%7D|%5E",
  'target "/ÿþ"': 'GET /%EF%BF%BD%EF%BF%BD',
  'target "/\x7f"': 'GET /%7F',
  'target "/#"': 'GET /',
  'target "/?#"': 'GET /?',
  'target "/a#b"': 'GET /a',
  'target "/a#/metrics"': 'GET /a',
  'target "http://"': 'GET /',
  'target "http:///a"': 'GET /a',
}

/**
 * Deno accepts lines that end with LF only, unregistered methods and long targets; it removes
 * fragments.
 */
const DENO_DIFFERENCES = {
  ...NATIVE_DIFFERENCES,
  'lines ended by LF': 'GET /echo',
  'a header ended by LF': 'GET /echo',
  'chunk size " 3"': 'POST /echo',
  'method "FOO"': 'FOO /echo',
  'target "/#"': 'GET /',
  'target "/?#"': 'GET /?',
  'target "/a#b"': 'GET /a',
  'target "/a#/metrics"': 'GET /a',
  'target "http:///a"': 'GET /http:///a',
  [`target "/${'a'.repeat(29)}"`]: `GET /${'a'.repeat(55)}`,
}

const native = 'Bun' in globalThis ? 'Bun.serve' : 'Deno' in globalThis ? 'Deno.serve' : undefined

if (native) {
  describeRuntime(native, async (handler) => ({
    ...(await serve(handler, { port: 0, listener: 'native' })),
    deliversGetBody: false,
    hasTimeouts: false,
    keepsLength: 'Deno' in globalThis,
    destroysAtDeadline: 'Bun' in globalThis,
    differences: 'Bun' in globalThis ? BUN_DIFFERENCES : DENO_DIFFERENCES,
  }))
} else {
  describe('the native server', () => {
    it.skip('is node:http on Node, which has its own test file', () => undefined)
  })
}
