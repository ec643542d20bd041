import { goClients } from '../../clients/go.ts'
import type { Language } from '../../model/language.ts'
import { lowerGo } from './lower.ts'

/** Clients called with a path or a name, hosts without a scheme. */
const WORTH =
  /\bhttp\.(?:NewRequest|Get\(|Post|Head\()|\.(?:R\(\)|SetBaseURL|SetHostURL)|\.(?:Get|Post|Put|Patch|Delete|Head|Do\w*|NewRequest\w*|Execute)\((?:\w+, ?){0,2}(?:"[^"\n]*\/|fmt\.Sprintf)|\bfasthttp\b|\bgorequest\b|grpc\.(?:Dial|NewClient)|\burl\.URL\{/

/** Methods as constants, and calls that are named like a client's, with a path. */
const WRAPPED =
  /\bhttp\.Method[A-Z]|(?:[gG]et|[pP]ost|[pP]ut|[pP]atch|[dD]elete|[rR]equest|[fF]etch|[cC]all|[sS]end|[dD]o|[aA][pP][iI])\w{0,20}\((?:[\w.]{1,40}, ?){0,3}(?:"(?:GET|POST|PUT|PATCH|DELETE)"|"[\w/{}%.-]{1,80}(?:\/|\.json)|"\/|fmt\.Sprintf\("[\w/{}%.-]{0,80}\/)/

/** Go. */
export const GO_LANGUAGES: readonly Language[] = [
  {
    grammar: 'go',
    extensions: ['.go'],
    lower: lowerGo,
    clients: goClients,
    family: 'go',
    isWorthParsing: (text) => WORTH.test(text) || WRAPPED.test(text),
  },
]
