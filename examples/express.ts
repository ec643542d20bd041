// The catalogue inside an Express app. Mount it before body parsers: it reads bodies itself.
import { createApiDiscovery } from 'api-discovery'
import { toNodeListener } from 'api-discovery/node'
import { openSqlite } from 'api-discovery/sqlite'
import express from 'express'

const app = createApiDiscovery({ storage: await openSqlite({ file: 'apis.db' }) })

const host = express()
host.use('/api', toNodeListener(app.handle))
host.use(express.json())
host.get('/', (_request, response) => void response.send('The host says hello'))

const server = host.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object')
    console.log(`http://127.0.0.1:${address.port}`)
})
