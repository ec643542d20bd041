import { phpClients } from '../clients/php.ts'
import type { Language } from '../languages.ts'
import { lowerPhp } from './lower.ts'

/** Paths and names that clients are called with, hosts without a scheme, addresses from settings. */
const WORTH =
  /[(,]\s*["']\/\w|(?:->|::)(?:get|post|put|patch|delete|head|request|send|requestAsync)\(\s*(?:["'][A-Z]+["']\s*,\s*)?(?:["'][^"'\n]*\/|\$this->\w|\$\w*(?:[uU]rl|[uU]ri|endpoint)|[A-Za-z\\]\w*::|config\(|env\()|curl_(?:init|setopt)|wp_(?:safe_)?remote_|file_get_contents\(|\bbase_uri\b|\bSoapClient\b/

/** PHP. */
export const PHP_LANGUAGES: readonly Language[] = [
  {
    grammar: 'php',
    extensions: ['.php', '.inc', '.phtml', '.module', '.php5', '.php7', '.ctp'],
    interpreters: ['php'],
    lower: lowerPhp,
    clients: phpClients,
    family: 'php',
    isWorthParsing: (text) => WORTH.test(text),
  },
]
