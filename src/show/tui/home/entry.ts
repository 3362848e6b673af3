/** A command that the menu offers. */
export interface HomeEntry {
  /** The heading it stands under. */
  readonly group: string
  /** The name in the list: the command line without `oauth-lab` and without most options. */
  readonly name: string
  /** The purpose, in one line. */
  readonly about: string
  /** The equal command line, as people type it. */
  readonly line: string
  /** Other command lines worth typing. */
  readonly more: readonly string[]
}
