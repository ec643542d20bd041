// Service and console inside a host application with its own login: the host identifies users.
// The console is at /console/, the API at /api/, next to the host's own pages.
import { createServer } from 'node:http'
import { type Account, createApiDiscovery, type HttpRequest, type Scope } from 'api-discovery'
import { createConsole, type HostViewer } from 'api-discovery/console'
import { toNodeListener } from 'api-discovery/node'
import { openSqlite } from 'api-discovery/sqlite'

interface Employee {
  readonly name: string
  readonly team: Account
  readonly scopes: readonly Scope[]
}

// Sessions of the host, kept in memory for this example.
const sessions = new Map<string, Employee>()

function findEmployee(cookie: string | undefined): Employee | undefined {
  return sessions.get(/(?:^|; )host-session=([^;]+)/.exec(cookie ?? '')?.[1] ?? '')
}

// Users see the data of their team. The host decides on their scopes.
function authenticate(request: HttpRequest): HostViewer | undefined {
  const employee = findEmployee(request.header('cookie'))
  if (!employee) return undefined
  const { name, team, scopes } = employee
  return { name, caller: { account: team, scopes } }
}

const app = createApiDiscovery({ storage: await openSqlite({ file: 'apis.db' }) })
const { handle } = await createConsole({ app, authenticate, loginUrl: '/sign-in' })
// Handles everything below /console/, /images/categories/ and /api/.
const discovery = toNodeListener(handle)

const host = createServer((request, response) => {
  if (request.url === '/sign-in' && request.method === 'POST') {
    // A real host verifies a password here, and the origin of the form.
    const session = crypto.randomUUID()
    const team = { id: 'platform', name: 'Platform' }
    sessions.set(session, { name: 'Ada', team, scopes: ['read', 'call'] })
    const cookie = `host-session=${session}; Path=/; HttpOnly; SameSite=Strict`
    response.writeHead(303, { location: '/console/', 'set-cookie': cookie }).end()
  } else if (request.url === '/sign-in') {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end('<form method="post"><button>Sign in as Ada</button></form>')
  } else discovery(request, response)
})

host.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  const address = host.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})
process.once('SIGTERM', () => {
  host.close()
  host.closeAllConnections()
  void app.close()
})
