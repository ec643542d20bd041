import type { LoadReport, SyncEvent } from '../../core/vulnerabilities/index.ts'
import { type Io, toPrintable } from './io.ts'
import { formatDuration, PROGRESS_INTERVAL_MS } from './progress.ts'

/** Reports a sync as text lines, or as one JSON object per line. */
export interface SyncReporter {
  onEvent(event: SyncEvent): void
  /** Clears the progress line and prints the number of omitted problems. */
  end(): void
}

/** Prints the first problems of each kind, then the number of further ones. */
interface ProblemPrinter {
  print(problem: ProblemEvent): void
  /** Prints the number of further problems of each kind. Call it at the end of a source. */
  end(): void
}

type ProblemEvent = Extract<SyncEvent, { readonly kind: 'problem' }>

const JSON_EVENT_INTERVAL_MS = 1_000
/** Shorter waits are not reported, in milliseconds. */
const MIN_REPORTED_WAIT_MS = 3_000
/** Minimum period for a meaningful rate, in seconds. */
const MIN_MEASURED_SECONDS = 0.2

/** How a reporter writes. */
export interface SyncReporterOptions {
  /** Write every event to standard output, one JSON object per line. */
  readonly isJson: boolean
  /** Member `source` of JSON events, if several sources are loaded. */
  readonly source?: string
  /** Start of each line of text. */
  readonly prefix?: string
}

/** Creates a reporter. */
export function createSyncReporter(io: Io, options: SyncReporterOptions): SyncReporter {
  const { isJson, source, prefix = '' } = options
  const meter = createProgressMeter()
  const problems = createProblemPrinter(note)
  let shownAt = Date.now()
  let shownPhase = ''

  function isDue(phase: string): boolean {
    const { line, redraw } = PROGRESS_INTERVAL_MS
    const everyMs = isJson ? JSON_EVENT_INTERVAL_MS : io.isInteractive ? redraw : line
    const isNew = isJson && phase !== shownPhase
    if (!isNew && Date.now() - shownAt < everyMs) return false
    shownAt = Date.now()
    shownPhase = phase
    return true
  }

  function note(line: string): void {
    io.status(undefined)
    io.note(toPrintable(`${prefix}${line}`))
  }

  function show(event: SyncEvent): void {
    if (event.kind === 'progress') {
      const line = `${prefix}${formatSyncProgress(meter.measure(event))}`
      if (!isDue(event.phase)) return
      if (io.isInteractive) io.status(line)
      else io.note(line)
    } else if (event.kind === 'waiting' && event.ms >= MIN_REPORTED_WAIT_MS) {
      note(`${event.reason}; waiting ${formatDuration(event.ms / 1000)}`)
    } else if (event.kind === 'problem') problems.print(event)
    else if (event.kind === 'begun') note(describeSyncStart(event))
    else if (event.kind === 'file' && (event.state === 'done' || event.state === 'failed')) {
      problems.end()
    } else if (event.kind === 'file' && event.state === 'skipped') {
      note(`${event.name}: skipped, already read before the interruption`)
    } else if (event.kind === 'file' && event.state === 'foreign') {
      note(`${event.name}: skipped, it contains no CVE records`)
    }
  }

  function writeEvent(event: Readonly<Record<string, unknown>>): void {
    // A problem has a source of its own: the file.
    const named = source === undefined ? {} : { source, file: event.source }
    io.result(JSON.stringify({ ...event, ...named }))
  }

  function write(event: SyncEvent): void {
    const { kind, ...rest } = event
    if (event.kind !== 'progress') {
      writeEvent({ event: kind, ...rest })
      return
    }
    const { phase, done, total, rate, secondsLeft } = meter.measure(event)
    if (!isDue(phase)) return
    const progress = {
      phase,
      done,
      total,
      rate: rate && Math.round(rate),
      seconds_left: secondsLeft,
    }
    writeEvent({ event: kind, ...progress })
  }

  return {
    onEvent: isJson ? write : show,
    end() {
      io.status(undefined)
      problems.end()
    },
  }
}

