import { Command } from 'commander'
import { readGlobals, withGlobals } from './globals.js'
import { print, printJson } from './output.js'

const examples = `
Examples:
  oauth-lab tamper list
  oauth-lab tamper list --json | jq -r '.moves[].name'
  oauth-lab flow code --tamper reuse-code          make one of them
  oauth-lab doctor                                 make all that apply
`

async function list(_: unknown, command: Command): Promise<void> {
  const { json, ascii } = readGlobals(command)
  const { expectation, moves } = await import('../flows/tamper/moves.js')
  if (json) {
    const written = moves.map(move => ({
      name: move.name,
      at: move.at,
      does: move.does,
      risk: move.risk,
      expects: move.expects,
      rule: move.rule,
    }))
    return printJson({ moves: written })
  }
  const { makeSafe } = await import('../render/text.js')
  const columns = Math.max(...moves.map(({ name }) => name.length)) + 2
  const indent = ' '.repeat(columns)
  for (const move of moves) {
    const lines = [
      `${move.name.padEnd(columns)}${move.does}`,
      `${indent}expects ${expectation(move)}  (${move.rule})`,
      `${indent}else ${move.risk}`,
    ]
    print(...lines.map(line => makeSafe(line, { ascii })), '')
  }
}

/** `oauth-lab tamper`: the named wrong moves. */
export function tamperCommand(): Command {
  return new Command('tamper')
    .description('wrong moves by name, each with the refusal it expects')
    .addHelpText('after', examples)
    .addCommand(
      withGlobals(new Command('list'))
        .description('every wrong move: what it does, which refusal it expects, which rule says so')
        .addHelpText('after', examples)
        .action(list),
    )
}
