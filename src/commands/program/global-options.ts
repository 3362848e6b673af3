import { terminalMode } from '../output/output-mode.js'

/** The heading of the options that every command has. */
export const EVERYWHERE = 'Everywhere:'

/** Options of every command: flags and meaning. The environment variable behind a flag stands in brackets. */
export const globalOptions: ReadonlyArray<readonly [flags: string, meaning: string]> = [
  ['--json', 'machine output: one JSON object, or one a line'],
  ['--config <file>', 'lab file; default ./oauth-lab.yaml, else built in [OAUTH_LAB_CONFIG]'],
  ['--server <url>', 'use this running lab; room: that of your room [OAUTH_LAB_SERVER]'],
  ['--cacert <file>', 'trust this CA [OAUTH_LAB_CACERT]'],
  ['--timeout <duration>', 'give up on a network wait; default 30s [OAUTH_LAB_TIMEOUT]'],
  ['--show-secrets', 'do not mask secrets and tokens'],
  ['--no-color', 'no colours [NO_COLOR]'],
  ['--ascii', 'draw with ASCII characters only'],
]

/** True when no command was typed, but only options that every command understands. */
export function isBare(argv: readonly string[]): boolean {
  const rest = [...argv]
  while (rest.length > 0) {
    const [flag = '', value] = rest.shift()!.split(/=(.*)/s)
    const option = globalOptions.find(([flags]) => flags.split(' ')[0] === flag)?.[0]
    if (option === undefined) return false
    const takesValue = option.includes('<')
    if (!takesValue && value !== undefined) return false
    if (takesValue && value === undefined && rest.shift() === undefined) return false
  }
  return true
}

/** The option that makes the menu sentences, as it does for the screens of commands. */
const SCREEN_READER = '--screen-reader'

/**
 * Returns the form of the menu, and the options to hand on to its commands; undefined when a command was typed, or when
 * the terminal cannot draw the menu or has no keyboard.
 */
export function homeWanted(
  argv: readonly string[],
): { readonly mode: 'tui' | 'screen-reader'; readonly options: readonly string[] } | undefined {
  const options = argv.filter(each => each !== SCREEN_READER)
  if (!isBare(options)) return undefined
  const mode = terminalMode({ json: argv.includes('--json'), screenReader: options.length < argv.length })
  return mode === 'tui' || mode === 'screen-reader' ? { mode, options } : undefined
}
