import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename, delimiter, join } from 'node:path'
import process from 'node:process'
import { clearTimeout, setTimeout } from 'node:timers'

/**
 * A capture cannot start, for a reason that the user can fix.
 *
 * @example
 * ```ts
 * import { CaptureError, captureLive } from 'api-discovery/scanner'
 *
 * try {
 *   await captureLive({ interface: 'eth0', ownAddresses: [] })
 * } catch (error) {
 *   if (!(error instanceof CaptureError)) throw error
 *   console.error(error.message)
 * }
 * ```
 */
export class CaptureError extends Error {
  override readonly name = 'CaptureError'
}

/** Options of a capture. */
export interface CaptureRequest {
  readonly interface: string
  /** Path of `tcpdump` or `dumpcap`, or of a tool with the same arguments; searched by default. */
  readonly tool?: string | undefined
  /** Filter in the syntax of pcap-filter(7). */
  readonly filter?: string | undefined
}

/** A running capture. */
export interface RunningCapture {
  /** Packets as pcap or pcapng, until the capture ends. */
  readonly chunks: AsyncIterable<Uint8Array>
  /** Stops the tool with SIGTERM, and after three seconds with SIGKILL. */
  stop(): void
  /** Resolves at the end of the tool, with the reason if it failed by itself. */
  readonly ended: Promise<string | undefined>
}

const TOOLS = ['tcpdump', 'dumpcap']
/** Common folders of administration tools. */
const MORE_FOLDERS = ['/usr/sbin', '/sbin', '/usr/local/sbin', '/opt/homebrew/bin']
const STOP_MS = 3000
const MAX_ERRORS = 4000
/** Fits a ClientHello with post-quantum keys, and packets merged by the network card. */
const SNAP_BYTES = '4096'
/** Delivers packets at once, loses none at the end, and buffers bursts. */
const AT_ONCE = ['--immediate-mode', '-B', '16384']
/** Messages of the tools that are not errors. */
const NOTICE = /^(?:Capturing on |File: |Packets |(?:\S+: )?listening on |\d+ packets? )/
/** The error itself and its explanation. */
const MAX_LINES = 2

/** Starts capturing. Throws a `CaptureError` if no tool is found. */
export async function startCapture(request: CaptureRequest): Promise<RunningCapture> {
  const tool = await findTool(request.tool)
  const child = spawn(tool, toToolArguments(tool, request), {
    // Ctrl-C must reach only this process, which then stops the tool.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const errors = collectErrors(child)
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(`cannot start ${tool}: ${error.message}`))
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      const how = signal === null ? `exited with code ${code}` : `was terminated by ${signal}`
      resolve(isStopped || code === 0 ? undefined : explainFailure({ tool, how, errors: errors() }))
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
        // Child processes of the tool may keep the pipe open.
        child.stdout.destroy()
      }, STOP_MS)
    },
  }
}

/** Option names differ between tools; both write each packet at once to standard output. */
function toToolArguments(tool: string, request: CaptureRequest): readonly string[] {
  const shared = ['-i', request.interface, '-w', '-', '-s', SNAP_BYTES]
  const { filter } = request
  if (basename(tool).startsWith('dumpcap')) {
    return [...shared, '-P', '-q', ...(filter === undefined ? [] : ['-f', filter])]
  }
  return [...shared, '-U', '-n', ...AT_ONCE, ...(filter === undefined ? [] : ['--', filter])]
}

async function findTool(path: string | undefined): Promise<string> {
  if (path !== undefined) {
    if (await isExecutable(path)) return path
    throw new CaptureError(`Cannot capture: ${path} is not an executable file`)
  }
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...MORE_FOLDERS]
  for (const name of TOOLS) {
    for (const folder of folders) {
      const file = join(folder, name)
      if (folder !== '' && (await isExecutable(file))) return file
    }
  }
  throw new CaptureError(
    'Cannot capture: tcpdump and dumpcap not found. Install one (Debian, Ubuntu: apt-get install tcpdump; Fedora: dnf install tcpdump; macOS includes tcpdump; Wireshark includes dumpcap), or pass --capture-tool',
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

function explainFailure(failure: {
  readonly tool: string
  readonly how: string
  readonly errors: string
}): string {
  const { tool, how, errors } = failure
  const name = basename(tool)
  const lines = errors.split('\n').map((line) => line.trim().replace(`${name}: `, ''))
  const told = lines.filter((line) => line !== '' && !NOTICE.test(line)).slice(0, MAX_LINES)
  const isRefused = /permission|not permitted|privilege/i.test(errors)
  const hint = isRefused
    ? `. Run it as root, or once: setcap cap_net_raw,cap_net_admin=eip ${tool}`
    : ''
  return `${name} ${how}${told.length === 0 ? '' : `: ${told.join(' ').replace(/\.$/, '')}`}${hint}`
}
