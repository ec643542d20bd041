import { stem } from '../../shared/stem.ts'
import { findWordRuns, splitWordRun } from '../../shared/text.ts'
import { toIndexedConcepts } from './concepts.ts'

/** Numbers the terms of one API's texts; every distinct run of letters is analysed once. */
export interface TermIndex {
  /** All terms found so far, indexed by number. */
  readonly terms: readonly string[]
  /** The number of a term that needs no analysis. */
  getTermNumber(term: string): number
  analyse(text: string, options: AnalyseOptions): FoundTerms
}

export interface AnalyseOptions {
  /** True: camel-case words also count as a whole (`gotomeeting`). False: the text is a name. */
  readonly isProse: boolean
  /** Words beyond this number are ignored. */
  readonly maxWords: number
}

/** Term numbers: `number` for a word or concept, `~number` for the stem of another word. */
export interface FoundTerms {
  readonly codes: readonly number[]
  readonly words: number
}

export function createTermIndex(): TermIndex {
  const terms: string[] = []
  const numbers = new Map<string, number>()
  const byToken = new Map<string, readonly number[]>()
  const byChunk = new Map<string, ChunkEntry>()

  function numberOf(term: string): number {
    const known = numbers.get(term)
    if (known !== undefined) return known
    const number = terms.push(term) - 1
    numbers.set(term, number)
    return number
  }

  function getTokenCodes(token: string): readonly number[] {
    const known = byToken.get(token)
    if (known) return known
    const wordStem = stem(token)
    const codes = [numberOf(token), ...toIndexedConcepts(token, wordStem).map(numberOf)]
    if (wordStem !== token) codes.push(~numberOf(wordStem))
    byToken.set(token, codes)
    return codes
  }

  function getChunkEntry(chunk: string): ChunkEntry {
    const known = byChunk.get(chunk)
    if (known) return known
    const { parts, whole } = splitWordRun(chunk)
    const codes: number[] = []
    let last = ''
    for (const part of parts) {
      const compound = findCompound(last, part)
      codes.push(...getTokenCodes(part), ...(compound === undefined ? [] : getTokenCodes(compound)))
      last = part
    }
    const entry = {
      codes,
      words: parts.length,
      first: parts[0] ?? '',
      last,
      whole: whole === undefined ? [] : getTokenCodes(whole),
    }
    byChunk.set(chunk, entry)
    return entry
  }

  function analyse(text: string, { isProse, maxWords }: AnalyseOptions): FoundTerms {
    // Most names are one run of letters: a known one needs no allocation.
    const known = isProse ? undefined : byChunk.get(text)
    if (known) return known
    const codes: number[] = []
    let words = 0
    let last = ''
    for (const chunk of findWordRuns(text)) {
      const entry = getChunkEntry(chunk)
      for (const code of entry.codes) codes.push(code)
      if (isProse) for (const code of entry.whole) codes.push(code)
      const compound = findCompound(last, entry.first)
      if (compound !== undefined) codes.push(...getTokenCodes(compound))
      last = entry.last
      words += entry.words
      if (words >= maxWords) break
    }
    return { codes, words }
  }

  return {
    terms,
    getTermNumber: numberOf,
    analyse,
  }
}

/** Returns the compound that two words are also written as: `username` for `user name`. */
export function findCompound(first: string, second: string): string | undefined {
  return COMPOUNDS.get(first)?.get(second)
}

interface ChunkEntry {
  readonly codes: readonly number[]
  readonly words: number
  readonly first: string
  readonly last: string
  /** Codes of the whole camel-case word. */
  readonly whole: readonly number[]
}

const COMPOUND_PAIRS =
  'back up,bar code,bar codes,big data,block chain,book mark,book marks,check in,check out,' +
  'data base,data bases,data set,data sets,drop down,e book,e books,e mail,e mails,end point,' +
  'end points,face book,feed back,file name,geo code,geo coding,geo fence,geo location,' +
  'git hub,git lab,head line,head lines,health check,host name,key word,key words,know how,' +
  'life cycle,log in,log out,meta data,micro service,news letter,off line,on call,on line,pass word,' +
  'pay out,pay outs,pay pal,play list,play lists,pod cast,pod casts,post code,real time,' +
  'road map,screen shot,screen shots,sign in,sign out,sign up,sub domain,sub domains,' +
  'task list,text message=sms,text messages=sms,time line,time sheet,time sheets,time stamp,time zone,time zones,top up,top ups,' +
  'up load,url shortener,user name,user names,voice mail,wall paper,water mark,web cam,' +
  'web hook,web hooks,web page,web pages,web site,web sites,white list,work flow,work flows,' +
  'work space,work spaces,you tube,zip code,zip codes,post codes,to do,to dos,' +
  'exchange rate=fx,exchange rates=fx,foreign exchange=fx,currency exchange=fx,currency rate=fx,' +
  'currency rates=fx,fx rate=fx,fx rates=fx,forex rate=fx,forex rates=fx,currency conversion=fx,' +
  'currency converter=fx,convert currency=fx,' +
  'authenticated user=me,current user=me,user current=me,' +
  'pull request=pr,pull requests=pr,phone number=telephone,phone numbers=telephone,' +
  'geo ip=geoip,ip location=geoip,ip geolocation=geoip,ip lookup=geoip,text msg=sms,text msgs=sms,' +
  'license plate=regplate,licence plate=regplate,number plate=regplate,' +
  'registration number=regplate,car registration=regplate,vehicle registration=regplate'

const COMPOUNDS: ReadonlyMap<string, ReadonlyMap<string, string>> = buildCompoundMap()

function buildCompoundMap(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const map = new Map<string, Map<string, string>>()
  for (const pair of COMPOUND_PAIRS.split(',')) {
    const [words = '', meaning] = pair.split('=')
    const [first = '', second = ''] = words.split(' ')
    const seconds = map.get(first) ?? new Map<string, string>()
    map.set(first, seconds.set(second, meaning ?? first + second))
  }
  return map
}
