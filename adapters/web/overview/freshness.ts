import { type Html, html } from '../../../core/shared/html.ts'
import type { ViewedRequest } from '../page.ts'
import { table } from '../parts/table.ts'
import { badge, timeElement } from '../parts/text.ts'
import type { Figures } from './read-figures.ts'

const DAY_S = 86_400
/** Age from which data is old: CVE records and EPSS change daily, CISA's catalogue several times a week. */
const OLD_AFTER_S: Readonly<Record<string, number>> = {
  nvd: 2 * DAY_S,
  'nvd-files': 2 * DAY_S,
  cve: 2 * DAY_S,
  'cve-files': 2 * DAY_S,
  kev: 7 * DAY_S,
  epss: 3 * DAY_S,
}
const EXPECTED_SOURCES = ['nvd', 'cve', 'kev', 'epss']
const SYNC_COMMANDS = new Map([
  ['nvd-files', 'sync nvd --from <files>'],
  ['cve-files', 'sync cve --from <files>'],
])
const SOURCE_TITLES: Readonly<Record<string, string>> = {
  nvd: 'CVE records (NVD)',
  'nvd-files': 'CVE records (files of NVD)',
  cve: 'CVE records (CVE Program)',
  'cve-files': 'CVE records (files of the CVE Program)',
  kev: 'Known exploited vulnerabilities (CISA)',
  epss: 'EPSS scores (FIRST)',
  examples: 'Example vulnerabilities',
}

interface Source {
  readonly name: string
  readonly title: string
  readonly loadedAt: number | undefined
  readonly ageS: number | undefined
  /** Date of the data of a source; undefined if unknown. */
  readonly dataAt?: number | undefined
}

/** Shows the age of all data, and the commands that update old data. */
export function freshnessSection(
  figures: Figures,
  { now, command }: Pick<ViewedRequest, 'now' | 'command'>,
): Html {
  const { vulnerabilities, importedAt } = figures
  const scannedAt = findLastScanAt(figures)
  const sources = toSources(vulnerabilities.sources)
  const commands = sources.flatMap((source) =>
    isOld(source) ? [`${command} ${SYNC_COMMANDS.get(source.name) ?? `sync ${source.name}`}`] : [],
  )
  return html`<h2 id="freshness">Freshness of the data</h2>
${table({
  caption: 'Time of the last update of each source and the date of its data, in UTC',
  columns: [
    { title: 'Source', isHead: true, cell: ({ title }: Source) => title },
    {
      title: 'Loaded',
      isTight: true,
      sortValue: ({ loadedAt }) => loadedAt ?? 0,
      cell: ({ loadedAt }) => timeElement(loadedAt),
    },
    { title: 'Age', sortValue: ({ ageS }) => ageS ?? 0, cell: ({ ageS }) => formatAge(ageS) },
    {
      title: 'Newest data',
      isTight: true,
      sortValue: ({ dataAt }) => dataAt ?? 0,
      cell: ({ dataAt }) => (dataAt === undefined ? '' : timeElement(dataAt)),
    },
    { title: 'State', cell: stateBadge },
  ],
  rows: [
    toLocalSource({ title: 'Last import into the API catalogue', at: importedAt, now }),
    toLocalSource({ title: 'Last scan of your account', at: scannedAt, now }),
    ...sources,
  ],
})}
${commands.length > 0 ? html`<p>The operator of this service updates them, ideally every day:</p><pre>${commands.join('\n')}</pre>` : ''}`
}

/** Returns the start of the last scan of a project or network. */
function findLastScanAt({ scans }: Figures): number | undefined {
  return scans.length === 0 ? undefined : Math.max(...scans.map(({ scan }) => scan.startedAt))
}

/**
 * Describes data that is created in this service instead of loaded from a source: imports and
 * scans.
 */
function toLocalSource(options: {
  readonly title: string
  readonly at: number | undefined
  readonly now: number
}): Source {
  const { title, at, now } = options
  const ageS = at === undefined ? undefined : Math.max(0, Math.floor((now - at) / 1000))
  return { name: '', title, loadedAt: at, ageS }
}

/** Lists the loaded sources, and the expected ones that are missing. */
export function toSources(
  sources: Figures['vulnerabilities']['sources'],
): readonly (Source & { readonly name: string })[] {
  const present = sources.map(({ name }) => name)
  const expected = EXPECTED_SOURCES.filter((name) => !present.includes(`${name}-files`))
  const names = [...new Set([...expected, ...present])]
  return names.map((name) => {
    const found = sources.find((source) => source.name === name)
    const loadedAt = found?.loaded_at ? Date.parse(found.loaded_at) : undefined
    return {
      name,
      title: SOURCE_TITLES[name] ?? name,
      loadedAt,
      ageS: found?.age_seconds ?? undefined,
      dataAt: found?.data_at ? Date.parse(found.data_at) : undefined,
    }
  })
}

/** Formats an age, rounded down: `3 days`. */
export function formatAge(seconds: number | undefined): string {
  if (seconds === undefined) return ''
  for (const [size, one, many] of UNITS) {
    const number = Math.floor(seconds / size)
    if (number >= 1) return `${number} ${number === 1 ? one : many}`
  }
  return 'less than a minute'
}

const UNITS = [
  [DAY_S, 'day', 'days'],
  [3600, 'hour', 'hours'],
  [60, 'minute', 'minutes'],
] as const

/** True if the source should have been loaded more recently. */
export function isOld({ name, loadedAt, ageS = 0 }: Source): boolean {
  const most = OLD_AFTER_S[name]
  return most !== undefined && (loadedAt === undefined || ageS > most)
}

function stateBadge(source: Source): Html {
  const { name, loadedAt } = source
  if (name === 'examples') return badge('Examples only', 'warn')
  if (loadedAt === undefined) return name === '' ? badge('None yet') : badge('Never loaded', 'bad')
  if (!Object.hasOwn(OLD_AFTER_S, name)) return badge('Loaded')
  return isOld(source) ? badge('Old', 'warn') : badge('Fresh', 'good')
}
