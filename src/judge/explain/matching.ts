import { type Fields, readFields } from '../../protocol/http/form.js'
import { splitUrl } from '../../protocol/http/message.js'
import type { Draft } from './conversation.js'
import { type Answer, type Message, originOf, placeOf } from './message.js'

/** Parameters that make two authorization requests one: a server that sends the browser around keeps them. */
const IDENTITY = ['client_id', 'redirect_uri', 'state', 'nonce', 'code_challenge', 'request_uri', 'request']

/** True for two requests of one login. */
export function sameRequest(a: Fields, b: Fields): boolean {
  return IDENTITY.every(name => a.get(name) === b.get(name))
}

/** Parameters in which two different answers differ. */
const SINGULAR = ['code', 'access_token', 'id_token', 'response', 'error', 'state']

/** True for two copies of one answer, such as in a Location and in the request that follows it. */
export function sameAnswer(a: Fields, b: Fields): boolean {
  return SINGULAR.every(name => a.get(name) === b.get(name))
}

/** True when an answer arrived at the address that the request named, whose own query may stay in the answer. */
export function landsOn(answer: Answer, redirectUri: string): boolean {
  if (answer.isPartial) return true
  if (placeOf(redirectUri) !== answer.address) return false
  const own = readFields(splitUrl(redirectUri).query).pairs
  return (
    answer.place !== 'query' || own.every(([name, value]) => answer.fields.get(name) === (value || undefined))
  )
}

/** How well an answer fits a request that is not answered yet. Zero: it does not. */
function fitOf({ asked, answers, messages }: Draft, { recorded }: Message, answer: Answer): number {
  if (asked === undefined) return 0
  // The redirect in the answer to the request itself needs no further tie.
  const own = messages.some(each => each.recorded.entry === recorded.entry) ? 16 : 0
  const state = asked.fields.get('state')
  const sameState = state !== undefined && state === answer.fields.get('state') ? 8 : 0
  const redirect = asked.fields.get('redirect_uri')
  const sameAddress = redirect !== undefined && placeOf(redirect) === answer.address ? 4 : 0
  if (own + sameState + sameAddress === 0) return 0
  const host = originOf(asked.message)
  const iss = answer.fields.get('iss')?.startsWith(host) ? 2 : 0
  // A second answer to one request is a repetition: an open request comes first.
  return own + sameState + sameAddress + iss + (answers.length === 0 ? 3 : 0)
}

/** Finds the request that an answer belongs to: by state, redirect address, issuer and order, so that a lost state is noticed. */
export function matchAnswer(drafts: readonly Draft[], message: Message, answer: Answer): Draft | undefined {
  let best: Draft | undefined
  let fit = 0
  for (const draft of drafts) {
    const each = fitOf(draft, message, answer)
    if (each >= fit && each > 0) [best, fit] = [draft, each]
  }
  return best
}
