import { globalOptions } from './global-options.js'
import { terminalMode } from './output-mode.js'

/** Whether the words are options that every command understands and nothing else: no command was typed. */
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

/** Whether the menu is to be opened: no command was typed, and somebody sits at a terminal that can draw it. */
export function homeWanted(argv: readonly string[]): boolean {
  return isBare(argv) && terminalMode({ json: argv.includes('--json') }) === 'tui'
}
