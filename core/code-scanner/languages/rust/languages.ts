import { rustClients } from '../../clients/rust.ts'
import type { Language } from '../../model/language.ts'
import { lowerRust } from './lower.ts'

/** Clients called with a path or a name. */
const WORTH =
  /\b(?:reqwest|ureq|surf|isahc|awc|attohttpc|minreq|hyper|tonic|tungstenite|gloo_net|ehttp)\b|\bRequest::(?:builder|get|post|put)|\.(?:get|post|put|patch|delete|request)\((?:Method::\w+, ?)?&?(?:format!|"[^"\n]*\/|self\.)/

/** Calls that are named like a client's, with a path. */
const WRAPPED =
  /(?:get|post|put|patch|delete|send|request|fetch|call|api)\w{0,30}(?:::<[^(]{0,80}>)?\(\s*(?:[\w:.]{1,40},\s*){0,2}&?(?:format!\(\s*)?"[^"\n]{0,80}\//

/** Rust. */
export const RUST_LANGUAGES: readonly Language[] = [
  {
    grammar: 'rust',
    extensions: ['.rs'],
    lower: lowerRust,
    clients: rustClients,
    family: 'rust',
    mayContainCalls: (text) => WORTH.test(text) || WRAPPED.test(text),
  },
]
