import { Command, Option } from 'commander'
import type { FlowName } from '../flows/flows.js'
import type { Move } from '../flows/tamper/move.js'
import { type FlowShape, shapeOf } from '../flows/tamper/shape.js'
import { listedFlows } from './flow-list.js'
import { readGlobals, withGlobals } from './globals.js'
import { print, printJson } from './output.js'

const examples = `
Examples:
  oauth-lab tamper list
  oauth-lab tamper list --json | jq -r '.moves[].name'
  oauth-lab tamper list --flow refresh             those that can be made in one flow
  oauth-lab flow code --tamper reuse-code          make one of them
  oauth-lab doctor                                 make all that apply
`

/** The flows that a move can be made in. */
function flowsWith(move: Move, whyNotIn: (move: Move, shape: FlowShape) => string | undefined): FlowName[] {
  return listedFlows
    .map(({ name }) => name)
    .filter(name => {
      if (whyNotIn(move, shapeOf(name)) !== undefined) return false
      return move.at !== 'userinfo_request' || move.type !== 'mac' || name === 'resource'
    })
}

async function list({ flow }: { readonly flow?: FlowName }, command: Command): Promise<void> {
  const { json, ascii } = readGlobals(command)
  const { expectation, moves: all, whyNotIn } = await import('../flows/tamper/moves.js')
  const moves = all
    .map(move => ({ ...move, flows: flowsWith(move, whyNotIn) }))
    .filter(({ flows }) => flow === undefined || flows.includes(flow))
  if (json) {
    const written = moves.map(({ name, at, does, risk, expects, rule, flows }) => {
      return { name, at, does, risk, expects, rule, flows }
    })
    return printJson({ moves: written })
  }
  const { moveLines } = await import('../render/move-lines.js')
  const flowsOf = ({ flows }: { readonly flows: readonly FlowName[] }) =>
    flows.length === listedFlows.length ? 'every flow' : flows.join(', ')
  const shown = moves.map(move => ({ ...move, expects: expectation(move), flows: flowsOf(move) }))
  print(...moveLines(shown, { ascii }))
}

/** `oauth-lab tamper`: the named wrong moves. */
export function tamperCommand(): Command {
  return new Command('tamper')
    .description('wrong moves by name, each with the refusal it expects')
    .addHelpText('after', examples)
    .addCommand(
      withGlobals(new Command('list'))
        .description('list the wrong moves: effect, expected refusal, rule')
        .addOption(
          new Option('--flow <name>', 'only moves that are possible in this flow').choices(
            listedFlows.map(({ name }) => name),
          ),
        )
        .addHelpText('after', examples)
        .action(list),
    )
}
