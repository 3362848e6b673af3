import { WEAK_MODES } from '../protocol/rules/weak-modes.js'
import { weakLines } from '../show/render/weak-lines.js'
import { print, printJson, terminalColumns } from './output/output.js'
import { command } from './program/command.js'
import { everywhere, type Globals } from './program/globals.js'

/** Widest text, and the width without a terminal, in columns. */
const WIDTH = 80

function list(_: object, { json }: Globals): void {
  // The last column stays empty: terminals differ in how they treat it.
  if (json) printJson({ modes: WEAK_MODES })
  else print(...weakLines(WEAK_MODES, Math.min(WIDTH, terminalColumns() ?? WIDTH) - 1))
}

const help = `
Examples:
  oauth-lab weak list
  oauth-lab weak list --json | jq -r '.modes[].name'
  oauth-lab serve --weak redirect-any                  start a lab without that defence
`

/** `oauth-lab weak`: the defences that can be switched off on purpose. */
export const weakCommand = command('weak', {
  description: 'defences that serve --weak switches off on purpose',
  help,
  below: [
    command('list', {
      description: 'list the weak modes: behaviour, gain of an attacker, rule',
      options: everywhere,
      help,
      run: async () => list,
    }),
  ],
})
