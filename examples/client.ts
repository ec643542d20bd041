// Queries a running service: API_KEY=… node examples/client.ts
import { ClientError, createClient } from 'api-discovery/client'

const client = createClient({
  baseUrl: process.env.API_URL ?? 'http://127.0.0.1:8080/api',
  apiKey: process.env.API_KEY ?? '',
})

try {
  const found = await client.searchEndpoints({ q: 'weather forecast', size: 3 })
  console.log(JSON.stringify(found))
} catch (error) {
  if (!(error instanceof ClientError)) throw error
  console.error(`${error.status} ${error.code}: ${error.message}`)
  process.exitCode = 1
}
