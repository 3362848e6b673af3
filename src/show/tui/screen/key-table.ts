/** One row of a key table: it makes the handler, the hint line, the help page and docs/keys.md. */
export interface Binding<State, Command extends string, Group extends string = string> {
  /** Names of keys as in `KeyPress`. */
  readonly keys: readonly string[]
  readonly command: Command
  /** Under which heading the help page lists it. */
  readonly group: Group
  /** How the keys and their meaning are written on the help page; absent where another row names them. */
  readonly help?: readonly [keys: string, meaning: string]
  /** How they are written on the hint line. The lowest `keep` goes first when space is short. */
  readonly hint?: {
    readonly text: string
    readonly keep: number
    /** True when it is worth a hint now; default: whenever the key does something. */
    readonly when?: (state: State) => boolean
  }
  /** True when the key does something now; default: always. */
  readonly when?: (state: State) => boolean
}

/** The row of a key that does something in this state. The first that fits is meant. */
export function bindingOf<State, Command extends string, Group extends string>(
  table: ReadonlyArray<Binding<State, Command, Group>>,
  key: string,
  state: State,
): Binding<State, Command, Group> | undefined {
  return table.find(({ keys, when }) => keys.includes(key) && when?.(state) !== false)
}
