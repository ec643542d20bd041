import { pythonClients } from '../../clients/python.ts'
import type { Language } from '../../model/language.ts'
import { lowerPython } from './lower.ts'

/** Paths and names that clients are called with, hosts without a scheme, addresses from settings. */
const WORTH =
  /[(,]\s*[fF]?["']\/\w|\.(?:get|post|put|patch|delete|head|request|fetch|stream|open|connect)\(\s*(?:["']\w+["']\s*,\s*)?(?:url\s*=\s*)?(?:[fFrRbB]{0,2}["'][^"'\n]*\/|self\.\w|[A-Za-z_.]*(?:[uU][rR][lL]|URI|endpoint|ENDPOINT|BASE|API|HOST))|HTTPS?Connection\(|\burlopen\(|\b(?:base_url|BASE_URL|API_HOST|API_URL)\b/

/** Functions that are named like requests, with a name that may be a URL; clients for other files. */
const WRAPPED =
  /(?:get|post|put|patch|delete|request|fetch|call|send|query|load)\w{0,20}\(\s*(?:[A-Za-z_.]{0,40}(?:ur[il]|UR[IL]|endpoint|ENDPOINT)|["']\w+["']\s*,\s*\w*ur[il])|=\s*(?:requests\.|aiohttp\.|httpx\.)?(?:[Ss]ession|ClientSession|AsyncClient|Client)\(/

/** Python. */
export const PYTHON_LANGUAGES: readonly Language[] = [
  {
    grammar: 'python',
    extensions: ['.py', '.pyw'],
    interpreters: ['python'],
    lower: lowerPython,
    clients: pythonClients,
    family: 'python',
    isWorthParsing: (text) => WORTH.test(text) || WRAPPED.test(text),
  },
]
