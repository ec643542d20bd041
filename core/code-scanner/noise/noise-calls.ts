import { anyOf, lastName } from '../model/name-patterns.ts'
import type { ImportUsage } from '../model/packages.ts'
import type { Call, Expression, Program } from '../model/program.ts'

/** Whether a call mocks an API rather than calling it: `nock(url)`, `responses.add(url)`. */
export function isMock(callee: string, from?: ImportedModule): boolean {
  return MOCK_CALLEES.test(callee) || (from !== undefined && isMockModule(from))
}

/** Whether a module mocks APIs. */
export function isMockModule({ family, module }: ImportedModule): boolean {
  return MOCK_MODULES.get(family)?.test(module) === true || SERVER_MODULES.test(module)
}

/** Whether only tests import a module of this name, in all projects. */
export function isTestModule({ family, module }: ImportedModule): boolean {
  return TEST_MODULES.get(family)?.test(module) === true
}

type ImportedModule = Pick<ImportUsage, 'family' | 'module'>

/** Whether a call shows, compares or opens its arguments, or mocks an API. */
export function isNoiseCall(callee: string): boolean {
  if (callee === '') return false
  return isMock(callee) || opensPage(callee) || NOISE_CALLEES.some((names) => names.test(callee))
}

/** Names whose values a browser opens: `const url = …`, then `openUrl(url)`. */
export interface OpenedNames {
  has(name: string, scope: number): boolean
}

/** Finds the names that a program passes to calls that open links, in the same functions. */
export function findOpenedNames(program: Program): OpenedNames {
  const opened = new Set<string>()
  const add = (value: Expression, scope: number, used?: ReadonlySet<string>): void => {
    for (const name of listNames(value)) {
      if (used?.has(name)) continue
      for (let at = scope, step = 0; at > 0 && step < MAX_DEPTH; step += 1) {
        if (program.scopes[at]?.kind !== 'function') break
        opened.add(`${at}|${name}`)
        at = program.scopes[at]?.parent ?? -1
      }
    }
  }
  const has = (name: string, scope: number) => opened.has(`${scope}|${name}`)
  for (const call of program.calls) {
    if (opensLinks(call)) for (const value of call.args) add(value, call.scope)
  }
  for (const { value, role, scope } of program.loose) if (role === 'link') add(value, scope)
  for (const { name, value, scope } of program.bindings)
    if (name.endsWith('.href')) add(value, scope)
  const spread = (used?: ReadonlySet<string>): void => {
    for (let round = 0, size = -1; size < opened.size && round < MAX_DEPTH; round += 1) {
      size = opened.size
      for (const { name, value, scope } of program.bindings) {
        if (has(name, scope) || (used && isResultLink(name))) add(value, scope, used)
      }
    }
  }
  spread()
  // Arguments of functions that open a parameter: `addLink(text, url)`.
  const shown = new Map(
    program.scopes.flatMap(({ name, parameters = [] }, scope) => {
      const at = parameters.map((one) => has(one, scope))
      return name !== '' && at.includes(true) ? [[name, at] as const] : []
    }),
  )
  for (const { callee, args, scope } of shown.size > 0 ? program.calls : []) {
    const at = shown.get(lastName(callee))
    for (const value of args.filter((_, index) => at?.[index])) add(value, scope)
  }
  // A result may have the address of a call.
  const calls = program.calls.filter(({ callee }) => !isNoiseCall(callee))
  spread(new Set(calls.flatMap(({ args }) => args.flatMap(listNames))))
  return { has }
}

/** Whether a name is that of the page of a result: `result.URL = "https://…/" + id`. */
export function isResultLink(name: string): boolean {
  return RESULT_LINK.test(name)
}

const RESULT_LINK = /(?:^|\.)\w*(?:result|response)\.\w*(?:url|link)$/i

