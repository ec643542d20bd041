import type { ClientRows } from '../model/client-rows.ts'
import { javaClients } from './java.ts'

/** Clients of Kotlin: Ktor, Fuel, and those of Java. */
export const kotlinClients: readonly ClientRows[] = [
  {
    from: 'io.ktor.client',
    rows: `
      .{verb}(url)
      .{prepareGet|preparePost|preparePut|preparePatch|prepareDelete|prepareHead}(url)
      .{request|prepareRequest|webSocket|webSocketSession}(url)
      .submitForm(url)
    `,
    with: '**.defaultRequest(base)',
  },
  { from: 'com.github.kittinunf.fuel, fuel', rows: 'url.http{Get|Post|Put|Patch|Delete|Head}()' },
  ...javaClients,
]
