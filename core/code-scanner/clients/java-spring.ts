import type { ClientRule } from '../model/program.ts'
import { FIRST, type Verbs, verbRules } from './verb-rules.ts'

/** Calls in a builder's chain that say the method. */
export const CHAIN = {
  '.get': 'get',
  '.post': 'post',
  '.put': 'put',
  '.patch': 'patch',
  '.delete': 'delete',
  '.head': 'head',
  '.options': 'options',
  '.method': FIRST,
} as const

/** `RestTemplate`: a method each. */
const REST = {
  receiver: [
    'new RestTemplate',
    'new TestRestTemplate',
    'new RestTemplateBuilder',
    'new RestOperations',
    'new OAuth2RestTemplate',
    'new AsyncRestTemplate',
  ],
  url: FIRST,
  baseFrom: { '.rootUri': FIRST, '.setUriTemplateHandler': FIRST },
} as const

/** Methods of `RestTemplate` by what they are called. */
const VERBS: Verbs = {
  '.getForObject': 'get',
  '.getForEntity': 'get',
  '.postForObject': 'post',
  '.postForEntity': 'post',
  '.postForLocation': 'post',
  '.patchForObject': 'patch',
  '.headForHeaders': 'head',
  '.optionsForAllow': 'options',
}

/** `WebClient` and `RestClient`: `get().uri(…)`. */
const FLUENT = {
  receiver: [
    'WebClient.create',
    'WebClient.builder',
    'new WebClient',
    'new WebClient.Builder',
    'RestClient.create',
    'RestClient.builder',
    'new RestClient',
    'new RestClient.Builder',
    'new WebTestClient',
  ],
  baseFrom: { '.baseUrl': FIRST },
  base: FIRST,
} as const

/** Clients of the Spring framework. */
export const springClients: readonly ClientRule[] = [
  ...verbRules(VERBS, REST),
  { ...REST, callee: '.put', method: 'put' },
  { ...REST, callee: '.delete', method: 'delete' },
  { ...REST, callee: '.exchange', method: { at: 1 }, defaultMethod: 'get' },
  { ...REST, callee: '.execute', method: { at: 1 }, defaultMethod: 'get' },
  // RestTemplate is what these are of wherever its field is not declared in the file.
  ...verbRules(VERBS, { from: ['org.springframework'], url: FIRST }),
  ...verbRules(
    {
      'RequestEntity.get': 'get',
      'RequestEntity.post': 'post',
      'RequestEntity.put': 'put',
      'RequestEntity.delete': 'delete',
      'RequestEntity.patch': 'patch',
    },
    { url: FIRST },
  ),
  { ...FLUENT, callee: '.uri', method: 'get', methodFrom: CHAIN, url: FIRST },
]
