import type { CatalogueStore } from '../../catalogue/store.ts'
import { ServiceError } from '../../http/problems.ts'
import type { Clock } from '../../ports.ts'
import type { Account } from '../../shared/account.ts'
import type { Page, PageRequest } from '../../shared/pages.ts'
import type { PublishedAnswer, Recording } from '../records.ts'
import type { GatewayStore } from '../store.ts'
import type { Recorder } from './recorder.ts'
import { isSecurityHeader } from './security-headers.ts'

/** Answers that accounts had kept, and what administrators publish of them. */
export interface Recordings {
  /** Newest first. */
  list(account: Account, request: PageRequest): Promise<Page<Omit<Recording, 'body'>>>
  /** Throws `not_found`. */
  get(account: Account, recordingId: string): Promise<Recording>
  /** Throws `not_found`. */
  remove(account: Account, recordingId: string): Promise<void>
  /**
   * Makes one of the account's the endpoint's example response. Throws `not_found`, and `conflict`
   * for one that is no example: whose status is not of a success, whose body is no text or not whole.
   */
  publish(account: Account, recordingId: string): Promise<PublishedAnswer>
  /** Takes an endpoint's back, by short or numeric id. Throws `not_found`. */
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
    // A caller finds what it had kept a moment ago.
    await recorder.flush()
    const recording = await store.findRecording(account, recordingId)
    if (recording) return recording
    throw new ServiceError('not_found', 'Cannot find the recording: the account has none such')
  }

  return {
    async list(account, request) {
      await recorder.flush()
      return store.listRecordings(account, request)
    },

    get,

    async remove(account, recordingId) {
      if (await store.removeRecording(account, recordingId)) return
      throw new ServiceError('not_found', 'Cannot find the recording: the account has none such')
    },

    async publish(account, recordingId) {
      const recording = await get(account, recordingId)
      const { endpointId, endpoint, apiId, status, headers, mediaType, body } = recording
      if (status < 200 || status > 299) {
        throw toNoExample(`its status must be of a success (2xx): ${status}`)
      }
      if (body === undefined) throw toNoExample('its body is no text')
      if (recording.isTruncated) throw toNoExample('its body is not whole')
      // Ids of endpoints last, but not longer than the endpoints.
      if (!(await catalogue.findEndpoint(endpoint))) {
        throw new ServiceError('not_found', `There is no endpoint "${endpoint}" any more`)
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
      await store.publishAnswer(answer)
      return answer
    },

    async unpublish(endpointId) {
      const endpoint = await catalogue.findEndpoint(endpointId)
      if (!endpoint) throw new ServiceError('not_found', `There is no endpoint "${endpointId}"`)
      if (await store.removePublishedAnswer(endpoint.id)) return
      throw new ServiceError('not_found', `Endpoint "${endpointId}" has no published answer`)
    },
  }
}

function toNoExample(reason: string): ServiceError {
  return new ServiceError('conflict', `Cannot publish the recording: ${reason}`)
}
