import { rustClients } from '../clients/rust.ts'
import type { Language } from '../languages.ts'
import { lowerRust } from './lower.ts'

/** Clients called with a path or a name. */
const WORTH =
  /\b(?:reqwest|ureq|surf|isahc|awc|attohttpc|minreq|hyper|tonic|tungstenite|gloo_net|ehttp)\b|\bRequest::(?:builder|get|post|put)|\.(?:get|post|put|patch|delete|request)\((?:Method::\w+, ?)?&?(?:format!|"[^"\n]*\/|self\.)/

/** Rust. */
export const RUST_LANGUAGES: readonly Language[] = [
  {
    grammar: 'rust',
    extensions: ['.rs'],
    lower: lowerRust,
    clients: rustClients,
    family: 'rust',
    isWorthParsing: (text) => WORTH.test(text),
  },
]
