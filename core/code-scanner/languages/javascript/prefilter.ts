/**
 * Whether a text without a URL may call an API: a client with a path, an imported base,
 * names that are passed on from another file.
 */
export function mayContainCalls(text: string): boolean {
  return (
    CLIENT.test(text) ||
    METHOD.test(text) ||
    CALL_WITH_PATH.test(text) ||
    CALL_WITH_URL.test(text) ||
    ENVIRONMENT.test(text) ||
    PASSED_ON.test(text) ||
    CLIENT_BY_NAME.test(text)
  )
}

/** Clients by their names. */
const CLIENT =
  /\b(?:fetch|\$fetch|useFetch|ofetch|axios|superagent|sendBeacon|XMLHttpRequest|WebSocket|EventSource|createApi|fetchBaseQuery)\b|\bhostname\s*:|\$\.(?:ajax|getJSON|get|post)\(|\bnew URL\(|\bhttps?\.(?:request|get)\(/

/** Methods of clients with a path, or with a name that may be one. */
const METHOD =
  /\.(?:get|post|put|patch|delete|head|request|query|send)\s*(?:<[^;()]{0,100}>)?\(\s*(?:`|['"][^'"\n]{0,100}\/|\{\s*(?:url|method|path)\b|this\.|[\w.]{0,60}(?:[uU][rR][lL]|[uU][rR][iI]|[eE]ndpoint|ENDPOINT|Path|PATH|BASE|Base|base|API|Api|api|route|Route))/

/** Other calls that are named like one, with a path. */
const CALL_WITH_PATH =
  /(?:get|post|put|patch|delete|del|fetch|request|api|http|client|query|call|send|load|url|endpoint)\w{0,40}\s*(?:<[^;()]{0,100}>)?\(\s*['"`]\//i

/** Such calls with a name that may be a URL. */
const CALL_WITH_URL =
  /(?:fetch|request|http|ajax|get|post)\w{0,40}\(\s*[\w.]{0,60}(?:[uU][rR][lLiI]|[eE]ndpoint)\b/

/** Names of other files that a file exports as its own. */
const PASSED_ON = /\bexport\s*(?:\*|\{[^}]{0,2000}\})\s*(?:as\s+\w+\s+)?from\b/

/** Addresses that the environment says. */
const ENVIRONMENT = /\b(?:process\.env|import\.meta\.env)\.\w*(?:URL|URI|API|HOST|BASE|ENDPOINT)/

/** What is named like a client, with a path that has no slash, and options that hold a path. */
const CLIENT_BY_NAME =
  /(?:api|client|http|rest|request|axios|ky|agent|instance|sdk)\w{0,20}(?:\.(?:get|post|put|patch|delete|head)|\.request)?\s*(?:<[^;()]{0,100}>)?\(\s*['"`]\w|\(\s*\{\s*(?:(?:type|method|verb)\s*:[^,{}()]{1,40},\s*)?(?:url|path|endpoint|uri|route)\s*:/i
