import type { Call } from '../model/program.ts'

/** What a call is given: by position, and by name. */
export type GivenArguments = Pick<Call, 'args' | 'named'>
