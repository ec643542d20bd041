import type { Caller } from '../shared/account.ts'
import type { HttpRequest } from './message.ts'
import type { Context, ForwardedHeader } from './operation.ts'

/** Reads the request lazily: creating an `AbortSignal` is expensive. */
export class CallContext implements Context {
  readonly #request: HttpRequest
  readonly #caller: Caller

  constructor(request: HttpRequest, caller: Caller) {
    this.#request = request
    this.#caller = caller
  }

  get account() {
    return this.#caller.account
  }

  get scopes() {
    return this.#caller.scopes
  }

  get signal() {
    return this.#request.signal
  }

  get accept() {
    return this.#request.header('accept') ?? '*/*'
  }

  get keyId() {
    return this.#caller.keyId
  }

  get source() {
    return this.#caller.source
  }

  get client() {
    return this.#caller.client
  }

  get userName() {
    return this.#caller.userName
  }

  get origin() {
    return this.#request.origin
  }

  header(name: ForwardedHeader) {
    return this.#request.header(name)
  }
}
