import { cSharpClients } from '../../clients/c-sharp.ts'
import type { Language } from '../../model/language.ts'
import { lowerCSharp } from './lower.ts'

/** Clients called with a path or a name, declared clients. */
const WORTH =
  /\bHttpClient\b|\bHttpRequestMessage\b|\bIHttpClientFactory\b|\bWeb(?:Request|Client)\b|\bRest(?:Client|Request|Service)\b|\bRefit\b|\bFlurl\b|\.(?:Get|Post|Put|Patch|Delete|Send)\w*Async(?:<[^>(]*>)?\(|AppendPathSegment/

/** Calls that are named like a client's, with a path. */
const WRAPPED =
  /(?:Get|Post|Put|Patch|Delete|Send|Request|Fetch|Call|Api)\w{0,30}(?:<[^>(]{0,80}>)?\(\s*(?:[\w.]{1,40},\s*){0,2}[$@]{0,2}"[^"\n]{0,80}\//

/** C#. */
export const C_SHARP_LANGUAGES: readonly Language[] = [
  {
    grammar: 'c-sharp',
    extensions: ['.cs', '.csx'],
    lower: lowerCSharp,
    clients: cSharpClients,
    family: 'c-sharp',
    isWorthParsing: (text) => WORTH.test(text) || WRAPPED.test(text),
  },
]
