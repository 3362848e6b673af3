import { redirectTarget } from '../../client/page-visitor.js'
import type { LabEvent } from '../../protocol/events.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { parseForm } from '../../protocol/http/form.js'
import { headerValues, splitUrl } from '../../protocol/http/message.js'
import { challengeFor, parseChallenges } from '../../protocol/oauth/bearer.js'
import { foreignRule } from '../../protocol/rules/rule.js'
import { parsedObject } from '../../protocol/values.js'
import type { Defence, Refusal } from './scene.js'

/** Most events that are kept: an attack causes fewer. */
const MOST_EVENTS = 4000

/** The refusals that the servers of the lab reported, by request. */
export interface RefusalLog {
  add(event: LabEvent): void
  /** Returns the refusal of the request with this id: its own, or that of a request that it caused. */
  find(id: number): LabEvent | undefined
}

const isRefusal = ({ type, rule }: LabEvent): boolean =>
  typeof rule === 'string' && /[._](?:refused|failed|denied|replayed|reused)$/.test(type)

/** Makes an empty log. */
export function createRefusalLog(): RefusalLog {
  const kept: LabEvent[] = []
  return {
    add(event) {
      if (isRefusal(event) && kept.length < MOST_EVENTS) kept.push(event)
    },
    find: id => kept.find(({ cause }) => cause === id) ?? kept.find(({ request }) => request === id),
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The members of a refusal before it has the name of a check. */
interface Told {
  readonly error?: string | undefined
  readonly rule?: string | undefined
  readonly description?: string | undefined
}

function toldByEvent(event: LabEvent | undefined): Told {
  if (event === undefined) return {}
  return {
    error: text(event.error) ?? event.type,
    rule: text(event.rule),
    description: text(event.description) ?? text(event.reason),
  }
}

/** Reads the error of an answer: in the address of a redirect, the challenge, or the JSON body. */
function toldByAnswer(exchange: Exchange): Told {
  const { response } = exchange
  if (response === undefined) return {}
  const target = redirectTarget(exchange)
  if (target !== undefined) {
    const values = new Map(parseForm(splitUrl(target).query))
    return { error: values.get('error'), description: values.get('error_description') }
  }
  const challenges = parseChallenges(headerValues(response, 'www-authenticate'))
  const parameters = (challengeFor('Bearer', challenges) ?? challenges[0])?.parameters
  const body = parsedObject(response.body) ?? {}
  return {
    error: parameters?.error ?? text(body.error),
    description: parameters?.error_description ?? text(body.error_description),
  }
}

/** The check that a message of the resource server names: `the token is not for this server; aud: …`. */
const NAMED_CHECK = /(?:^|; )([a-z_]+): /

/**
 * Returns the refusal of an exchange: from the event of the server where there is one, else from the answer. The check
 * has its name from the defences of the attack, by the rule. Returns undefined for an answer that refuses nothing.
 * @param reported the event in which a server refused the request
 */
export function refusalOf(
  exchange: Exchange,
  reported: LabEvent | undefined,
  defences: readonly Defence[],
): Refusal | undefined {
  const event = toldByEvent(reported)
  const answer = toldByAnswer(exchange)
  const status = exchange.response?.status ?? 0
  const error = event.error ?? answer.error ?? (status >= 400 ? `http_${status}` : undefined)
  if (error === undefined) return undefined
  const detail = event.description ?? answer.description ?? `status ${status}`
  const rule = event.rule ?? ''
  const known = defences.find(each => each.rule === rule)
  const named = NAMED_CHECK.exec(detail)?.[1]
  return { check: known?.check ?? named ?? error, rule: foreignRule(rule), detail }
}
