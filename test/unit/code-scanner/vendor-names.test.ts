import { describe, expect, it } from 'vitest'
import { openGrammars } from '../../../adapters/scanner/grammars.ts'
import {
  findCalledVendor,
  findCredentialVendor,
  isVendorName,
} from '../../../core/code-scanner/config/credential-names.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'
import { emptyCatalogue } from './scan.ts'

const grammars = await openGrammars(['typescript', 'go', 'python', 'c-sharp', 'java'])

async function findCalls(path: string, text: string): Promise<readonly string[]> {
  const files = [{ path, text }]
  const { findings } = await scanProject({ files, grammars, catalogue: emptyCatalogue })
  return findings.map(({ via, host, method = '-' }) => `${via} ${method} ${host}`)
}

describe.skipIf(!grammars)('a call whose host users set', () => {
  it.each([
    [
      'src/notify/a.ts',
      'class TeamsNotifier { a() { return axios.post(this.url) } }',
      'graph.microsoft.com',
    ],
    [
      'src/notifiers/teams.ts',
      'export const a = () => fetch(config.webhookUrl, { method: "POST" })',
      'graph.microsoft.com',
    ],
    [
      'src/a.ts',
      'export const a = () => axios.post(config.teamsWebhookUrl)',
      'graph.microsoft.com',
    ],
    [
      'src/providers/github.ts',
      'export const a = () => axios.post(config.endpoint)',
      'api.github.com',
    ],
    [
      'app/Notifications/Slack.cs',
      'class A { HttpClient c; void B(string webhookUrl) { c.PostAsync(webhookUrl, null); } }',
      'slack.com',
    ],
    ['src/notifiers/slack.ts', 'export const a = () => postJson(config.webHookUrl)', 'slack.com'],
  ])('is one of the vendor that names show: %s %s', async (path, text, host) => {
    expect(await findCalls(path, text)).toEqual([`name post ${host}`])
  })

  it.each([
    // Teams, parsers and records of the project itself.
    ['chat/src/api.ts', 'class TeamsApi { a() { return axios.get(this.baseUrl) } }'],
    [
      'webhooks/a.ts',
      `class TeamsService { a() { return axios.get(\`\${this.baseUrl}/teams/\${id}/members\`) } }`,
    ],
    [
      'webhooks/a.ts',
      `class TeamsNotifier { a() { return axios.get(\`\${this.baseUrl}/teams/\${id}\`) } }`,
    ],
    ['src/notifications/teams.ts', 'export const a = (b) => fetch(b.teamsEndpoint)'],
    [
      'lib/chat/lark.py',
      'import requests\nclass LarkClient:\n    def load(self): return requests.get(self.grammar_url)',
    ],
    ['src/did.ts', 'class DidService { a() { return axios.get(this.baseUrl) } }'],
    [
      'src/services/snowflake.ts',
      'class SnowflakeService { a() { return axios.get(this.baseUrl) } }',
    ],
    // Helpers for any address.
    ['src/providers/github.ts', 'export function download(url: string) { return fetch(url) }'],
    ['dns/google.go', 'package dns\nimport "net/http"\nfunc Fetch(url string) { http.Get(url) }'],
    // The server of the project.
    ['src/providers/google.ts', `export const a = () => fetch(\`\${process.env.API_URL}?x=1\`)`],
    ['src/integrations/stripe.ts', 'export const a = () => fetch(process.env.BACKEND_URL)'],
    ['src/integrations/stripe.ts', 'export const a = () => axios.post(config.internalApiUrl, {})'],
    // Images, files and functions that return a URL.
    ['src/providers/azure.ts', 'export const a = (b) => fetchRemote(b.imageUrl)'],
    ['src/providers/azure.ts', 'export const a = (b) => fetchRemote(security)'],
    ['src/providers/azure.ts', 'export const a = (b) => this.getUrl(b.url)'],
    ['cypress/providers/slack.ts', 'export const a = () => fetch(config.webhookUrl)'],
  ])('is not one of a vendor: %s %s', async (path, text) => {
    expect((await findCalls(path, text)).filter((found) => found.startsWith('name'))).toEqual([])
  })
})

it.skipIf(!grammars)('a provider of a client does not set the method of its requests', async () => {
  const text = `import jakarta.ws.rs.client.Client;
class A {
  private final Client client;
  A(Provider<ClientBuilder> builderProvider) {
    ClientBuilder builder = builderProvider.get().property("a", "b");
    this.client = builder.build();
  }
  Object a(Object m) {
    return Requests.post(client.target("https://api.acme.io/v1/%2$f,%1$f.json").request(), m);
  }
}`
  const { findings } = await scanProject({
    ...{ files: [{ path: 'A.java', text }], grammars, catalogue: emptyCatalogue },
  })
  expect(findings.map(({ url, method }) => [url, method])).toEqual([
    ['https://api.acme.io/v1/{},{}.json', undefined],
  ])
})

it('names that are common words name no vendor', () => {
  for (const name of ['replicate', 'finch', 'zoom']) expect(isVendorName(name)).toBe(false)
  expect(findCredentialVendor('REPLICATE_TOKEN')).toBeUndefined()
  expect(findCalledVendor('TeamsClient')).toBeUndefined()
  expect(findCalledVendor('TeamsNotifier')).toBe('https://graph.microsoft.com/v1.0')
})
