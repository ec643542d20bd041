import { describe, expect, it } from 'vitest'
import { scanFiles } from './scan.ts'

/** Scans scripts. Returns the calls as method and URL. */
async function showRequests(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { findings } = await scanFiles(files)
  return findings.flatMap(({ via, method, url }) => (via === 'call' ? [`${method} ${url}`] : []))
}

describe('base URLs that scripts share', () => {
  it('are globals of the window, and members of objects of other scripts', async () => {
    const files = {
      'config.js': `window.API_BASE = 'https://api.clubdesk.io/v1'
globalThis.settings = { root: 'https://api.votes.org' }
var APP = APP || {}
APP.urls = { polls: 'https://polls.votes.org/api' }
config.base = 'https://not-shared.votes.org'
`,
      'index.html': "<script>window.__CONFIG__ = { apiUrl: 'https://api.pets.app' }</script>",
      'app.js': `const { apiUrl } = window.__CONFIG__
fetch(window.API_BASE + '/members')
fetch(API_BASE + '/clubs')
fetch(settings.root + '/votes', { method: 'POST' })
$.getJSON(APP.urls.polls + '/1')
fetch(apiUrl + '/pets')
fetch(config.base + '/x')
fetch(window.location.origin + '/own')
`,
    }
    expect(await showRequests(files)).toEqual([
      'get https://api.clubdesk.io/v1/members',
      'get https://api.clubdesk.io/v1/clubs',
      'post https://api.votes.org/votes',
      'get https://polls.votes.org/api/1',
      'get https://api.pets.app/pets',
    ])
  })

  it('are settings rather than the addresses of the own machine that replace them', async () => {
    const files = {
      '.env.development': 'VITE_API=http://localhost:3000\n',
      '.env.production': 'VITE_API=https://api.garden.io/v2\n',
      'a.ts': `const http = axios.create({ baseURL: import.meta.env.VITE_API ?? 'http://localhost:3000' })
http.get('/plants')
fetch((process.env.UNKNOWN_API || 'https://api.default.io') + '/x')
`,
    }
    expect(await showRequests(files)).toEqual([
      'get https://api.garden.io/v2/plants',
      'get https://api.default.io/x',
    ])
  })
})

describe('base URLs that frameworks provide', () => {
  it('are values of tokens in Angular and Nest', async () => {
    const files = {
      'tokens.ts': "export const BASE_URL = new InjectionToken<string>('base')\n",
      'main.ts': `import { BASE_URL } from './tokens'
bootstrap({ providers: [
  { provide: BASE_URL, useValue: 'https://api.vinyl.io' },
  { provide: 'FLEET_URL', useValue: 'https://api.fleet.io' },
] })
`,
      'records.ts': `import { HttpClient } from '@angular/common/http'
import { BASE_URL } from './tokens'
export class Records {
  private http = inject(HttpClient)
  private base = inject(BASE_URL)
  all() { return this.http.get(this.base + '/records') }
}
`,
      'vehicles.ts': `import { HttpClient } from '@angular/common/http'
export class Vehicles {
  constructor(private http: HttpClient, @Inject('FLEET_URL') private readonly url: string) {}
  all() { return this.http.get(\`\${this.url}/vehicles\`) }
}
`,
    }
    expect(await showRequests(files)).toEqual([
      'get https://api.vinyl.io/records',
      'get https://api.fleet.io/vehicles',
    ])
  })

  it('are settings, plugins and computed URLs in Nuxt', async () => {
    const files = {
      'nuxt.config.ts': `export default defineNuxtConfig({
  runtimeConfig: { public: { apiBase: 'https://api.books.io/v1' } },
})
`,
      'plugins/api.ts': `export default defineNuxtPlugin(() => {
  const api = $fetch.create({ baseURL: 'https://api.art.io' })
  return { provide: { api } }
})
`,
      'a.ts': `useFetch(() => \`\${useRuntimeConfig().public.apiBase}/featured\`)
const { $api } = useNuxtApp()
$api('/works', { method: 'POST' })
`,
    }
    expect(await showRequests(files)).toEqual([
      'get https://api.books.io/v1/featured',
      'post https://api.art.io/works',
    ])
  })

  it('are those of base queries in Redux Toolkit, also where they are called', async () => {
    const files = {
      'a.ts': `import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query/react'
const baseQuery = fetchBaseQuery({ baseUrl: 'https://api.recipes.io/v1/' })
const withRefresh = async (args, api, extra) => {
  await baseQuery({ url: 'refresh', method: 'POST' }, api, extra)
  return baseQuery('status', api, extra)
}
`,
    }
    expect(await showRequests(files)).toEqual([
      'post https://api.recipes.io/v1/refresh',
      'get https://api.recipes.io/v1/status',
    ])
  })
})
