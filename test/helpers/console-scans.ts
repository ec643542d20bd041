import type { TestConsole } from './console.ts'

/** A project whose newest scan has one endpoint more and another one less than the previous. */
export async function addProject(
  { app, caller }: Pick<TestConsole, 'app' | 'caller'>,
  name = 'Shop',
): Promise<{ readonly before: string; readonly after: string }> {
  const submit = async (day: number, urls: readonly string[]) => {
    const head = { project_name: name, datetime_created: `2026-03-0${day}T08:00:00Z` }
    const rows = urls.map((endpoint_url, index) => ({
      endpoint_url,
      endpoint_method: 'get',
      found_in: [{ file: `src/file-${index}.ts`, line: 7 + index, column: 3 }],
    }))
    const { project_id } = await app.call('submitProjectScan', { head, rows }, caller)
    return project_id
  }
  const kept = [
    'https://eu.api.skycast.example/v2/forecast',
    'https://api.ledgerly.example/v1/payments',
    'https://api.ledgerly.example/v1/unheard-of',
  ]
  const before = await submit(1, [...kept, 'https://gone.example/v1'])
  const after = await submit(2, ['https://new.example/v2', ...kept])
  return { before, after }
}

/** The network scan of every test service. */
export async function findNetwork({ app, caller }: Pick<TestConsole, 'app' | 'caller'>) {
  const { scan_details } = await app.call('listNetworkScans', {}, caller)
  const [scan] = scan_details
  if (!scan) throw new Error('The service has no network scan')
  return scan.instance_id
}

/** Returns the values of checkboxes with this name, in order. */
export function listBoxes(html: string, name: string): readonly string[] {
  const boxes = html.matchAll(
    /<input type="checkbox" (?:form="\w+" )?name="(\w+)" value="([^"]*)"/g,
  )
  return [...boxes].flatMap(([, found, value = '']) => (found === name ? [value] : []))
}
