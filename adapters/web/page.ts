import type { CallInput, CallOutput, Contract } from '../../core/contract.ts'
import type { ApiDiscovery, Caller } from '../../core/index.ts'
import type { Html } from '../../core/shared/html.ts'
import type { Cookie } from './cookies.ts'
import type { FormValues } from './forms.ts'
import type { Guides } from './guides/guides.ts'

/** The user who views the console. */
export interface Viewer {
  /** Name shown to the user. */
  readonly name: string
  /** Account whose data is shown, and the user's permissions. */
  readonly caller: Caller
}

/** A request for a page. */
export interface PageRequest {
  readonly app: ApiDiscovery
  /** Undefined if the user is not logged in, which only public pages allow. */
  readonly viewer: Viewer | undefined
  /** Named segments of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Empty for GET. */
  readonly form: FormValues
  /** Proves that a form was sent from a page of the console; every form contains it. */
  readonly formToken: string
  /** Origin of the service as browsers see it, `https://apis.example`; undefined when unknown. */
  readonly origin: string | undefined
  /** Prefix of console paths in links to copy: `https://tools.example/discovery`. */
  readonly serviceUrl: string
  /** Prefix of operation paths in commands to copy: `https://apis.example/api`. */
  readonly apiUrl: string
  /** Command that starts the command line on the service's machine: `api-discovery`. */
  readonly command: string
  readonly guides: Guides
  /** Session token of the browser; undefined without a login, or with the host's own login. */
  readonly session: string | undefined
  /** Address of the user's machine, or empty. */
  readonly clientAddress: string
  /** Time of the service's clock, in milliseconds since the epoch. */
  readonly now: number
  /** Aborted when the user's browser disconnects. */
  readonly signal: AbortSignal
  /** Calls an operation of the service for the viewer, with the usual input rules and scopes. */
  call<Name extends keyof Contract>(
    name: Name,
    input: CallInput<Contract[Name]>,
  ): Promise<CallOutput<Contract[Name]>>
}

/** A request of a logged-in user. */
export interface ViewedRequest extends PageRequest {
  readonly viewer: Viewer
}

/** The result of a page request. */
export type PageResult =
  | {
      readonly kind: 'page'
      readonly title: string
      /** Content of `main`, including its heading. */
      readonly body: Html
      /** Default 200. */
      readonly status?: number
      readonly cookie?: Cookie | undefined
    }
  | {
      /** Status 303 after a form, so that a reload does not submit it again. */
      readonly kind: 'redirect'
      /** Path on this server, for example `/console/account`. */
      readonly to: string
      readonly cookie?: Cookie | undefined
    }
  | {
      /** A file to download. */
      readonly kind: 'file'
      readonly name: string
      readonly mediaType: string
      readonly body: string | Uint8Array | AsyncIterable<Uint8Array>
    }
  /** An embedded resource of a page, such as a picture. */
  | {
      readonly kind: 'resource'
      readonly mediaType: string
      readonly body: string | Uint8Array
    }

/** Who may open a page: everyone, logged-in users, or users with a scope. */
export type PageAccess = 'public' | 'viewer' | PageScope
type PageScope = Caller['scopes'] extends ReadonlySet<infer Scope> ? Scope : never

/** One page, or one form of a page. */
export interface Page {
  readonly method: 'GET' | 'POST'
  /** Path below the console, with named segments: `/apis/:id`. */
  readonly path: string
  readonly access: PageAccess
  /** Section to mark in the navigation; default: none. */
  readonly section?: Section
  readonly handle: (request: ViewedRequest) => PageResult | Promise<PageResult>
  /** Maximum size of a form in bytes; default 1 MiB. */
  readonly maxBodyBytes?: number
}

/** Sections of the navigation, in order. */
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

/** Path of the console. Links of pages start with it; a public path is added to them. */
export const CONSOLE = '/console'
