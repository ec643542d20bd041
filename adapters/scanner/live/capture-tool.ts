import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename, delimiter, join } from 'node:path'
import process from 'node:process'
import { clearTimeout, setTimeout } from 'node:timers'

/** A capture cannot be begun, for a reason that a person can mend. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError'
}

/** What is captured, and by what. */
export interface CaptureRequest {
  readonly interface: string
  /** File of `tcpdump` or `dumpcap`, or of what takes the same arguments; looked for when absent. */
  readonly tool?: string | undefined
  /** In the language of pcap-filter(7). */
  readonly filter?: string | undefined
}

/** A tool that captures. */
export interface RunningCapture {
  /** Packets as pcap or pcapng, until it ends. */
  readonly chunks: AsyncIterable<Uint8Array>
  /** Ends it in order, after three seconds by force. */
  stop(): void
  /** Resolves when it has ended: why, where it did so by itself with a failure. */
  readonly ended: Promise<string | undefined>
}

const TOOLS = ['tcpdump', 'dumpcap']
/** Where systems keep tools for administrators. */
const MORE_FOLDERS = ['/usr/sbin', '/sbin', '/usr/local/sbin', '/opt/homebrew/bin']
const STOP_MS = 3000
const MAX_ERRORS = 4000
/** A ClientHello with keys of post-quantum cryptography fits, packets that a card joined included. */
const SNAP_BYTES = '4096'
/** What is seen is read at once, none of it lost at the end, with room for what comes in bursts. */
const AT_ONCE = ['--immediate-mode', '-B', '16384']
/** What tools tell besides failures. */
const NOTICE = /^(?:Capturing on |File: |Packets |(?:\S+: )?listening on |\d+ packets? )/
/** The failure itself, and what explains it. */
const MAX_LINES = 2

/** Starts capturing. Throws a `CaptureError` where there is no tool. */
export async function startCapture(request: CaptureRequest): Promise<RunningCapture> {
  const tool = await findTool(request.tool)
  const child = spawn(tool, toArguments(tool, request), {
    // Ctrl-C in a terminal is for us: then we end it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const errors = collectErrors(child)
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(`${tool} cannot be started: ${error.message}`))
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      const how = signal === null ? `ended with ${code}` : `was ended by ${signal}`
      resolve(isStopped || code === 0 ? undefined : toReason({ tool, how, errors: errors() }))
    })
  })
  return {
    chunks: child.stdout,
    ended,
    stop() {
      if (isStopped) return
      isStopped = true
      child.kill('SIGTERM')
      timer = setTimeout(() => {
        child.kill('SIGKILL')
        // What it started may hold the other end.
        child.stdout.destroy()
      }, STOP_MS)
    },
  }
}

/** Names of the tools' options differ; both write each packet at once to standard output. */
function toArguments(tool: string, request: CaptureRequest): readonly string[] {
  const shared = ['-i', request.interface, '-w', '-', '-s', SNAP_BYTES]
  const { filter } = request
  if (basename(tool).startsWith('dumpcap')) {
    return [...shared, '-P', '-q', ...(filter === undefined ? [] : ['-f', filter])]
  }
  return [...shared, '-U', '-n', ...AT_ONCE, ...(filter === undefined ? [] : ['--', filter])]
}

async function findTool(named: string | undefined): Promise<string> {
  if (named !== undefined) {
    if (await isExecutable(named)) return named
    throw new CaptureError(`Cannot capture: ${named} is no file that can be run`)
  }
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...MORE_FOLDERS]
  for (const name of TOOLS) {
    for (const folder of folders) {
      const file = join(folder, name)
      if (folder !== '' && (await isExecutable(file))) return file
    }
  }
  throw new CaptureError(
    'Cannot capture: there is neither tcpdump nor dumpcap; install one (Debian, Ubuntu: apt-get install tcpdump; Fedora: dnf install tcpdump; macOS has it; dumpcap comes with Wireshark), or name it with --capture-tool',
  )
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function collectErrors(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    text = (text + piece).slice(-MAX_ERRORS)
  })
  return () => text
}

function toReason(given: {
  readonly tool: string
  readonly how: string
  readonly errors: string
}): string {
  const { tool, how, errors } = given
  const name = basename(tool)
  const lines = errors.split('\n').map((line) => line.trim().replace(`${name}: `, ''))
  const told = lines.filter((line) => line !== '' && !NOTICE.test(line)).slice(0, MAX_LINES)
  const isRefused = /permission|not permitted|privilege/i.test(errors)
  const hint = isRefused
    ? `; run it as root, or once: setcap cap_net_raw,cap_net_admin=eip ${tool}`
    : ''
  return `${name} ${how}${told.length === 0 ? '' : `: ${told.join(' ').replace(/\.$/, '')}`}${hint}`
}
