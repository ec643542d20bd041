import type * as v from 'valibot'
import type { ErrorCode } from '../../core/errors.ts'
import type { ApiDiscovery, Caller, Scope } from '../../core/index.ts'
import type { Presentation } from './present.ts'

/** The caller of a tool, and what the tool may use. */
export interface ToolContext {
  readonly app: ApiDiscovery
  readonly caller: Caller
  /** Aborted when the client gives up. */
  readonly signal: AbortSignal
  /**
   * Asks the user of the client; undefined if the client cannot ask. `subject` identifies what is
   * confirmed: the answer to a question about something else does not count.
   */
  readonly confirm: ((message: string, subject: string) => Confirmation) | undefined
}

/** State of a question to the user: a tool returns `ask` for it to be asked, and is run again. */
export type Confirmation =
  | { readonly state: 'ask'; readonly question: unknown }
  | { readonly state: 'yes' | 'no' }

/** A question to the user instead of a result. */
export interface Question {
  readonly question: unknown
}

/** One tool of the server. */
export interface Tool {
  readonly name: string
  readonly title: string
  /** For the agent: when to use the tool, and what to do with its result. */
  readonly description: string
  readonly input: v.GenericSchema<never, unknown>
  readonly output: v.GenericSchema<never, unknown>
  /** Scope that the caller needs. */
  readonly scope: Scope
  /** `reads` changes nothing; `calls` may change or destroy data of a vendor. */
  readonly effect: 'reads' | 'calls'
  /** Next steps after errors of this tool, by error code; override the general ones. */
  readonly nextSteps?: Readonly<Partial<Record<ErrorCode, string>>>
  /** Names of input members for errors, by the parameter names of the called operation. */
  readonly memberNames?: Readonly<Record<string, string>>
  /** Throws `ServiceError`s, which become results that say what to do next. */
  readonly run: (input: never, context: ToolContext) => Promise<Presentation | Question>
}

/** Defines a tool with the types of its schemas. */
export function defineTool<
  const Input extends v.GenericSchema,
  const Output extends v.GenericSchema,
>(
  tool: Omit<Tool, 'input' | 'output' | 'run'> & {
    readonly input: Input
    readonly output: Output
    readonly run: (
      input: v.InferOutput<Input>,
      context: ToolContext,
    ) => Promise<Presentation<v.InferInput<Output>> | Question>
  },
): Tool {
  return tool as unknown as Tool
}
