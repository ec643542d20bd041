import { describe, expect, it } from 'vitest'
import { kotlin } from '../../../core/code-scanner/languages/kotlin.ts'
import { showFound, showLowered } from './shown.ts'

const shown = (text: string) => showLowered({ language: 'kotlin', lower: kotlin.lower, text })

describe('Kotlin is read', () => {
  it('reads imports, parameters, properties and members of companion objects', async () => {
    const text = `import io.ktor.client.request.get as fetch
private const val API = "https://a.io"
class Client(private val base: String = "https://b.io", http: OkHttpClient?) : Base(API) {
  val url: String by lazy { "https://c.io" }
  val next get() = "https://d.io/\${url}/$API"
  @Value("\\\${key:https://e.io}") lateinit var key: String
  companion object { const val PATH = "/v1" }
  fun users(id: Int = 1) = base + PATH + "/users/" + id
}
enum class Env(val url: String) { PROD("https://f.io") }
`
    expect(await shown(text)).toEqual([
      'class Client in 0 Base',
      'function in 1',
      'function users in 1 id',
      'class Env in 0',
      'import io.ktor.client.request.get get fetch',
      '2: constant out API@0 = "https://a.io"',
      '3: constant out Client@0 = ?',
      '3: field this.base@1 = "https://b.io"',
      '3: field this.http@1 = new OkHttpClient()',
      '4: field this.url@1 = "https://c.io"',
      '5: field this.next@1 = ("https://d.io/" + this.url + "/" + API)',
      '6: field this.key@1 = "https://e.io"',
      '7: constant out Client.PATH@0 = "/v1"',
      '8: return return@3 = (this.base + Client.PATH + "/users/" + id)',
      '10: constant out Env@0 = ?',
      '10: constant out Env.PROD.url@0 = "https://f.io"',
      '10: field this.url@4 = "https://f.io"',
    ])
  })

  it('reads statements and lambdas', async () => {
    const text = `fun f(x: String?) {
  val a = x ?: "https://a.io"
  val b = if (x == "https://no.io") "https://b.io" else "https://c.io"
  val c = when (x) { "https://no.io" -> "https://d.io"; else -> { g(); "https://e.io" } }
  val (d, e) = listOf("x", "y")
  var g = mapOf("k" to "https://f.io")
  a += "/x"
  x?.let { h(it) }
  for (i in listOf("p", "q")) { h(i) }
  throw Failure("https://no.io")
}
`
    expect(await shown(text)).toEqual([
      'function f in 0 x',
      'function in 1',
      '1: constant out f@0 = ?',
      '2: variable a@1 = (x | "https://a.io")',
      '3: variable b@1 = ("https://b.io" | "https://c.io")',
      '4: variable c@1 = ("https://d.io" | "https://e.io")',
      '5: variable d@1 = "x"',
      '5: variable e@1 = "y"',
      '6: variable g@1 = {k="https://f.io"}',
      '7: variable a@1 = (a + "/x")',
      '8: variable it@2 = x',
      '9: variable i@1 = ("p" | "q")',
      '4: call@1 g()',
      '8: call@2 h(it)',
      '9: call@1 h(i)',
      '3: error "https://no.io"',
      '10: error "https://no.io"',
    ])
  })

  it('resolves the base of a Ktor client and the URLs that its blocks build', async () => {
    const files = {
      'Http.kt': `import io.ktor.client.HttpClient
class Api {
  private val client = HttpClient(CIO) { defaultRequest { url("https://api.users.io/v1/") } }
  suspend fun a() = client.post("items")
  suspend fun b() = client.get { url { host = "b.users.io"; path("v2", "b") } }
  suspend fun c() = client.request { url("https://c.users.io/v3") }
}
`,
    }
    expect(await showFound('kotlin', files)).toEqual([
      'Http.kt:3 call - https://api.users.io/v1/',
      'Http.kt:4 call post https://api.users.io/v1/items',
      'Http.kt:5 call get https://b.users.io/v2/b',
      'Http.kt:6 call - https://c.users.io/v3',
    ])
  })

  it('resolves methods of request blocks, and paths of functions of other files', async () => {
    const files = {
      'Routes.kt': `object Routes {
  const val HOST = "https://api.tunes.io"
  fun track(id: String) = "$HOST/tracks/$id"
}
`,
      'Client.kt': `import io.ktor.client.HttpClient
import io.ktor.http.HttpMethod
class Music(private val http: HttpClient) {
  private suspend fun send(verb: HttpMethod, path: String) =
    http.request("https://api.words.io$path") { method = verb }
  suspend fun a() = send(HttpMethod.Post, "/v1/a")
  suspend fun b() = http.request { url("https://api.words.io/b"); method = HttpMethod.Delete }
  suspend fun c(id: String) = http.get { url(Routes.track(id)) }
}
`,
    }
    const found = await showFound('kotlin', files)
    expect(found.filter((line) => line.includes(' call '))).toEqual([
      'Client.kt:5 call - https://api.words.io/{}',
      'Client.kt:6 call post https://api.words.io/v1/a',
      'Client.kt:7 call delete https://api.words.io/b',
      'Client.kt:8 call get https://api.tunes.io/tracks/{}',
    ])
  })

  it('resolves extension functions of clients', async () => {
    const files = {
      'Net.kt': `import io.ktor.client.HttpClient
import io.ktor.client.request.get
suspend fun HttpClient.fetch(path: String) = get("https://api.waves.io$path")
`,
      'Logs.kt': `import io.ktor.client.HttpClient
class Logs(private val http: HttpClient) {
  suspend fun all() = http.fetch("/logs")
}
`,
    }
    expect(await showFound('kotlin', files)).toEqual([
      'Logs.kt:3 call get https://api.waves.io/logs',
      'Net.kt:3 call get https://api.waves.io/{}',
    ])
  })

  it('reads strings that interpolate after several dollars', async () => {
    const files = {
      'Boats.kt': `class Boats(private val http: OkHttpClient) {
  fun all(id: Int) = POST(BOATS_URL, $$"""query($id: Int!) { boat(id: $id) { name } }""")
  fun one(id: Int) = POST($$"$$BASE_URL/boats/$id/$$id", "")
  companion object {
    private const val BASE_URL = "https://boats.io/api"
    private const val BOATS_URL = "$BASE_URL/graphql"
  }
}
`,
    }
    const found = await showFound('kotlin', files)
    expect(found.filter((line) => line.includes(' call '))).toEqual([
      'Boats.kt:2 call post https://boats.io/api/graphql',
      'Boats.kt:3 call post https://boats.io/api/boats/_id/{}',
    ])
  })

  it('reads statements and sums with comments in any place', async () => {
    const files = {
      'Ferry.kt': `class Ferry {
  fun all(): String {
    // The first statement follows.
    val url = "$BASE/v1" + // version
      /* path */ "/ferries"
    return fetchJson(url)
  }
  companion object { private const val BASE = "https://ferries.io/api" }
}
`,
    }
    const found = await showFound('kotlin', files)
    expect(found).toContain('Ferry.kt:6 call - https://ferries.io/api/v1/ferries')
  })
})
