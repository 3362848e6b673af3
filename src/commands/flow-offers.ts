import { UsageError } from '../errors.js'
import { type FlowName, flows } from '../flows/flows.js'
import { expectation, moves } from '../flows/tamper/moves.js'
import type { FlowOffers } from '../tui/flow/offers.js'
import type { WrongMoves } from '../tui/flow/tampering.js'
import type { FlowTarget } from './flow-target.js'
import type { Globals } from './globals.js'
import { screenFiles } from './screen-files.js'

/** Why the servers of others cannot be looked into. */
function whyNoEvents({ lab, issuer }: FlowTarget): string {
  return lab === undefined
    ? `${issuer} is another server: what it decides is its own business. What it answered is in the exchange.`
    : 'This lab runs in another program, and what it decides is told there. Stop it, and this command starts a lab of its own that can be looked into.'
}

/** A move as the menu shows it; `off` where its run cannot begin. */
function listed(begin: WrongMoves['begin']): WrongMoves['moves'] {
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

/** What the screen of a flow can do beside stepping through it. */
export function flowOffers(
  name: FlowName,
  target: FlowTarget,
  { home }: Globals,
  {
    clientId,
    begin,
  }: {
    readonly clientId: string
    readonly begin: WrongMoves['begin']
  },
): FlowOffers {
  const { lab, caPem } = target
  const { events, clock } = lab?.embedded ?? {}
  return {
    server: events ? { offer: events.subscribe } : { why: whyNoEvents(target) },
    clock: clock
      ? { offer: clock }
      : { why: 'this server runs in another program, and its clock is not ours to move' },
    gate: { offer: true },
    tamper: { offer: { moves: listed(begin), begin } },
    ...screenFiles({ flow: flows[name].title, clientId, ...(caPem !== undefined && { caPem }) }, home),
  }
}
