import type { KnownUser } from '../../client/known-login.js'
import { expectation, moves } from '../../judge/tamper/moves.js'
import { UsageError } from '../../protocol/errors.js'
import { programVersion } from '../../protocol/version.js'
import { type FlowSession, suggestedUser } from '../../session/flow/flow-session.js'
import type { ServerTarget } from '../../session/targets/server.js'
import { curlCommand } from '../../show/render/curl/curl.js'
import { exportText } from '../../show/render/exports/export.js'
import { type ExportOptions, rawExchange } from '../../show/render/exports/export-options.js'
import { flowJson } from '../../show/render/text/json.js'
import type { FlowOffers, KeepFormat, Kept, StartFlow, WrongMoves } from '../../show/tui/flow/offers.js'
import { takesClipboard } from '../../show/tui/screen/clipboard.js'
import { keepCopy, writeNewFile } from '../output/screen-offers.js'
import { EXIT } from '../program/exit.js'
import { exitCodeOf } from './flow-output.js'
import type { TextShow } from './flow-text.js'

/** The reason why the events of a server in another program cannot be shown. */
export function whyNoEvents({ lab, address }: Pick<ServerTarget, 'lab' | 'address'>): string {
  if (lab === undefined) {
    return `${address} is another server: what it decides is its own business. What it answered is in the exchange.`
  }
  return lab.elsewhere
    ? `The lab ${address} was named, and shows its decisions where it runs. To see decisions here, leave out --server and OAUTH_LAB_SERVER: the command then uses a lab of your own.`
    : 'This lab runs in another program, which shows its decisions. Stop it, and this command starts a lab of its own whose decisions it can show.'
}

/** The wrong moves for the menu; `off` says why a move cannot be made. */
export function listedMoves(begin: (move: string) => unknown): WrongMoves['moves'] {
  const all = moves.map(move => {
    const { name, does, risk, rule, at } = move
    const shown = { name, does, risk, rule, at, expects: expectation(move) }
    try {
      begin(name)
      return shown
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      return { ...shown, off: error.message.replace(/^.*cannot be tried here: /, '') }
    }
  })
  return all.sort((a, b) => Number('off' in a) - Number('off' in b))
}

/** A flow that is shown on a screen. */
interface ScreenRun {
  readonly name: string
  readonly title: string
  readonly clientId: string
  readonly target: Pick<ServerTarget, 'address' | 'caPem' | 'now' | 'users' | 'lab'>
  readonly user: KnownUser | undefined
  readonly session: Walked
  readonly changed: (move: string) => Walked
  readonly noEvents: string
}

type Walked = Pick<FlowSession, 'plan' | 'walk'>

/** Shows a flow on a screen. Both the screen and a signal can end its walks. @returns the exit code */
export async function showOnScreen(
  {
    flags,
    globals,
    interruption,
  }: Pick<TextShow, 'globals' | 'interruption'> & {
    readonly flags: { readonly tamper?: string }
  },
  { name, title, clientId, target, user, session, changed, noEvents }: ScreenRun,
): Promise<number> {
  const { runFlowScreen } = await import('../../show/tui/flow/run.js')
  const { caPem, lab, address, now } = target
  const { events = lab?.ofRoom, clock } = lab?.embedded ?? {}
  const start =
    (from: Walked): StartFlow =>
    (ask, ended, say, gate) =>
      from.walk({ ask, say, gate, signal: AbortSignal.any([ended, interruption.signal]) })
  const begin: WrongMoves['begin'] = move => {
    const tampered = changed(move)
    return { plan: tampered.plan, start: start(tampered) }
  }
  const suggested = suggestedUser({ target, people: { user } })
  const command = `flow ${name}`
  const outcome = await runFlowScreen({
    command: flags.tamper === undefined ? command : `${command} --tamper ${flags.tamper}`,
    clientId,
    issuer: address,
    weak: lab?.config.weak ?? [],
    plan: session.plan,
    start: start(session),
    offers: {
      server: events ? { offer: events.subscribe } : { why: noEvents },
      ...(lab?.ofRoom && { elsewhere: true }),
      clock: clock
        ? { offer: clock }
        : { why: 'this server runs in another program, and its clock is not ours to move' },
      gate: { offer: true },
      tamper: { offer: { moves: listedMoves(begin), begin } },
      ...screenFiles({ flow: title, clientId, ...(caPem !== undefined && { caPem }) }, globals.home),
    },
    hasClipboard: takesClipboard(process.env),
    now,
    showSecrets: globals.showSecrets,
    ascii: globals.ascii,
    ...(suggested && { suggestedUser: suggested }),
  })
  return Number(process.exitCode ?? (outcome ? exitCodeOf(outcome, interruption) : EXIT.done))
}

/** The names of a flow in its exports. */
type KeptFlow = Pick<ExportOptions, 'flow' | 'clientId' | 'caPem'>

function written(format: KeepFormat, { records, step, showSecrets }: Kept, flow: KeptFlow): string {
  switch (format) {
    case 'jsonl':
      return `${records.map(record => flowJson(record, { showSecrets })).join('\n')}\n`
    case 'curl':
      return step.exchange ? `${curlCommand(step.exchange, { showSecrets })}\n` : ''
    case 'raw':
      return step.exchange ? rawExchange(step.exchange, { showSecrets }) : ''
    default:
      return exportText(format, records, { ...flow, showSecrets, version: programVersion() })
  }
}

/** The files that a screen writes: runs in the current folder, copied text in the state folder. */
function screenFiles(flow: KeptFlow, home: string): Pick<FlowOffers, 'keep' | 'keepCopy'> {
  return {
    keep: { offer: (name, format, what) => writeNewFile(name, written(format, what, flow)) },
    keepCopy: { offer: text => keepCopy(home, text) },
  }
}
