import { rubyClients } from '../../clients/ruby.ts'
import type { Language } from '../../model/language.ts'
import { lowerRuby } from './lower.ts'

/** Paths and names that clients are called with, hosts without a scheme, addresses from settings. */
const WORTH =
  /[(, ]["']\/\w|\b(?:get|post|put|patch|delete|head|request|run_request)[ (]\s*(?:["'][^"'\n]*\/|[a-z_.@]*(?:url|uri|path|endpoint)|[A-Z_]*(?:URL|URI|BASE|API|HOST))|Net::HTTP|Faraday|HTTParty|RestClient|Typhoeus|Excon|\bbase_ur[il]\b/

/** Functions that are named like requests, with a path or what may be a URL. */
const WRAPPED =
  /(?:get|post|put|patch|delete|request|fetch|call|query)\w{0,20}[ (]\s*(?::\w{1,10},\s*)?(?:["'][\w#{}.-]{0,80}\/|@?\w{0,40}(?:ur[il]|endpoint)\b)/

const ruby = {
  grammar: 'ruby',
  lower: lowerRuby,
  clients: rubyClients,
  family: 'ruby',
  isWorthParsing: (text: string) => WORTH.test(text) || WRAPPED.test(text),
} as const

/** Ruby, and its parts of ERB templates. */
export const RUBY_LANGUAGES: readonly Language[] = [
  {
    ...ruby,
    extensions: ['.rb', '.rake', '.ru', '.thor', '.jbuilder', '.rabl'],
    fits: /(?:^|\/)(?:Rakefile|Capfile|Guardfile|Thorfile|Fastfile|Dangerfile)$/,
    interpreters: ['ruby', 'jruby'],
  },
  { ...ruby, extensions: ['.erb', '.rhtml'], prepare: rubyOf },
]

/** The Ruby of an ERB text; everything else is blanked, so that places stay. */
function rubyOf(text: string): string {
  let kept = ''
  let at = 0
  while (at < text.length) {
    const open = text.indexOf('<%', at)
    const close = open < 0 ? -1 : text.indexOf('%>', open)
    if (close < 0) break
    const isComment = text.charAt(open + 2) === '#'
    const from = open + (/[=-]/.test(text.charAt(open + 2)) ? 3 : 2)
    kept += blank(text.slice(at, from))
    kept += isComment ? blank(text.slice(from, close)) : text.slice(from, close)
    // A statement ends with its tag.
    kept += '; '
    at = close + 2
  }
  return kept + blank(text.slice(at))
}

function blank(text: string): string {
  return text.replaceAll(/[^\n\r]/g, ' ')
}
