// Updates the vulnerability data in process, like a nightly job: node examples/sync.ts
import { createApiDiscovery } from 'api-discovery'
import { createHttpGet, toAllowEntries } from 'api-discovery/egress'
import { decompressFeed } from 'api-discovery/feeds'
import { openSqlite } from 'api-discovery/sqlite'
import {
  createRemoteFile,
  EPSS_URL,
  type SyncOptions,
  sleep,
  syncEpss,
  syncNvd,
} from 'api-discovery/vulnerabilities'

const { NVD_URL: baseUrl, NVD_API_KEY: apiKey, EPSS_URL: epssUrl = EPSS_URL } = process.env
const app = createApiDiscovery({ storage: await openSqlite({ file: 'apis.db' }) })
// Allow public addresses, and the sources that the environment names.
const { get, close } = createHttpGet({ allow: toAllowEntries([baseUrl ?? '', epssUrl]) })
const options: SyncOptions = {
  vulnerabilities: app.vulnerabilities,
  clock: Date.now,
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  sleep,
  onEvent: (event) => console.error(JSON.stringify(event)),
}

try {
  const nvd = await syncNvd({ ...options, get, baseUrl, apiKey })
  const file = createRemoteFile(epssUrl, { get, expand: decompressFeed, deps: options })
  const epss = await syncEpss({ ...options, file })
  console.log(JSON.stringify({ nvd, epss }))
} finally {
  close()
  await app.close()
}
