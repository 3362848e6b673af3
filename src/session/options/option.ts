import { UsageError } from '../../protocol/errors.js'

/** The parts of an option beside its flags and its meaning. */
export interface OptionParts {
  /** The heading above it in the help. */
  readonly group?: string
  /** The only values that it takes. */
  readonly choices?: readonly string[]
  /**
   * Reads the value; `before` is that of the same option further left.
   * @returns undefined for a value that is not as `expected` says
   * @throws UsageError
   */
  readonly parse?: (text: string, before?: never) => unknown
  readonly expected?: string
  /** The value without the option. */
  readonly fallback?: string | number | boolean
  /** The text for that value in the help, where the value itself would be read wrong. */
  readonly shown?: string
  /** True for an option that has to be given. */
  readonly required?: true
  /** The options that it cannot stand beside, by their names. */
  readonly conflicts?: readonly string[]
  /** The variable that stands for it. */
  readonly env?: string
  /** True for the `--no-` form of an option whose other form is there too: without both there is no value. */
  readonly pair?: true
}

/** A row of the table of options: an option as people type it. `typed` is there for types alone. */
export interface OptionRow<Name extends string = string, Value = unknown, Sure extends boolean = boolean>
  extends OptionParts {
  /** As the help shows it: `-o, --output <file>`. */
  readonly flags: string
  readonly meaning: string
  readonly typed?: readonly [name: Name, value: Value, sure: Sure]
}

type Camel<Text extends string> = Text extends `${infer Word}-${infer Rest}`
  ? `${Word}${Capitalize<Camel<Rest>>}`
  : Text

type Long<Flags extends string> = Flags extends `${string}--${infer Name} ${string}`
  ? Name
  : Flags extends `${string}--${infer Name}`
    ? Name
    : string

/** The name of an option among the parsed ones: `clientId` for `--client-id <id>`, `pkce` for `--no-pkce`. */
type NameIn<Flags extends string> = Camel<Long<Flags> extends `no-${infer Name}` ? Name : Long<Flags>>

type ValueOf<Flags extends string, Parts> = Parts extends { parse: (...given: never) => infer Value }
  ? Exclude<Value, undefined>
  : Parts extends { choices: readonly (infer Choice)[] }
    ? Choice
    : Flags extends `${string}...>`
      ? readonly string[]
      : Flags extends `${string}<${string}`
        ? string
        : Flags extends `--no-${string}`
          ? boolean
          : Parts extends { fallback: boolean }
            ? boolean
            : true

type IsSure<Flags extends string, Parts> = Parts extends { fallback: unknown } | { required: true }
  ? true
  : Parts extends { pair: true }
    ? false
    : Flags extends `--no-${string}`
      ? true
      : false

/** Makes a row of the table of options. The type of its value comes from its flags and its parts. */
export function option<const Flags extends string, const Parts extends OptionParts = object>(
  flags: Flags,
  meaning: string,
  parts?: Parts,
): OptionRow<NameIn<Flags>, ValueOf<Flags, Parts>, IsSure<Flags, Parts>> {
  return { flags, meaning, ...parts }
}

type Flat<T> = { readonly [Name in keyof T]: T[Name] }
type Sure<Row> =
  Row extends OptionRow<string, unknown, infer Sure> ? (Sure extends true ? Row : never) : never
type NameOf<Row> = Row extends OptionRow<infer Name> ? Name : never
type Value<Row> = Row extends OptionRow<string, infer Value> ? Value : never

/** The parsed options of rows of the table. */
export type Typed<Rows extends readonly OptionRow[]> = Flat<
  { [Row in Sure<Rows[number]> as NameOf<Row>]: Value<Row> } & {
    [Row in Exclude<Rows[number], Sure<Rows[number]>> as NameOf<Row>]?: Value<Row>
  }
>

/** Adds the value of an option that is repeated. */
export const repeated = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]

/** The same for an option that takes several values too, with spaces or commas between. */
export const wordList = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...text.split(/[\s,]+/).filter(each => each !== ''),
]

/** Scope tokens, repeated, with spaces or with commas between, each once. */
export const scopes = (text: string, before = ''): string =>
  [...new Set(wordList(`${before} ${text}`))].join(' ')

/** A reason to refuse options: whether it holds, the problem, and the next moves. */
type Refusal = readonly [holds: boolean | undefined, problem: string, ...hints: string[]]

/** Refuses options for the first reason that holds. @throws UsageError */
export function refuse(reasons: readonly Refusal[]): void {
  const first = reasons.find(([holds]) => holds)
  if (first === undefined) return
  const [, problem, ...hints] = first
  throw new UsageError(problem, hints)
}
