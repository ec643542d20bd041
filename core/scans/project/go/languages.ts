import { goClients } from '../clients/go.ts'
import type { Language } from '../languages.ts'
import { lowerGo } from './lower.ts'

/** Clients called with a path or a name, hosts without a scheme. */
const WORTH =
  /\bhttp\.(?:NewRequest|Get\(|Post|Head\()|\.(?:R\(\)|SetBaseURL|SetHostURL)|\.(?:Get|Post|Put|Patch|Delete|Head|Do\w*|NewRequest\w*|Execute)\((?:\w+, ?){0,2}(?:"[^"\n]*\/|fmt\.Sprintf)|\bfasthttp\b|\bgorequest\b|grpc\.(?:Dial|NewClient)|\burl\.URL\{/

/** Go. */
export const GO_LANGUAGES: readonly Language[] = [
  {
    grammar: 'go',
    extensions: ['.go'],
    lower: lowerGo,
    clients: goClients,
    family: 'go',
    isWorthParsing: (text) => WORTH.test(text),
  },
]
