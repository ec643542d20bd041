import { parentPort } from 'node:worker_threads'
import { ServiceError } from '../../core/http/problems.ts'
import { PARSE_TASK, type ParseTaskInput, parseDescriptionHere } from '../../core/imports/parse.ts'
import type { TaskReply, TaskRequest } from './protocol.ts'

// The entry of a worker thread: runs the tasks it knows, one at a time, and answers with plain data.

const TASKS: ReadonlyMap<string, (input: never) => unknown> = new Map([
  [PARSE_TASK, (input: ParseTaskInput) => parseDescriptionHere(input)],
])

parentPort?.on('message', ({ task, input }: TaskRequest) => {
  parentPort?.postMessage(answer(task, input))
})
parentPort?.postMessage({ kind: 'ready' } satisfies TaskReply)

function answer(task: string, input: unknown): TaskReply {
  const run = TASKS.get(task)
  if (!run) return { kind: 'failed', code: 'internal', message: `There is no task "${task}"` }
  try {
    return { kind: 'done', value: run(input as never) }
  } catch (error) {
    if (error instanceof ServiceError) {
      const { code, message, extra } = error
      return { kind: 'failed', code, message, extra }
    }
    const isTooDeep = error instanceof RangeError
    return isTooDeep
      ? { kind: 'failed', code: 'too_expensive', message: 'The file is nested too deep' }
      : { kind: 'failed', code: 'internal', message: 'The task failed' }
  }
}
