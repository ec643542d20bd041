import type { Caller } from '../shared/account.ts'
import { chain, type MaybePromise } from '../shared/maybe-promise.ts'
import { runAdmitted } from './admission.ts'
import { admitCaller, type DispatcherDeps } from './dispatcher.ts'
import type { HttpRequest, HttpResponse } from './message.ts'

/** Runs work for the caller of a request that is not one of the operations. */
export type RunAsCaller = (
  request: HttpRequest,
  /** Name of the work, for the list of refusals that the account sees. */
  name: string,
  work: (caller: Caller) => MaybePromise<HttpResponse>,
) => Promise<HttpResponse>

/** Creates the function, with the authentication and the limits of the operations. */
export function createRunAsCaller(
  deps: Pick<DispatcherDeps, 'authenticate' | 'admit' | 'recordRefusal'>,
): RunAsCaller {
  return async (request, name, work) => {
    const caller = await deps.authenticate(request, name)
    const admission = admitCaller(deps, { operation: name, caller })
    if (!admission) return work(caller)
    return runAdmitted(admission, {
      request,
      // The headers of the admission are added to a copy: a host may share its own.
      work: () =>
        chain(work(caller), (response) => ({ ...response, headers: { ...response.headers } })),
    })
  }
}
