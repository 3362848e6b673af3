import type { FlowName } from '../flows/flows.js'
import type { Move } from '../judge/tamper/move.js'
import { type FlowShape, mcpShape, shapeOf } from '../judge/tamper/shape.js'
import { defined } from '../protocol/values.js'
import { option } from '../session/options/option.js'
import { listedFlows } from './flow.js'
import { print, printJson, terminalColumns } from './output/output.js'
import { terminalMode } from './output/output-mode.js'
import { command } from './program/command.js'
import { watchSignals } from './program/exit.js'
import { everywhere, type Globals } from './program/globals.js'

/** The flows with wrong moves. */
const names = [...listedFlows.map(({ name }) => name), 'mcp'] as const
type TamperedFlowName = FlowName | 'mcp'

/** The flows that a move can be made in. */
function flowsWith(
  move: Move,
  whyNotIn: (move: Move, shape: FlowShape) => string | undefined,
): TamperedFlowName[] {
  return names.filter(name => {
    const shape =
      name === 'mcp' ? mcpShape({ grant: 'authorization_code' }) : shapeOf(name, { scope: 'openid' })
    if (whyNotIn(move, shape) !== undefined) return false
    return move.at !== 'userinfo_request' || move.type !== 'mac' || name === 'resource'
  })
}

/** Flags of `tamper list`. */
interface ListFlags {
  readonly flow?: TamperedFlowName
  readonly plain?: true
  readonly screenReader?: true
}

async function list({ flow, plain, screenReader }: ListFlags, { json, ascii }: Globals): Promise<void> {
  const { expectation, moves: all, whyNotIn } = await import('../judge/tamper/moves.js')
  const moves = all
    .map(move => ({ ...move, flows: flowsWith(move, whyNotIn) }))
    .filter(({ flows }) => flow === undefined || flows.includes(flow))
  if (json) {
    const written = moves.map(({ name, at, does, risk, expects, rule, flows }) => {
      return { name, at, does, risk, expects, rule, flows }
    })
    return printJson({ moves: written })
  }
  const flowsOf = ({ flows }: { readonly flows: readonly TamperedFlowName[] }) =>
    flows.length === names.length ? 'every flow' : flows.join(', ')
  const shown = moves.map(move => ({ ...move, expects: expectation(move), flows: flowsOf(move) }))
  if (terminalMode({ json, ...defined({ plain, screenReader }) }) === 'screen-reader') {
    const { spokenMove } = await import('../show/render/spoken/spoken-item.js')
    const { speakItems } = await import('./output/spoken.js')
    const items = shown.map((move, i) => spokenMove(move, i + 1, shown.length))
    return speakItems(items, watchSignals())
  }
  const { moveLines } = await import('../show/render/steps/outcome-lines.js')
  print(...moveLines(shown, { ascii, columns: terminalColumns() }))
}

const help = `
Examples:
  oauth-lab tamper list
  oauth-lab tamper list --json | jq -r '.moves[].name'
  oauth-lab tamper list --flow refresh             those that can be made in one flow
  oauth-lab flow code --tamper reuse-code          make one of them
  oauth-lab doctor                                 make all that apply
`

/** `oauth-lab tamper`: the named wrong moves. */
export const tamperCommand = command('tamper', {
  description: 'wrong moves by name, each with the refusal it expects',
  help,
  below: [
    command('list', {
      description: 'list the wrong moves: effect, expected refusal, rule',
      options: [
        ...everywhere,
        option('--flow <name>', 'only moves that are possible in this flow', { choices: names }),
        option('--plain', 'print lines'),
        option('--screen-reader', 'print sentences; Enter reads the next move, d its details'),
      ],
      help,
      run: async () => list,
    }),
  ],
})
