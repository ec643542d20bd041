// Sends one request to a started server, with the address and key from its ready line.
import { readFileSync } from 'node:fs'

const { base_url: baseUrl, api_key: key } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const response = await fetch(`${baseUrl}/endpoint_search?q=weather+forecast`, {
  headers: { 'api-key': key },
})
const { num_results: count } = await response.json()
console.log(`${baseUrl} responded with ${response.status} and ${count} results`)
if (response.status !== 200 || !(count > 0)) process.exit(1)
