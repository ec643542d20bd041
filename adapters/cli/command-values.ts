/** An option: flags as shown in the help (`--size <n>`), description, and the reading of its value. */
export type OptionRow = readonly [
  flags: string,
  description: string,
  settings?: {
    /** Converts each word; `previous` is the value so far, for repeatable options. */
    readonly parse?: (text: string, previous: never) => unknown
    readonly choices?: readonly string[]
    /** Values that shells complete, of an option that checks its value itself. */
    readonly suggestions?: readonly string[]
    /** A value, or the text of one for `parse`. */
    readonly default?: unknown
    readonly isRequired?: true
    readonly isHidden?: true
  },
]

/** An argument as shown in the help: `<name>`, `[name]` or `<names...>`. */
export type ArgumentRow = readonly [
  name: string,
  description: string,
  settings?: {
    readonly parse?: (text: string) => unknown
    readonly choices?: readonly string[]
  },
]

type CamelCase<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text

/** `--public-url <url>` becomes `publicUrl`, `--no-jobs` becomes `jobs`. */
type OptionName<Flags extends string> = Flags extends `${string}--no-${infer Name}`
  ? CamelCase<Name>
  : Flags extends `${string}--${infer Name} ${string}`
    ? CamelCase<Name>
    : Flags extends `${string}--${infer Name}`
      ? CamelCase<Name>
      : never

type WordsOf<Term extends string> = Term extends `${string}...${string}`
  ? readonly string[]
  : string

type SettingsOf<Row extends OptionRow | ArgumentRow> = Row extends readonly [
  string,
  string,
  infer Settings,
]
  ? Settings
  : unknown

/** The value that the settings produce, else `Otherwise`. */
type ReadValue<Row extends OptionRow | ArgumentRow, Otherwise> =
  SettingsOf<Row> extends { readonly parse: (text: string, previous: never) => infer Value }
    ? Value
    : SettingsOf<Row> extends { readonly choices: readonly (infer Choice)[] }
      ? Row[0] extends `${string}...${string}`
        ? readonly Choice[]
        : Choice
      : Otherwise

type OptionValue<Row extends OptionRow> = ReadValue<
  Row,
  Row[0] extends `${string}<${infer Term}>` ? WordsOf<Term> : boolean
>

type IsAlwaysSet<Row extends OptionRow> =
  SettingsOf<Row> extends { readonly default: unknown } | { readonly isRequired: true }
    ? true
    : Row[0] extends `${string}--no-${string}`
      ? true
      : false

/** Values of options by name. */
export type OptionValues<Rows extends readonly OptionRow[]> = {
  readonly [Row in Rows[number] as IsAlwaysSet<Row> extends true
    ? OptionName<Row[0]>
    : never]: OptionValue<Row>
} & {
  readonly [Row in Rows[number] as IsAlwaysSet<Row> extends true ? never : OptionName<Row[0]>]?:
    | OptionValue<Row>
    | undefined
}

type ArgumentValue<Row extends ArgumentRow> = ReadValue<Row, WordsOf<Row[0]>>

/** Values of arguments, in order. */
export type ArgumentValues<Rows extends readonly ArgumentRow[]> = {
  readonly [Index in keyof Rows]: Rows[Index][0] extends `[${string}...]`
    ? readonly string[]
    : Rows[Index][0] extends `[${string}`
      ? ArgumentValue<Rows[Index]> | undefined
      : ArgumentValue<Rows[Index]>
}
