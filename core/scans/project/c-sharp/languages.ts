import { cSharpClients } from '../clients/c-sharp.ts'
import type { Language } from '../languages.ts'
import { lowerCSharp } from './lower.ts'

/** Clients called with a path or a name, declared clients. */
const WORTH =
  /\bHttpClient\b|\bHttpRequestMessage\b|\bIHttpClientFactory\b|\bWeb(?:Request|Client)\b|\bRest(?:Client|Request|Service)\b|\bRefit\b|\bFlurl\b|\.(?:Get|Post|Put|Patch|Delete|Send)\w*Async(?:<[^>(]*>)?\(|AppendPathSegment/

/** C#. */
export const C_SHARP_LANGUAGES: readonly Language[] = [
  {
    grammar: 'c-sharp',
    extensions: ['.cs', '.csx'],
    lower: lowerCSharp,
    clients: cSharpClients,
    family: 'c-sharp',
    isWorthParsing: (text) => WORTH.test(text),
  },
]
