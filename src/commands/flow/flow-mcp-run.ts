import { randomBytes } from 'node:crypto'
import { createTransport } from '../../client/transport.js'
import { moveNamed } from '../../judge/tamper/run/flow-run.js'
import { withMcpMove } from '../../judge/tamper/run/mcp-run.js'
import { runAgent } from '../../protocol/http/message.js'
import { suggestedUser } from '../../session/flow/flow-session.js'
import { type McpSession, type McpSetup, mcpSession } from '../../session/flow/mcp-session.js'
import { readStdinLine } from '../../session/input/input.js'
import { mcpOptions } from '../../session/options/mcp.js'
import { checkedNetwork, networkSettings, warnInsecure } from '../../session/options/network.js'
import type { McpRunOptions } from '../../session/options/table.js'
import { knownUser } from '../../session/people/users.js'
import { type McpTarget, mcpTarget } from '../../session/targets/mcp.js'
import { withTarget } from '../../session/targets/target.js'
import { witnessAtTerminal } from '../learn/witness.js'
import { narrate } from '../output/output.js'
import { terminalMode } from '../output/output-mode.js'
import { EXIT, watchSignals } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { checkBareToken, checkExport, exitCodeOf } from './flow-output.js'
import { showAsText, type TextShow } from './flow-text.js'

/** How the flow is shown. */
interface Show extends Omit<TextShow, 'flags'> {
  readonly flags: McpRunOptions
}

/** The name of the flow in exports and sentences. */
const TITLE = 'MCP authorization'

/** The user who logs in; undefined where a person does. @throws UsageError */
function userOf(
  { user, grant }: McpRunOptions,
  password: string | undefined,
  onScreen: boolean,
  { users }: McpTarget,
) {
  if (grant !== 'authorization_code') return undefined
  if (user === undefined && password === undefined && (onScreen || users.length === 0)) return undefined
  return knownUser(user, password, users)
}

/** `oauth-lab flow mcp URL`: walks the flow, shows it. */
export async function runMcpFlow(url: string, typed: McpRunOptions, globals: Globals): Promise<number> {
  const flags = { ...typed, browser: typed.browser || !typed.open }
  checkExport(flags.export, globals.json)
  checkBareToken(flags, globals.json)
  const move = flags.tamper === undefined ? undefined : moveNamed(flags.tamper)
  const network = checkedNetwork(flags)
  const mode = terminalMode({ ...flags, json: globals.json })
  if (mode === 'tui') void import('../../show/tui/flow/run.js')
  const interruption = watchSignals()
  try {
    const options = await mcpOptions(url, flags)
    const password = flags.passwordStdin ? await readStdinLine('the password') : undefined
    return await withTarget(mcpTarget(url, globals), async target => {
      const { timeoutMs } = globals
      const agent = move && runAgent('tamper', randomBytes(4))
      const { now, caPem, address } = target
      const reach = networkSettings(network, [address, flags.issuer])
      warnInsecure(network, { address, secretOf: options.given?.clientId }, { narrate })
      const transport = createTransport({ timeoutMs, now, caPem, agent, ...reach })
      const setup: McpSetup = {
        target,
        options,
        home: globals.home,
        network: transport.send,
        people: {
          user: userOf(flags, password, mode === 'tui', target),
          inBrowser: flags.browser,
          open: flags.open,
          patience: globals.patience,
          witness: mode === 'tui' ? undefined : witnessAtTerminal(),
        },
      }
      const show = { flags, globals, mode, interruption }
      try {
        const session = mcpSession(setup, move && withMcpMove(move))
        return mode === 'tui' ? await showScreen(show, setup, session) : await showText(show, setup, session)
      } finally {
        transport.close()
      }
    })
  } finally {
    interruption.ignore()
  }
}

/** The client in lines for people: its own name, before it has another one. */
function clientName({ options: { given, document, info } }: McpSetup): string {
  return given?.clientId ?? document ?? info.name
}

async function showScreen(show: Show, setup: McpSetup, session: McpSession): Promise<number> {
  const { flags, globals, interruption } = show
  const { target } = setup
  const { runFlowScreen } = await import('../../show/tui/flow/run.js')
  const { takesClipboard } = await import('../../show/tui/screen/clipboard.js')
  const { screenFiles } = await import('../output/screen-files.js')
  const suggested = suggestedUser(setup)
  const clientId = clientName(setup)
  const { listedMoves, startOf } = await import('./flow-offers.js')
  const begin = (name: string) => {
    const tampered = session.with(withMcpMove(moveNamed(name)))
    return { plan: tampered.plan, start: startOf(tampered, interruption.signal) }
  }
  const outcome = await runFlowScreen({
    command: flags.tamper === undefined ? 'flow mcp' : `flow mcp --tamper ${flags.tamper}`,
    clientId,
    issuer: target.address,
    plan: session.plan,
    start: startOf(session, interruption.signal),
    offers: {
      server: { why: `${target.address} runs in another program. What it answered is in the exchange.` },
      clock: { why: 'this server runs in another program, and its clock is not ours to move' },
      gate: { offer: true },
      tamper: { offer: { moves: listedMoves(begin), begin } },
      ...screenFiles(
        { flow: TITLE, clientId, ...(target.caPem !== undefined && { caPem: target.caPem }) },
        globals.home,
      ),
    },
    hasClipboard: takesClipboard(process.env),
    now: target.now,
    showSecrets: globals.showSecrets,
    ascii: globals.ascii,
    ...(suggested && { suggestedUser: suggested }),
  })
  return Number(process.exitCode ?? (outcome ? exitCodeOf(outcome, interruption) : EXIT.done))
}

function showText(show: Show, setup: McpSetup, session: McpSession): Promise<number> {
  const { caPem, now } = setup.target
  const lab = { caPem, embedded: false }
  return showAsText(show, { session, flow: TITLE, clientId: clientName(setup), now, lab })
}
