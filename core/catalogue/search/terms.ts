import { stem } from '../../shared/stem.ts'
import { splitChunk, toChunks } from '../../shared/text.ts'
import { toConcepts } from './concepts.ts'

/** A term of the index with the share of a field's weight that it gets. */
export interface IndexTerm {
  /** Position in `TermIndex.terms`. */
  readonly term: number
  readonly share: number
}

/** What a stem found instead of the very word is worth. */
export const STEM_SHARE = 0.9

/** Numbers the terms of one API's texts; every distinct run of letters is analysed once. */
export interface TermIndex {
  /** All terms so far. */
  readonly terms: readonly string[]
  /** The number of a term that is given as it stands. */
  numberOf(term: string): number
  /** The terms of a text, word by word; `isProse` adds whole camel-case words: `gotomeeting`. */
  analyse(text: string, isProse: boolean): readonly (readonly IndexTerm[])[]
}

export function createTermIndex(): TermIndex {
  const terms: string[] = []
  const numbers = new Map<string, number>()
  const byToken = new Map<string, readonly IndexTerm[]>()
  const byChunk = new Map<string, ChunkEntry>()
  const byText = new Map<string, readonly (readonly IndexTerm[])[]>()

  function numberOf(term: string): number {
    const known = numbers.get(term)
    if (known !== undefined) return known
    const number = terms.push(term) - 1
    numbers.set(term, number)
    return number
  }

  function termsOf(token: string): readonly IndexTerm[] {
    const known = byToken.get(token)
    if (known) return known
    const wordStem = stem(token)
    const found: IndexTerm[] = [{ term: numberOf(token), share: 1 }]
    if (wordStem !== token) found.push({ term: numberOf(wordStem), share: STEM_SHARE })
    for (const concept of toConcepts(wordStem)) found.push({ term: numberOf(concept), share: 1 })
    byToken.set(token, found)
    return found
  }

  function entryOf(chunk: string): ChunkEntry {
    const known = byChunk.get(chunk)
    if (known) return known
    const { parts, whole } = splitChunk(chunk)
    const entry = {
      words: parts.map(termsOf),
      tokens: parts,
      whole: whole === undefined ? undefined : termsOf(whole),
    }
    byChunk.set(chunk, entry)
    return entry
  }

  function analyse(text: string, isProse: boolean): readonly (readonly IndexTerm[])[] {
    if (text === '') return []
    const isShort = text.length <= 60
    const known = isShort && !isProse ? byText.get(text) : undefined
    if (known) return known
    const words: (readonly IndexTerm[])[] = []
    let last = ''
    for (const chunk of toChunks(text)) {
      const entry = entryOf(chunk)
      for (const [index, token] of entry.tokens.entries()) {
        words.push(entry.words[index] ?? [])
        const compound = toCompound(last, token)
        if (compound !== undefined) words.push(termsOf(compound))
        last = token
      }
      if (isProse && entry.whole !== undefined) words.push(entry.whole)
    }
    if (isShort && !isProse) byText.set(text, words)
    return words
  }

  return { terms, numberOf, analyse }
}

/** The one word that two words are also written as: `user name` gives username. */
export function toCompound(first: string, second: string): string | undefined {
  return COMPOUNDS.get(first)?.get(second)
}

interface ChunkEntry {
  readonly words: readonly (readonly IndexTerm[])[]
  readonly tokens: readonly string[]
  readonly whole: readonly IndexTerm[] | undefined
}

const PAIRS =
  'back up,bar code,bar codes,big data,block chain,book mark,book marks,check in,check out,' +
  'data base,data bases,data set,data sets,drop down,e book,e books,e mail,e mails,end point,' +
  'end points,face book,feed back,file name,geo code,geo coding,geo fence,geo location,' +
  'git hub,git lab,head line,head lines,health check,host name,key word,key words,know how,' +
  'life cycle,log in,log out,meta data,micro service,news letter,off line,on line,pass word,' +
  'pay out,pay outs,pay pal,play list,play lists,pod cast,pod casts,post code,real time,' +
  'road map,screen shot,screen shots,sign in,sign out,sign up,sub domain,sub domains,' +
  'task list,text message=sms,text messages=sms,time line,time sheet,time sheets,time stamp,time zone,time zones,top up,top ups,' +
  'up load,url shortener,user name,user names,voice mail,wall paper,water mark,web cam,' +
  'web hook,web hooks,web page,web pages,web site,web sites,white list,work flow,work flows,' +
  'work space,work spaces,you tube,zip code,zip codes,post codes,to do,to dos'

const COMPOUNDS: ReadonlyMap<string, ReadonlyMap<string, string>> = toPairMap()

function toPairMap(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const map = new Map<string, Map<string, string>>()
  for (const pair of PAIRS.split(',')) {
    const [words = '', meaning] = pair.split('=')
    const [first = '', second = ''] = words.split(' ')
    const seconds = map.get(first) ?? new Map<string, string>()
    map.set(first, seconds.set(second, meaning ?? first + second))
  }
  return map
}
