import { Command } from 'commander'
import { WEAK_MODES } from '../protocol/rules/weak-modes.js'
import { weakLines } from '../show/render/weak-lines.js'
import { print, printJson, terminalColumns } from './output/output.js'
import { examples } from './program/examples.js'
import { readGlobals, withGlobals } from './program/globals.js'

const EXAMPLES = examples([
  'oauth-lab weak list',
  "oauth-lab weak list --json | jq -r '.modes[].name'",
  'oauth-lab serve --weak redirect-any                  start a lab without that defence',
])

/** Widest text, and the width without a terminal, in columns. */
const WIDTH = 80

function list(_: unknown, command: Command): void {
  const { json } = readGlobals(command)
  if (json) {
    printJson({ modes: WEAK_MODES })
    return
  }
  // The last column stays empty: terminals differ in how they treat it.
  print(...weakLines(WEAK_MODES, Math.min(WIDTH, terminalColumns() ?? WIDTH) - 1))
}

/** `oauth-lab weak`: the defences that can be switched off on purpose. */
export function weakCommand(): Command {
  return new Command('weak')
    .description('defences that serve --weak switches off on purpose')
    .addHelpText('after', EXAMPLES)
    .addCommand(
      withGlobals(new Command('list'))
        .description('list the weak modes: behaviour, gain of an attacker, rule')
        .addHelpText('after', EXAMPLES)
        .action(list),
    )
}
