import type { HttpRequest } from '../http/message.ts'
import type { Authenticator } from './authenticator.ts'

/** Creates a function that authenticates a request for an operation by its API key. */
export function toKeyAuthentication(authenticator: Authenticator) {
  return (request: HttpRequest, operation: string) => {
    const apiKey = request.header('api-key')
    const caller = authenticator.findVerified(apiKey)
    if (caller) return caller
    const authorization = request.header('authorization')
    const credentials = { apiKey, authorization, operation }
    return authenticator.authenticate(credentials, request.clientAddress)
  }
}
