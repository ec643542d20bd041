import { phpClients } from '../../clients/php.ts'
import type { Language } from '../../model/language.ts'
import { lowerPhp } from './lower.ts'

/** Paths and names that clients are called with, hosts without a scheme, addresses from settings. */
const WORTH =
  /[(,]\s*["']\/\w|(?:->|::)(?:get|post|put|patch|delete|head|request|send|requestAsync)\(\s*(?:["'][A-Z]+["']\s*,\s*)?(?:["'][^"'\n]*\/|\$this->\w|\$\w*(?:[uU]r[il]|[eE]ndpoint|[pP]ath)|[A-Za-z\\]\w*::|config\(|env\()|curl_(?:init|setopt)|wp_(?:safe_)?remote_|file_get_contents\(|\bbase_uri\b|\bSoapClient\b/

/** Functions that are named like requests, with a path or what may be a URL. */
const WRAPPED =
  /(?:get|post|put|patch|delete|request|fetch|call|send|query)\w{0,20}\(\s*(?:(?:["'][A-Za-z]{1,10}["']|\$\w{1,20})\s*,\s*)?(?:["'][\w{}$.-]{0,80}\/|\$(?:this->)?\w{0,40}(?:ur[il]|endpoint))/i

/** PHP. */
export const PHP_LANGUAGES: readonly Language[] = [
  {
    grammar: 'php',
    extensions: ['.php', '.inc', '.phtml', '.module', '.php5', '.php7', '.ctp'],
    interpreters: ['php'],
    lower: lowerPhp,
    clients: phpClients,
    family: 'php',
    mayContainCalls: (text) => WORTH.test(text) || WRAPPED.test(text),
  },
]
