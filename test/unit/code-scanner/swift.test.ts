import { describe, expect, it } from 'vitest'
import { swift } from '../../../core/code-scanner/languages/swift.ts'
import { showFound, showLowered } from './shown.ts'

const shown = (text: string) => showLowered({ language: 'swift', lower: swift.lower, text })

describe('Swift is read', () => {
  it('reads imports, initializers, properties and cases', async () => {
    const text = `@testable import class Alamofire.Session
private let api = "https://a.io"
class Client: Base<Int>, Sendable {
  static let shared = Client(base: "https://b.io")
  let http: HTTPClient?
  var url: String = api { didSet { log() } }
  var next: String { get { url + "/v1" } set { url = newValue } }
  init(base b: String = "https://c.io", _ n: inout Int) { super.init(url: b) }
}
extension Client: Codable { func page(_ id: Int) -> String { "\\(url)/pages/\\(id)" } }
enum Host: String { case live = "https://d.io", test }
`
    expect(await shown(text)).toEqual([
      'class Client in 0 Base Sendable Codable',
      'function next in 1',
      'function Client in 1 b n',
      'function page in 1 id',
      'class Host in 0 String',
      'import Alamofire * *',
      '2: constant out api@0 = "https://a.io"',
      '3: constant out Client@0 = ?',
      '4: constant out Client.shared@0 = new Client("https://b.io", base="https://b.io")',
      '5: field this.http@1 = new HTTPClient()',
      '6: field this.url@1 = api',
      '7: return return@2 = (this.url + "/v1")',
      '7: field this.next@1 = this.next()',
      '8: parameter-default b@3 = "https://c.io"',
      '8: return return@3 = super(b, url=b)',
      '10: constant out Client@0 = ?',
      '10: return return@4 = (this.url + "/pages/" + id)',
      '11: constant out Host@0 = ?',
      '11: constant out Host.live@0 = "https://d.io"',
      '4: call@1 new Client("https://b.io", base="https://b.io")',
      '8: call@3 super(b, url=b)',
    ])
  })

  it('reads statements, closures and parts of URLs', async () => {
    const text = `func f(x: String?) {
  guard let a = x ?? keys["a"], a != "https://no.io" else { return }
  if let b = x { g(b) } else if let c = a { g(c) }
  let d = { () -> String in return "https://d.io" }()
  var e = URLComponents(string: "https://e.io")!
  e.path = "/v1"
  var h = URL(string: "x", relativeTo: URL(string: d)!)!
  h.appendPathComponent("y")
  let i = ["k": flag ? "https://i.io" : a]
  x.map { g($0) }
  for j in ["p", "q"] { g(j) }
  throw Failure("https://no.io")
}
`
    expect(await shown(text)).toEqual([
      'function f in 0 x',
      'function in 1',
      'function in 1',
      '1: constant out f@0 = ?',
      '2: variable a@1 = (x | keys.a)',
      '3: variable b@1 = x',
      '3: variable c@1 = a',
      '4: return return@2 = "https://d.io"',
      '4: variable d@1 = "https://d.io"',
      '5: variable e@1 = "https://e.io"',
      '6: variable e@1 = path("https://e.io", "/v1")',
      '7: variable h@1 = path(d, "x")',
      '8: variable h@1 = path(h, "y")',
      '9: variable i@1 = {k=("https://i.io" | a)}',
      '10: variable $0@3 = x',
      '11: variable j@1 = ("p" | "q")',
      '3: call@1 g(b)',
      '3: call@1 g(c)',
      '10: call@1 x.map()',
      '10: call@3 g($0)',
      '11: call@1 g(j)',
      '2: error "https://no.io"',
      '12: error "https://no.io"',
    ])
  })

  it('resolves members of nested types and bases of constructors in other files', async () => {
    const files = {
      'Config.swift': `enum Config { enum Hosts { static let filesURL = "https://files.io/v2" } }
`,
      'App.swift': `import Foundation
let client = Client(base: "https://users.io/v1")
`,
      'Client.swift': `import Alamofire
struct Client {
  let base: String
  init(base: String) { self.base = base }
  func files() { AF.request(Config.Hosts.filesURL + "/all") }
  func load() async { _ = try? await URLSession.shared.data(from: URL(string: base + "/me")!) }
}
`,
    }
    expect(await showFound('swift', files)).toEqual([
      'App.swift:2 literal - https://users.io/v1',
      'Client.swift:5 call get https://files.io/v2/all',
      'Client.swift:6 call get https://users.io/v1/me',
      'Config.swift:1 base - https://files.io/v2',
    ])
  })
})
