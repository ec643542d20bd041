import { parentPort } from 'node:worker_threads'
import { ServiceError } from '../../core/errors.ts'
import {
  PARSE_TASK,
  type ParseTaskInput,
  runParseTask,
} from '../../core/imports/parse-description.ts'
import { fromBuffers } from './bytes.ts'
import { NEXT, type TaskReply, type TaskRequest } from './protocol.ts'
import { splitReply } from './result-chunks.ts'

// Entry of a worker thread: runs one task at a time and replies with plain data.

const TASKS: ReadonlyMap<string, (input: never) => unknown> = new Map([
  [PARSE_TASK, (input: ParseTaskInput) => runParseTask(input, () => releaseBytes(input.bytes))],
])

/** Releases the memory of bytes, even if they are still referenced. */
function releaseBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

let replies: Iterator<TaskReply> = [].values()

parentPort?.on('message', (message: TaskRequest | typeof NEXT) => {
  if (message !== NEXT) replies = splitReply(runTask(message.task, message.input)).values()
  const next = replies.next()
  if (!next.done) parentPort?.postMessage(next.value)
})
parentPort?.postMessage({ kind: 'ready' } satisfies TaskReply)

function runTask(task: string, input: unknown): TaskReply {
  const run = TASKS.get(task)
  if (!run) return { kind: 'failed', code: 'internal', message: `Unknown task "${task}"` }
  try {
    return { kind: 'done', value: run(fromBuffers(input) as never) }
  } catch (error) {
    if (error instanceof ServiceError) {
      const { code, message, extra } = error
      return { kind: 'failed', code, message, extra }
    }
    const isTooDeep = error instanceof RangeError
    return isTooDeep
      ? {
          kind: 'failed',
          code: 'too_expensive',
          message: 'Cannot read the file: it is nested too deeply',
        }
      : { kind: 'failed', code: 'internal', message: 'The task failed' }
  }
}
