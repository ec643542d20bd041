import type { ClientRows } from '../model/client-rows.ts'
import { javaClients } from './java.ts'

/** Clients of Kotlin: Ktor, Fuel, and those of Java. */
export const kotlinClients: readonly ClientRows[] = [
  {
    from: 'io.ktor.client',
    rows: `
      .{verb}(urlString: url)
      .{prepareGet|preparePost|preparePut|preparePatch|prepareDelete|prepareHead}(urlString: url)
      .{request|prepareRequest}(url, *, method)
      .{webSocket|webSocketSession}(url)
      .submitForm(url)
    `,
    with: '**.defaultRequest(base)',
  },
  {
    with: 'requestMethod = method',
    rows: 'GET url.openConnection(), GET url.{readText|readBytes}()',
  },
  { from: 'com.github.kittinunf.fuel, fuel', rows: 'url.http{Get|Post|Put|Patch|Delete|Head}()' },
  ...javaClients,
]
