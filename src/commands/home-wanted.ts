import { globalOptions } from './global-options.js'
import { terminalMode } from './output-mode.js'

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

/** True when the menu opens: no command was typed, and the terminal can draw it and has a keyboard. */
export function homeWanted(argv: readonly string[]): boolean {
  return isBare(argv) && terminalMode({ json: argv.includes('--json') }) === 'tui'
}