/** Summarizes a load in two or three lines. */
export function summarizeLoad(load: LoadReport, what: string): readonly string[] {
  const { read, added, joined = 0, changed, unchanged, older, removed, total, ms } = load
  const { removedExamples = 0 } = load
  const counts = [`${added} added`]
  if (joined > 0) counts.push(`${joined} joined to CVEs of the other source`)
  counts.push(`${changed} changed`, `${unchanged} unchanged`)
  if (older > 0) counts.push(`${older} older than the stored record`)
  if (removed > 0) counts.push(`${removed} removed`)
  return [
    `${read} ${what} read in ${formatDuration(ms / 1000)}: ${counts.join(', ')}`,
    ...(removedExamples > 0 ? [`${removedExamples} of the removed records were examples`] : []),
    what === 'records' ? `${total} in total, including rejected records` : `${total} in total`,
  ]
}

interface MeasuredProgress {
  readonly phase: ProgressEvent['phase']
  readonly done: number
  readonly total: number | undefined
  /** Average number per second; undefined at the beginning. */
  readonly rate: number | undefined
  readonly secondsLeft: number | undefined
}

type ProgressEvent = Extract<SyncEvent, { readonly kind: 'progress' }>

/** Measures from the first event of a phase: a resumed sync starts in the middle. */
function createProgressMeter() {
  let first: { readonly at: number; readonly event: ProgressEvent } | undefined
  return {
    measure(event: ProgressEvent): MeasuredProgress {
      const now = Date.now()
      const { phase, done, total, bytes } = event
      // A new phase, or another pass of the same phase.
      if (first?.event.phase !== phase || done < first.event.done) first = { at: now, event }
      const seconds = (now - first.at) / 1000
      const before = first.event
      if (seconds < MIN_MEASURED_SECONDS) {
        return { phase, done, total, rate: undefined, secondsLeft: undefined }
      }
      const rate = (done - before.done) / seconds
      const left = bytes ? bytes.total - bytes.done : total === undefined ? undefined : total - done
      const speed = bytes ? (bytes.done - (before.bytes?.done ?? 0)) / seconds : rate
      const isKnown = left !== undefined && speed > 0
      return {
        phase,
        done,
        total,
        rate,
        secondsLeft: isKnown ? Math.ceil(left / speed) : undefined,
      }
    },
  }
}

function formatSyncProgress({ phase, done, total, rate, secondsLeft }: MeasuredProgress): string {
  const format = phase === 'download' ? toMegabytes : String
  const of = total === undefined ? '' : ` of ${format(total)}`
  const left = secondsLeft === undefined ? '' : `, ${formatDuration(secondsLeft)} left`
  const speed = rate === undefined ? '' : `, ${format(Math.round(rate))}/s`
  return `${format(done)}${of} ${UNITS[phase]}${speed}${left}`
}

const UNITS: Readonly<Record<ProgressEvent['phase'], string>> = {
  download: 'MB downloaded',
  records: 'records',
  index: 'index terms',
}

function toMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

function describeSyncStart({
  mode,
  isResumed,
  reason,
}: Extract<SyncEvent, { readonly kind: 'begun' }>): string {
  const what = mode === 'full' ? 'all records' : 'records changed since the last sync'
  const why = reason === undefined ? '' : `: ${reason}`
  return isResumed ? `Resuming the interrupted sync: ${what}` : `Loading ${what}${why}`
}

const MAX_PRINTED_PER_KIND = 10
/** Maximum number of printed problems of all kinds and sources; also bounds memory. */
const MAX_PRINTED_PROBLEMS = 100

/** Creates a printer that writes lines with `note`. */
function createProblemPrinter(note: (line: string) => void): ProblemPrinter {
  const kinds = new Map<string, { readonly first: string; count: number }>()
  let shown = 0
  let isCutOff = false

  return {
    print({ source, message }) {
      const line = `${source}: ${message}`
      const key = toProblemKind(line)
      const kind = kinds.get(key) ?? { first: line, count: 0 }
      kind.count += 1
      if (kind.count > MAX_PRINTED_PER_KIND) return
      if (shown < MAX_PRINTED_PROBLEMS) {
        kinds.set(key, kind)
        shown += 1
        note(line)
      } else if (!isCutOff) {
        isCutOff = true
        note('Further problems are not shown: use --json to list all')
      }
    },
    end() {
      for (const { first, count } of kinds.values()) {
        const more = count - MAX_PRINTED_PER_KIND
        if (more > 0) note(`${first} (and ${more} more of this kind)`)
      }
      kinds.clear()
    },
  }
}

/** Groups problems that differ only in numbers, such as record or line numbers. */
function toProblemKind(line: string): string {
  return line.replaceAll(/\d+/g, '0')
}
