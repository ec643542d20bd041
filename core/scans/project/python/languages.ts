import { pythonClients } from '../clients/python.ts'
import type { Language } from '../languages.ts'
import { lowerPython } from './lower.ts'

/** Paths and names that clients are called with, hosts without a scheme, addresses from settings. */
const WORTH =
  /[(,]\s*[fF]?["']\/\w|\.(?:get|post|put|patch|delete|head|request|fetch|stream|open|connect)\(\s*(?:["']\w+["']\s*,\s*)?(?:url\s*=\s*)?(?:[fFrRbB]{0,2}["'][^"'\n]*\/|self\.\w|[A-Za-z_.]*(?:[uU][rR][lL]|URI|endpoint|ENDPOINT|BASE|API|HOST))|HTTPS?Connection\(|\burlopen\(|\b(?:base_url|BASE_URL|API_HOST|API_URL)\b/

/** Python. */
export const PYTHON_LANGUAGES: readonly Language[] = [
  {
    grammar: 'python',
    extensions: ['.py', '.pyw'],
    interpreters: ['python'],
    lower: lowerPython,
    clients: pythonClients,
    family: 'python',
    isWorthParsing: (text) => WORTH.test(text),
  },
]
