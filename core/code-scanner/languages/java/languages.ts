import { javaClients } from '../../clients/java.ts'
import type { Language } from '../../model/language.ts'
import { lowerJava } from './lower.ts'

/** Clients called with a path or a name, declared clients. */
const WORTH =
  /\bRestTemplate\b|\bWebClient\b|\bRestClient\b|\bHttpRequest\b|\bopenConnection\b|\bRequest\.Builder\b|\bnew Http(?:Get|Post|Put|Patch|Delete)\b|\bretrofit|@FeignClient|@RequestLine|@RegisterRestClient|@HttpExchange|\bUnirest\.|\bJsoup\.connect|ClientBuilder\b|\basynchttpclient\b|\bvolley\b|\bvertx\b/i

/** Calls that are named like a client's, with a path. */
const WRAPPED =
  /(?:get|post|put|patch|delete|send|request|fetch|call|api)\w{0,30}\(\s*(?:[\w.]{1,40},\s*){0,2}"[^"\n]{0,80}\//i

/** Constants that hold bases, with something behind them. */
const BUILT = /[A-Z_](?:URL|URI|API|BASE|ENDPOINT|HOST)\w*\s*\+\s*"/

/** Java. */
export const JAVA_LANGUAGES: readonly Language[] = [
  {
    grammar: 'java',
    extensions: ['.java'],
    lower: lowerJava,
    clients: javaClients,
    family: 'java',
    isWorthParsing: (text) => WORTH.test(text) || WRAPPED.test(text) || BUILT.test(text),
  },
]