/** Whether a call has a browser open its arguments: `openUrl(url)`, `exec.Command("xdg-open", url)`. */
function opensLinks({ callee, args: [first] }: Call): boolean {
  return opensPage(callee) || (first?.kind === 'text' && OPENERS.test(first.text))
}

/** Whether a call has a browser open a page. */
export function opensPage(callee: string): boolean {
  return LINK_CALLEES.some((names) => names.test(callee))
}

/** The names that a value consists of: both of `base + id`. */
function listNames(value: Expression): readonly string[] {
  if (value.kind === 'name') return [value.name]
  if (value.kind === 'join' || value.kind === 'path') return value.parts.flatMap(listNames)
  return value.kind === 'format' ? value.values.flatMap(listNames) : []
}

/** Programs that open a page in a browser. */
const OPENERS = /^(?:xdg-open|open|rundll32|explorer|start)(?:\.exe)?$/

/** Maximum depth of nested functions. */
const MAX_DEPTH = 16

/** Calls that have a browser open a link. */
const LINK_CALLEES: readonly RegExp[] = [
  /^(?:window\.open|open|openUrl|openURL|opn|webbrowser\.open(?:_new(?:_tab)?)?|browser\.open|launch|launchUrl|openBrowser|openExternal|start)$/,
  new RegExp(
    String.raw`${anyOf`
    shell Linking Desktop Browser webbrowser WebBrowser InAppBrowser Utils navigator tabs
    Launchy browser
  `}\.?(?:\w+\.)*${anyOf`open\w* browse OpenURL create Launch`}$`,
    'i',
  ),
  new RegExp(
    String.raw`\.${anyOf`
    redirect setHref location push navigate navigateTo loadURL loadUrl goto assign openExternal
    openURL openInBrowser browse redirect_to createHyperlink setUrl link href RedirectPermanent
  `}$`,
    'i',
  ),
  /^Redirect\.\w+$/,
  new RegExp(
    `^${anyOf`
    redirect redirect_to navigate location link_to Link hyperlink
    window\.location\.(?:assign|replace) location\.(?:assign|replace) router\.(?:push|replace)
    Redirect
  `}$`,
  ),
]

/** Calls that only show or compare their arguments. */
const NOISE_CALLEES: readonly RegExp[] = [
  // Messages.
  /^(?:console|logger|log|logging|winston|pino|Log|Logger|LOG|LOGGER|_logger|slog|tracing|syslog|debug|fmt)\./,
  /^(?:print|println|printf|puts|echo|warn|error|debug|alert|confirm|prompt|die|exit|abort|notify|toast|panic|pp|eprintln|Printf|Errorf)$/,
  new RegExp(
    String.raw`\.${anyOf`
    log warn warning warnings error info debug trace fatal println print printf Printf Println
    Errorf Fatalf WriteLine notify toast alert describe help epilogue usage addHelpText
    addHelpCommand description summary LogInformation LogWarning LogError AppendLine
  `}$`,
    'i',
  ),
  /(?:^new |[.]|^)\w*(?:Error|Exception)(?:\.new)?$/,
  /^(?:raise|throw|deprecate|util\.deprecate|warnings\.warn|invariant|assert|bail|anyhow)$/,
  // Assertions and fakes of tests.
  /^(?:expect|assert|it|test|describe|nock|assertEquals?|assertThat|should)\b/,
  new RegExp(
    String.raw`\.${anyOf`
    toBe toEqual toStrictEqual toMatch toContain toHaveBeenCalledWith toHaveBeenLastCalledWith
    toHaveBeenNthCalledWith toMatchObject toThrow equal equals deepEqual strictEqual assertEqual
    assertEquals assertIn isEqualTo startsWith startswith endsWith endswith includes indexOf
    test match StartsWith EndsWith Contains HasPrefix HasSuffix contains start_with starts_with
    ends_with start_with\? include\? find_by find_or_create_by where
  `}$`,
  ),
  // Documents and page parts.
  /^new (?:\w+\.)*OpenApi(?:Contact|License|ExternalDocs|Info)$/,
  new RegExp(
    `^${anyOf`
    createElementNS document\.createElementNS importScripts loadScript require import
    require_relative image_tag javascript_include_tag stylesheet_link_tag
    wp_enqueue_(?:script|style)
  `}$`,
  ),
  new RegExp(
    String.raw`\.${anyOf`
    setAttribute setAttributeNS createElementNS getAttributeNS attr createElement addScript
    register_namespace xpath find_elements? QName GetNamespace enableCors allowedOrigins
    WithOrigins setContact setLicense termsOfService contact license externalDocs
  `}$`,
  ),
  new RegExp(
    String.raw`^${anyOf`
    cors helmet @OpenAPIDefinition @Contact @License @Info @CrossOrigin @XmlRootElement @XmlType
    @XmlElement @XmlSchema @WebService @ExternalDocumentation @Deprecated @see XNamespace XName
    ET\.register_namespace
  `}\b`,
  ),
]

