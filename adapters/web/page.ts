import type { ApiDiscovery, Caller, CallInput, CallOutput, Contract } from '../../core/index.ts'
import type { Html } from '../../core/shared/html.ts'
import type { Cookie } from './cookies.ts'
import type { FormValues } from './forms.ts'

/** Who looks at the console. */
export interface Viewer {
  /** As the person is greeted. */
  readonly name: string
  /** Whose data is shown, and what may be done with it. */
  readonly caller: Caller
}

/** One request for a page. */
export interface PageRequest {
  readonly app: ApiDiscovery
  /** On public pages too: undefined when nobody is logged in. */
  readonly viewer: Viewer | undefined
  /** Named parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Empty on GET. */
  readonly form: FormValues
  /** Proves that a form was sent from a page of ours; every form carries it. */
  readonly formToken: string
  /** `https://apis.example`, as browsers see the service; undefined when unknown. */
  readonly origin: string | undefined
  /** `https://tools.example/discovery`: what paths of the console stand behind, for links to copy. */
  readonly serviceUrl: string
  /** `https://apis.example/api`: what the paths of operations stand behind, for lines to copy. */
  readonly apiUrl: string
  /** How the command line is started on the machine of the service: `api-discovery`. */
  readonly command: string
  /** What the browser holds of its session; undefined where nobody is logged in, or the host logs in. */
  readonly session: string | undefined
  /** Address of the person's machine, or empty. */
  readonly clientAddress: string
  /** By the service's clock, in milliseconds since the epoch. */
  readonly now: number
  /** Aborted when the person has gone. */
  readonly signal: AbortSignal
  /** Calls an operation of the service for the viewer, with the input rules and scopes of everybody. */
  call<Name extends keyof Contract>(
    name: Name,
    input: CallInput<Contract[Name]>,
  ): Promise<CallOutput<Contract[Name]>>
}

/** A request of somebody who is logged in. */
export interface ViewedRequest extends PageRequest {
  readonly viewer: Viewer
}

/** What a page answers. */
export type PageAnswer =
  | {
      readonly kind: 'page'
      readonly title: string
      /** What stands in `main`, its heading included. */
      readonly body: Html
      /** 200 when absent. */
      readonly status?: number
      readonly cookie?: Cookie | undefined
    }
  | {
      /** 303: what a form did is done, and is not done again by a reload. */
      readonly kind: 'redirect'
      /** Path of this server, such as `/console/account`. */
      readonly to: string
      readonly cookie?: Cookie | undefined
    }
  | {
      /** A file to save. */
      readonly kind: 'file'
      readonly name: string
      readonly mediaType: string
      readonly body: string | Uint8Array | AsyncIterable<Uint8Array>
    }
  /** A picture or the like for a page, from this server. */
  | {
      readonly kind: 'resource'
      readonly mediaType: string
      readonly body: string | Uint8Array
    }

/** Who is let in: everybody, whoever is logged in, or whoever has a scope. */
export type PageAccess = 'public' | 'viewer' | PageScope
type PageScope = Caller['scopes'] extends ReadonlySet<infer Scope> ? Scope : never

/** One page, or one form of a page. */
export interface Page {
  readonly method: 'GET' | 'POST'
  /** Below the console, with named parts: `/apis/:id`. */
  readonly path: string
  readonly access: PageAccess
  /** Of the navigation; none is marked when absent. */
  readonly section?: Section
  readonly answer: (request: ViewedRequest) => PageAnswer | Promise<PageAnswer>
  /** Largest body of a form in bytes; 1 MiB when absent. */
  readonly maxBodyBytes?: number
}

/** Areas of the navigation, in its order. */
export const SECTIONS = [
  { id: 'overview', title: 'Overview', path: '' },
  { id: 'catalogue', title: 'Catalogue', path: '/apis' },
  { id: 'vulnerabilities', title: 'Vulnerabilities', path: '/vulnerabilities' },
  { id: 'scans', title: 'Scans', path: '/scans' },
  { id: 'rate-limits', title: 'Rate limits', path: '/rate-limits' },
  { id: 'imports', title: 'Imports', path: '/imports' },
  { id: 'account', title: 'Account', path: '/account' },
] as const

export type Section = (typeof SECTIONS)[number]['id']

/** Where the console is served; links of pages start with it, and a public path is added to them. */
export const CONSOLE = '/console'
