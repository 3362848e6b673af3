/** How results are shown. */
export type OutputMode = 'json' | 'plain' | 'screen-reader' | 'tui'

/** What decides it. */
export interface OutputSituation {
  readonly json: boolean
  readonly plain: boolean
  readonly screenReader: boolean
  /** Whether the output goes into a file. */
  readonly toFile: boolean
  readonly stdinIsTerminal: boolean
  readonly stdoutIsTerminal: boolean
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Whether a CI job runs this: set, and not switched off by its value. */
function inCi({ CI }: OutputSituation['env']): boolean {
  return CI !== undefined && !['', '0', 'false'].includes(CI)
}

/**
 * Which output appears. Flags first; the screen only where somebody sits at a terminal that can draw, with keys.
 */
export function outputMode(situation: OutputSituation): OutputMode {
  const { env, stdoutIsTerminal, stdinIsTerminal } = situation
  if (situation.json) return 'json'
  if (situation.plain) return 'plain'
  if (situation.screenReader) return 'screen-reader'
  if (!stdoutIsTerminal || situation.toFile || env.TERM === 'dumb' || inCi(env)) return 'plain'
  if (env.INK_SCREEN_READER === 'true') return 'screen-reader'
  return stdinIsTerminal ? 'tui' : 'plain'
}

/** Whether a terminal shows ASCII only: the Linux console, or a locale that names another character set. */
export function asciiOnly(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env.TERM === 'linux') return true
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG
  return locale !== undefined && locale !== '' && !/utf-?8/i.test(locale)
}

/** Whether this process writes ASCII only: it was asked to, or its terminal shows no more. Errors may come before options are read. */
export function asciiWanted(argv: readonly string[] = process.argv, env = process.env): boolean {
  return argv.includes('--ascii') || asciiOnly(env)
}
