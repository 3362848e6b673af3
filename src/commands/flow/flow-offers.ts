import { flows } from '../../flows/flows.js'
import { expectation, moves } from '../../judge/tamper/moves.js'
import { moveNamed, withMove } from '../../judge/tamper/run/flow-run.js'
import { UsageError } from '../../protocol/errors.js'
import type { FlowSession, SessionSetup } from '../../session/flow/flow-session.js'
import type { ServerTarget } from '../../session/targets/server.js'
import type { FlowOffers, StartFlow, WrongMoves } from '../../show/tui/flow/offers.js'
import { screenFiles } from '../output/screen-files.js'

/** Begins walks of a flow for a screen. Both the screen and `signal` can end them. */
export function startOf(session: Pick<FlowSession, 'walk'>, signal: AbortSignal): StartFlow {
  return (ask, ended, say, gate) => session.walk({ ask, say, gate, signal: AbortSignal.any([ended, signal]) })
}

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

/** The offers of the screen of a flow, beside stepping through the flow. */
export function flowOffers(
  { name, target, options }: SessionSetup,
  session: FlowSession,
  home: string,
  signal: AbortSignal,
): FlowOffers {
  const { caPem } = target
  const { events, clock } = target.lab?.embedded ?? {}
  const begin: WrongMoves['begin'] = move => {
    const tampered = session.with(withMove(moveNamed(move)))
    return { plan: tampered.plan, start: startOf(tampered, signal) }
  }
  const kept = { flow: flows[name].title, clientId: options.clientId, ...(caPem !== undefined && { caPem }) }
  return {
    server: events ? { offer: events.subscribe } : { why: whyNoEvents(target) },
    clock: clock
      ? { offer: clock }
      : { why: 'this server runs in another program, and its clock is not ours to move' },
    gate: { offer: true },
    tamper: { offer: { moves: listedMoves(begin), begin } },
    ...screenFiles(kept, home),
  }
}
