import type { CatalogueStore } from '../../catalogue/store.ts'
import { createNotFoundError, ServiceError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Account } from '../../shared/account.ts'
import type { Page, PageRequest } from '../../shared/pages.ts'
import type { PublishedResponse, Recording } from '../records.ts'
import type { GatewayStore } from '../store.ts'
import type { Recorder } from './recorder.ts'
import { isSecurityHeader } from './security-headers.ts'

/** Recorded responses of accounts, and their publication as examples by administrators. */
export interface Recordings {
  /** Newest first. */
  list(account: Account, request: PageRequest): Promise<Page<Omit<Recording, 'body'>>>
  /** Throws `not_found`. */
  get(account: Account, recordingId: string): Promise<Recording>
  /** Throws `not_found`. */
  remove(account: Account, recordingId: string): Promise<void>
  /**
   * Makes one of the account's recordings the example response of its endpoint. Throws `not_found`,
   * and `conflict` unless its status is 2xx and its body is complete text.
   */
  publish(account: Account, recordingId: string): Promise<PublishedResponse>
  /** Removes the published example of an endpoint, by short or numeric ID. Throws `not_found`. */
  unpublish(endpointId: string): Promise<void>
}

/** Creates the recordings. */
export function createRecordings(deps: {
  readonly store: GatewayStore
  readonly catalogue: Pick<CatalogueStore, 'findEndpoint'>
  readonly recorder: Pick<Recorder, 'flush'>
  readonly clock: Clock
}): Recordings {
  const { store, catalogue, recorder, clock } = deps

  async function get(account: Account, recordingId: string): Promise<Recording> {
    // Flush first, so that callers find their most recent recordings.
    await recorder.flush()
    const recording = await store.findRecording(account, recordingId)
    if (recording) return recording
    throw createNotFoundError('Recording')
  }

  return {
    async list(account, request) {
      await recorder.flush()
      return store.listRecordings(account, request)
    },

    get,

    async remove(account, recordingId) {
      if (await store.removeRecording(account, recordingId)) return
      throw createNotFoundError('Recording')
    },

    async publish(account, recordingId) {
      const recording = await get(account, recordingId)
      const { endpointId, endpoint, apiId, status, headers, mediaType, body } = recording
      if (status < 200 || status > 299) {
        throw createNotPublishableError(`its status is ${status}, and must be 2xx`)
      }
      if (body === undefined) throw createNotPublishableError('its body is not text')
      if (recording.isTruncated) throw createNotPublishableError('its body is truncated')
      // Endpoint IDs are permanent, but endpoints can be removed.
      if (!(await catalogue.findEndpoint(endpoint))) {
        throw createNotFoundError('Endpoint', endpoint)
      }
      const publishedAt = clock()
      const answer = {
        endpointId,
        endpoint,
        apiId,
        status,
        headers: headers.filter(([name]) => !isSecurityHeader(name)),
        mediaType,
        body,
        publishedAt,
      }
      await store.publishResponse(answer)
      return answer
    },

    async unpublish(endpointId) {
      const endpoint = await catalogue.findEndpoint(endpointId)
      if (!endpoint) throw createNotFoundError('Endpoint', endpointId)
      if (await store.removePublishedResponse(endpoint.id)) return
      throw createNotFoundError('Published response of endpoint', endpointId)
    },
  }
}

function createNotPublishableError(reason: string): ServiceError {
  return new ServiceError('conflict', `Cannot publish the recording: ${reason}`)
}