/** Calls that mock an API in tests. */
const MOCK_CALLEES = new RegExp(
  String.raw`^${anyOf`
    nock fetchMock fetch_mock mockServer mockAxios axiosMock axiosMockAdapter mockAdapter moxios
    xhrMock interceptor responses requests_mock requests_mocker httpretty respx aioresponses
    stub_request a_request WebMock wireMock wireMockServer WireMock httpmock gock mswServer
  `}\b|(?:^|\.)${anyOf`
    on(?:Get|Post|Put|Patch|Delete|Any|Head) stubFor intercept register_uri RegisterResponder
    stubRequest replyOnce urlEqualTo urlPathEqualTo urlMatching urlPathMatching
  `}$`,
)

/** Libraries that only tests import, by language; those that mock APIs first. */
const LIBRARIES: Readonly<Record<string, readonly [mocks: string, others?: string]>> = {
  javascript: [
    anyOf`
      msw nock fetch-mock fetch-mock-jest axios-mock-adapter moxios supertest jest-fetch-mock
      vitest-fetch-mock cypress
    `,
    anyOf`vitest(?!\/config) @jest\/globals node:test bun:test`,
  ],
  python: [anyOf`requests_mock httpretty respx aioresponses mockito`, anyOf`pytest unittest`],
  go: [
    anyOf`github\.com\/jarcoal\/httpmock (?:gopkg\.in|github\.com)\/h2non\/gock`,
    anyOf`github\.com\/stretchr\/testify`,
  ],
  java: [
    anyOf`okhttp3\.mockwebserver mockwebserver3 com\.github\.tomakehurst`,
    anyOf`org\.junit kotlin\.test org\.mockito io\.mockk`,
  ],
  ruby: [anyOf`webmock`, anyOf`rspec spec_helper rails_helper test_helper minitest`],
  'c-sharp': [
    anyOf`WireMock RichardSzalay\.MockHttp Microsoft\.AspNetCore\.(?:Mvc\.Testing|TestHost)`,
    anyOf`Xunit NUnit\.Framework Moq NSubstitute FakeItEasy`,
  ],
  php: [anyOf`WireMock`, anyOf`Mockery`],
  rust: [anyOf`mockito wiremock httpmock`],
  swift: [anyOf`OHHTTPStubs`, anyOf`XCTest`],
}

const toModules = (names: string) => new RegExp(`^(?:${names})(?:$|[/.\\\\])`)

const MOCK_MODULES = new Map(
  Object.entries(LIBRARIES).map(([family, [mocks]]) => [family, toModules(mocks)]),
)

const TEST_MODULES = new Map(
  Object.entries(LIBRARIES).map(([family, all]) => [family, toModules(all.join('|'))]),
)

/** Libraries that have servers for tests, and that production code imports, too. */
const SERVER_MODULES = /^(?:playwright|@playwright\/test|net\/http\/httptest)(?:$|[/.])/
