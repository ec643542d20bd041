/**
 * Calls of a client library as people write them. Lists are separated by commas or line breaks;
 * `{a|b}` in a name stands for either, `{verb}`, `{Verb}` and `{VERB}` for any method.
 *
 * @example
 * ```ts
 * const acme: ClientRows = {
 *   from: 'acme-http',
 *   receiver: 'new Acme({ baseURL: base })',
 *   rows: '.{verb}(url), GET .request(url, { method }), POST .upload(file, target: url)',
 * }
 * ```
 */
export interface ClientRows {
  /**
   * The calls. A parameter `url`, `method` or `base` says what an argument is, by position, in a
   * record or in the call that makes the argument: `fetch(new Request(url, { method }))`. Other
   * parameters only count positions; `target: url` is a parameter with the name `target`, and those
   * after `*` are passed by name alone. The method is the `method` parameter, the word before the
   * row (`GET`, the default where there is such a parameter), or the one in the name (`postForm`).
   * Calls after the first (`.url(url).{verb}()`) are optional and in any order.
   */
  readonly rows: string
  /** Modules or packages; a file must import one of them, unless it makes a receiver. */
  readonly from?: string
  /** Calls that make the object on which rows with a leading dot are called. */
  readonly receiver?: string
  /**
   * Other calls on the same object, or fields of it, that set a base, a method or a path:
   * `.SetBaseURL(base)`, `BaseAddress = base`, `POST .setBody()`. `**.baseUrl(base)` is a call on
   * any object of the project, `@class = base` the base that another file registers for the class.
   */
  readonly with?: string
  /** URL below which paths are, unless something sets another base. */
  readonly base?: string
  /** Whether the calls open files too: then only whole URLs count. */
  readonly opensFiles?: true
  /** Whether what the calls fetch is installed or run. */
  readonly fetchesFile?: true
  /** Whether the rows are functions of the project itself. */
  readonly isWrapper?: true
}
