/** Where something stands in a text: UTF-16 index from 0, line and column from 1. */
export interface Place {
  readonly index: number
  readonly line: number
  readonly column: number
}

/**
 * A value as far as a text tells it, the same for all languages. What cannot be told is `unknown`,
 * never left out, so that `join` and `format` keep a place for it.
 */
export type Expression =
  /** A string literal, escapes undone. */
  | { readonly kind: 'text'; readonly text: string; readonly place: Place }
  /** Parts one after the other: `a + b`, template literals, f-strings, interpolation. */
  | { readonly kind: 'join'; readonly parts: readonly Expression[]; readonly place: Place }
  /** A format with its values: `%s`, `{}`, `{0}`, `{name}`, `:name`; `named` holds named values. */
  | {
      readonly kind: 'format'
      readonly format: Expression
      readonly values: readonly Expression[]
      readonly named: Readonly<Record<string, Expression>>
      readonly place: Place
    }
  /** Parts as URL or path segments, one slash between each two: `path.join`, `URI.join`, `new URL(path, base)`. */
  | { readonly kind: 'path'; readonly parts: readonly Expression[]; readonly place: Place }
  /**
   * A name that is bound elsewhere, parts with dots: `BASE_URL`, `config.api.url`, `this.baseUrl`.
   * Whatever a language calls its own instance (`self`, `@`, `$this`) is `this`.
   */
  | { readonly kind: 'name'; readonly name: string; readonly place: Place }
  /** One or the other, the likelier first: `a ?? b`, `a || b`, a conditional, `getenv(name, fallback)`. */
  | { readonly kind: 'either'; readonly options: readonly Expression[]; readonly place: Place }
  /** A record by its keys: object literal, dictionary, hash, keyword arguments. */
  | {
      readonly kind: 'record'
      readonly entries: Readonly<Record<string, Expression>>
      /** Scope of the functions among its entries, like that of a class. */
      readonly methods?: number
      readonly place: Place
    }
  | { readonly kind: 'list'; readonly items: readonly Expression[]; readonly place: Place }
  /** What a call gives back. */
  | { readonly kind: 'call'; readonly call: Call; readonly place: Place }
  | { readonly kind: 'unknown'; readonly place: Place }

/** A call, a construction, or an annotation with arguments. */
export interface Call {
  /**
   * What is called, as it stands, with dots whatever the language writes (`::`, `->`): `fetch`,
   * `requests.get`, `http.NewRequest`, `new URL`, `@GET`, `curl`. Where the receiver is no plain
   * name it is left out, and `.get` remains.
   */
  readonly callee: string
  /** What a method is called on; undefined for plain functions. */
  readonly receiver: Expression | undefined
  readonly args: readonly Expression[]
  /** Keyword arguments by name. */
  readonly named: Readonly<Record<string, Expression>>
  /** Position of the callee's name. */
  readonly place: Place
  /** Innermost function or class body that it stands in: index into `Program.scopes`. */
  readonly scope: number
}

/**
 * A value given to a name. A field, variable or parameter with a declared type and no value is given
 * what `new Type` gives (a `call` without arguments that is not among `Program.calls`), so that the
 * `receiver` of a rule holds for injected clients too.
 */
export interface Binding {
  /** As `Expression` of kind `name`, without the scope: `BASE_URL`, `this.baseUrl`, `config.api.url`. */
  readonly name: string
  readonly value: Expression
  /**
   * What sort of thing it is given to. A `default` holds where nothing else is given. A `return` is
   * what the function of `scope` gives back; its name is `return`.
   */
  readonly kind: 'variable' | 'constant' | 'field' | 'parameter-default' | 'entry' | 'return'
  readonly isExported: boolean
  readonly place: Place
  /** Where the value stands, and the name unless `of` says otherwise. */
  readonly scope: number
  /** Scope of the class whose field it is, where it is given elsewhere: `&Client{base: base}`. */
  readonly of?: number
  /** Ranges of the text that never run after it: the other branches, from start to end. */
  readonly hiddenIn?: readonly (readonly [start: number, end: number])[]
}

/** A body with names of its own. */
export interface Scope {
  readonly kind: 'file' | 'class' | 'function'
  /** Name of the class or function, or empty. */
  readonly name: string
  /** Index of the enclosing one; -1 for the file's, which comes first. */
  readonly parent: number
  /** The part of a class's name before the last: `A` of `class A::B`, in which `B` is no name. */
  readonly namespace?: string
  /** Names of a function's parameters, in order; they hide the same names outside. */
  readonly parameters?: readonly string[]
  /** Names of the classes that a class extends, as they stand: its `this` has their members too. */
  readonly extends?: readonly string[]
  /** Whether it is an object with functions: only `this` names its members. */
  readonly isObject?: true
  /** Whether other files may have more of the class: methods in Go, partial classes. */
  readonly isPart?: true
}

