import { anyOf } from '../model/name-patterns.ts'

/** Whether a call has a browser open what it is given. */
export function opensLinks(callee: string): boolean {
  return LINK_CALLEES.some((one) => one.test(callee))
}

/** Whether a call stands in for an API rather than calling it: `nock(url)`, `responses.add(url)`. */
export function isMock(callee: string, module: string): boolean {
  return MOCK_CALLEES.test(callee) || MOCK_MODULES.test(module)
}

/** Whether a call shows, compares or opens its arguments, or stands in for an API. */
export function isNoiseCall(callee: string): boolean {
  if (callee === '') return false
  return isMock(callee, '') || opensLinks(callee) || NOISE_CALLEES.some((one) => one.test(callee))
}

/** Calls that a browser opens links by. */
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

/** Calls whose texts people read, or that only compare or open them. */
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
    ends_with start_with\? include\?
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

/** Calls that answer for an API in tests. */
const MOCK_CALLEES = new RegExp(
  String.raw`^${anyOf`
    nock fetchMock fetch_mock mockServer mockAxios axiosMock axiosMockAdapter mockAdapter moxios
    xhrMock interceptor responses requests_mock requests_mocker httpretty respx aioresponses
    stub_request a_request WebMock wireMock wireMockServer WireMock httpmock gock mswServer
  `}\b|(?:^|\.)${anyOf`
    on(?:Get|Post|Put|Patch|Delete|Any|Head) stubFor intercept register_uri RegisterResponder
    stubRequest replyOnce
  `}$`,
)

const MOCK_MODULES = new RegExp(
  `^${anyOf`
    msw nock fetch-mock fetch-mock-jest axios-mock-adapter moxios supertest jest-fetch-mock
    vitest-fetch-mock responses requests_mock httpretty respx aioresponses webmock playwright
    @playwright\/test cypress net\/http\/httptest okhttp3\.mockwebserver
    com\.github\.tomakehurst WireMock Microsoft\.AspNetCore\.(?:Mvc\.Testing|TestHost) mockito
    wiremock httpmock
  `}(?:$|[/.])`,
)
