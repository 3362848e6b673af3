/** The form in which results are shown. */
export type OutputMode = 'json' | 'plain' | 'screen-reader' | 'tui'

/** The facts that decide the form of the output. */
export interface OutputSituation {
  readonly json: boolean
  readonly plain: boolean
  readonly screenReader: boolean
  /** True when the output goes into a file. */
  readonly toFile: boolean
  readonly stdinIsTerminal: boolean
  readonly stdoutIsTerminal: boolean
  readonly env: Readonly<Record<string, string | undefined>>
}

/** True when a CI job runs this: the variable is set, and its value does not switch it off. */
function inCi({ CI }: OutputSituation['env']): boolean {
  return CI !== undefined && !['', '0', 'false'].includes(CI)
}

/** Chooses the form of the output. Flags come first. The screen needs a terminal that can draw, and a keyboard. */
export function outputMode(situation: OutputSituation): OutputMode {
  const { env, stdoutIsTerminal, stdinIsTerminal } = situation
  if (situation.json) return 'json'
  if (situation.plain) return 'plain'
  if (situation.screenReader) return 'screen-reader'
  if (!stdoutIsTerminal || situation.toFile || env.TERM === 'dumb' || inCi(env)) return 'plain'
  if (env.INK_SCREEN_READER === 'true') return 'screen-reader'
  return stdinIsTerminal ? 'tui' : 'plain'
}

/** The flags that choose the form of the output. */
export interface OutputFlags {
  readonly json: boolean
  readonly plain?: boolean
  readonly screenReader?: boolean
  readonly export?: string
  readonly output?: string
}

/**
 * Chooses the form of the output for the terminal of this process.
 * @param piped true when stdin brings data, and keys come from the terminal itself
 */
export function terminalMode(flags: OutputFlags, piped = false): OutputMode {
  return outputMode({
    json: flags.json,
    plain: flags.plain === true || flags.export !== undefined,
    screenReader: flags.screenReader === true,
    toFile: flags.output !== undefined,
    stdinIsTerminal: piped || process.stdin.isTTY === true,
    stdoutIsTerminal: process.stdout.isTTY === true,
    env: process.env,
  })
}

/** True when a terminal shows ASCII only: the Linux console, or a locale that names another character set. */
export function asciiOnly(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env.TERM === 'linux') return true
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG
  return locale !== undefined && locale !== '' && !/utf-?8/i.test(locale)
}

/** True when this process writes ASCII only, by option or by terminal. Errors may come before options are read. */
export function asciiWanted(argv: readonly string[] = process.argv, env = process.env): boolean {
  return argv.includes('--ascii') || asciiOnly(env)
}