/** A name that comes from elsewhere. */
export interface Import {
  /** As it stands: `axios`, `./config.js`, `google.cloud.storage`, `com.stripe.Stripe`, `net/http`. */
  readonly module: string
  /**
   * Name in this file, empty for none, or `*` where all names there are names here
   * (`from x import *`, `export * from`).
   */
  readonly local: string
  /** Name there: `*` for the module itself, `default`, or an exported name. */
  readonly imported: string
  /** Whether only types are imported: `import type { Stripe }`. */
  readonly isType?: true
  readonly place: Place
}

/** Name of what a script does when it runs; its parameters are those of the file's scope. */
export const MAIN = '$0'

/** Name of what a file registers for a class, or by a name, for clients of other files. */
export function classKey(name: string): string {
  return `@class ${name}`
}

/** Named argument of a declared client that a qualifier selects. */
export const SELECTED = '@selected'

/** A string that is neither bound to a name nor an argument of a call. */
export interface LooseText {
  readonly value: Expression
  /** Where it stands: markup that links (`href`), an error (`throw`), an assertion, or elsewhere. */
  readonly role: TextRole
  readonly scope: number
}

export type TextRole = 'link' | 'error' | 'documentation' | 'other'

/** What a text in a programming language says, as far as calls of web APIs are concerned. */
export interface Program {
  readonly scopes: readonly Scope[]
  readonly imports: readonly Import[]
  readonly bindings: readonly Binding[]
  /** In order of the text, nested ones too. */
  readonly calls: readonly Call[]
  readonly loose: readonly LooseText[]
}

/** One way in which a client library is called; rows of `clients/*`. */
export interface ClientRule {
  /**
   * What is called: full (`requests.get`), or its last part with a dot before it (`.get`), which
   * needs `from` or `receiver` to hold, or a whole URL. `*` stands for any one name, `()` for what
   * was made by `receiver` and is called itself.
   */
  readonly callee: string
  /** Modules or packages one of which the file must import, or the callee's first name come from. */
  readonly from?: readonly string[]
  /**
   * What the receiver must be made by, as callee: `axios.create`, `requests.Session`,
   * `new RestTemplate`. Chains count as what they begin with: `new Request.Builder().url(u)`. The
   * receiver of an annotation of a method is an annotation of its class.
   */
  readonly receiver?: readonly string[]
  /** The method sent, lower case, or where it stands. */
  readonly method: string | ArgumentPlace
  /** When `method` names a place that holds nothing. */
  readonly defaultMethod?: string
  /** Where the URL or path stands. */
  readonly url: ArgumentPlace
  /** Where a base stands that the URL is below; the receiver's construction is searched too. */
  readonly base?: ArgumentPlace
  /** A base URL, where nothing else gives a base. */
  readonly fixedBase?: string
  /** As `ClientRows.opensFiles`. */
  readonly opensFiles?: true
  /** As `ClientRows.fetchesFile`. */
  readonly fetchesFile?: true
  /** The row, where it is a function of the project itself. */
  readonly wrapper?: string
  /**
   * Other calls on the same object that say the method: before or after this one in its chain
   * (`builder.url(u).post(b)`), or statements of the same function on the same name
   * (`connection.setRequestMethod("POST")`). By last part of the callee with a dot before it: the
   * method, or where it stands there. They go before `method`. A name without a dot is a field that
   * is set on what the call gives: `request.Method = "POST"`.
   */
  readonly methodFrom?: Readonly<Record<string, string | ArgumentPlace>>
  /**
   * Calls on the receiver (in its chain, or on its name anywhere in the file) that give the base, as
   * `methodFrom`: `{ '.baseUrl': { at: 0 }, '.SetBaseURL': { at: 0 } }`. A name without parentheses
   * is a field that is set or given at construction: `{ BaseAddress: { at: 0 } }`. A name with `()`
   * after it is a call anywhere in the file. `@class` is what another file registers for the class
   * around, or for the name that the client is made by.
   */
  readonly baseFrom?: Readonly<Record<string, ArgumentPlace>>
  /** Calls after this one in its chain that append to the URL's path: `{ '.path': { at: 0 } }`. */
  readonly pathFrom?: Readonly<Record<string, ArgumentPlace>>
}

/** An argument by position from 0, by name, or a member of one: `{ at: 1, key: 'method' }`. */
export interface ArgumentPlace {
  readonly at?: number
  readonly name?: string
  /** Member of a record argument, with dots for members of members. */
  readonly key?: string
  /** What the call is called on: `url.GetJsonAsync()`. */
  readonly isReceiver?: true
  /**
   * Where the argument is made by one of these calls (here or where its name is bound), the place in
   * that call: `{ at: 0, madeBy: { 'new HttpRequestMessage': { at: 1 } } }`.
   */
  readonly madeBy?: Readonly<Record<string, ArgumentPlace>>
}
