import { randomBytes } from 'node:crypto'
import { type BoundCredential, originsOf } from '../../client/bound-credentials.js'
import { createTransport } from '../../client/transport.js'
import { runAgent } from '../../protocol/http/message.js'
import { type McpSession, type McpSetup, mcpSession } from '../../session/flow/mcp-session.js'
import { readStdinLine } from '../../session/input/input.js'
import { mcpOptions } from '../../session/options/mcp.js'
import {
  checkedNetwork,
  networkSettings,
  trustworthyIssuer,
  warnInsecure,
} from '../../session/options/network.js'
import type { McpRunOptions } from '../../session/options/table.js'
import { knownUser } from '../../session/people/users.js'
import { serverAddresses } from '../../session/targets/given-metadata.js'
import { type McpTarget, mcpTarget } from '../../session/targets/mcp.js'
import { withTarget } from '../../session/targets/target.js'
import { witnessAtTerminal } from '../learn/witness.js'
import { narrate } from '../output/output.js'
import { terminalMode } from '../output/output-mode.js'
import { watchSignals } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { checkBareToken, checkExport } from './flow-output.js'
import { showAsText, type TextShow } from './flow-text.js'

/** How the flow is shown. */
interface Show extends Omit<TextShow, 'flags'> {
  readonly flags: McpRunOptions
}

/** The name of the flow in exports and sentences. */
const TITLE = 'MCP authorization'

/** The wrong moves, which a run without one does not load. */
async function tampering() {
  const [{ moveNamed }, { withMcpMove }] = await Promise.all([
    import('../../judge/tamper/run/flow-run.js'),
    import('../../judge/tamper/run/mcp-run.js'),
  ])
  return { moveNamed, withMcpMove }
}

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
  const move = flags.tamper === undefined ? undefined : (await tampering()).moveNamed(flags.tamper)
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
      const origins = originsOf([
        flags.issuer === undefined ? address : trustworthyIssuer(flags.issuer),
        target.authorization,
      ])
      warnInsecure(network, { address, secretOf: options.given?.clientId }, { narrate })
      const transport = createTransport({
        timeoutMs,
        now,
        caPem,
        agent,
        ...reach,
        credentials: credentialsOf(options, password, origins),
      })
      const setup: McpSetup = {
        target,
        options,
        home: globals.home,
        learned({ issuer, ...metadata }) {
          const { origin, hostname } = new URL(issuer)
          const isNear = flags.issuer === undefined && hostname === new URL(address).hostname
          if (isNear || origins.has(origin))
            for (const each of originsOf([issuer, ...serverAddresses(metadata)])) origins.add(each)
        },
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
        const session = mcpSession(setup, move && (await tampering()).withMcpMove(move))
        return mode === 'tui' ? await showScreen(show, setup, session) : await showText(show, setup, session)
      } finally {
        transport.close()
      }
    })
  } finally {
    interruption.ignore()
  }
}

/** The credentials that a person gave for the server that the client is registered at, whatever the MCP server says. */
function credentialsOf(
  { given }: McpSetup['options'],
  password: string | undefined,
  origins: ReadonlySet<string>,
): BoundCredential[] {
  const hint = 'Name the server that they are for:  --issuer URL'
  const { clientId, clientSecret } = given ?? {}
  const both = [
    [`the secret of client ${clientId}`, clientSecret],
    ['the password', password],
  ] as const
  return both.flatMap(([what, value]) => (value === undefined ? [] : { what, value, origins, hint }))
}

/** The client in lines for people: its own name, before it has another one. */
function clientName({ options: { given, document, info } }: McpSetup): string {
  return given?.clientId ?? document ?? info.name
}

async function showScreen(show: Show, setup: McpSetup, session: McpSession): Promise<number> {
  const { target, people } = setup
  const { showOnScreen } = await import('./flow-offers.js')
  const { moveNamed, withMcpMove } = await tampering()
  return showOnScreen(show, {
    name: 'mcp',
    title: TITLE,
    clientId: clientName(setup),
    target,
    user: people.user,
    session,
    changed: move => session.with(withMcpMove(moveNamed(move))),
    noEvents: `${target.address} runs in another program. What it answered is in the exchange.`,
  })
}

function showText(show: Show, setup: McpSetup, session: McpSession): Promise<number> {
  const { caPem, now } = setup.target
  const lab = { caPem, embedded: false }
  return showAsText(show, { session, flow: TITLE, clientId: clientName(setup), now, lab })
}
