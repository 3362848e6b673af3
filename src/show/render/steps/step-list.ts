import { splitUrl } from '../../../protocol/http/message.js'
import type { Signs } from '../text/signs.js'
import type { Line } from '../text/spans.js'
import { foreign, span, spread } from '../text/spans.js'
import { pad } from '../text/text.js'
import { type Entry, ROLE_NAMES, redirectsError, statusSign } from './sequence.js'

const names = { ...ROLE_NAMES, authorization_server: 'server', resource_server: 'resource' }

function what({ planned, step }: Entry): string {
  if (step?.exchange === undefined) return planned.title
  return `${step.exchange.request.method} ${splitUrl(step.exchange.request.url).path}`
}

/** The steps of a flow where there is no room for lanes: who, whom, what, status. */
export function listSteps(entries: readonly Entry[], columns: number, signs: Signs): Line[] {
  return entries.map(entry => {
    const { planned, step, status } = entry
    const { sign, tone } = statusSign(step && redirectsError(step) ? 'refused' : status, signs)
    const answered = planned.to === 'authorization_server' || planned.to === 'resource_server'
    const who = `${pad(names[planned.from], 7)} ${answered ? signs.both : signs.to} ${pad(names[planned.to], 8)}`
    const text = `  ${who}  ${foreign(what(entry), signs)}`
    const textTone = status === 'now' || status === 'refused' ? 'strong' : step ? 'plain' : 'dim'
    const answer = step?.exchange?.response?.status
    return spread(
      [span(` ${sign} ${entry.n}`, tone), span(text, textTone)],
      [span(answer === undefined ? '' : String(answer), answer && answer >= 400 ? 'refused' : 'plain')],
      columns,
      signs,
    )
  })
}
