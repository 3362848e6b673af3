import { isUrl } from '../../../protocol/http/address.js'
import { percentEncode } from '../../../protocol/http/form.js'
import { splitUrl } from '../../../protocol/http/message.js'
import { compareRedirectUri, PART_NAMES, redirectUriProblem } from '../../../protocol/oauth/redirect-uri.js'
import { type Finding, finding, type Judge } from '../finding.js'
import { landsOn } from '../matching.js'
import { type Message, statusOf, textMember } from '../message.js'
import { receivedAt } from '../recorded.js'
import { siteOfUrl } from '../site.js'
import { sameIssuer } from './id-token.js'
import { askedFields, codeRequests, issuedJwts } from './parts.js'

const names = { ...PART_NAMES, slash: 'the slash at the end' }

/** The parts in which two addresses differ, for people. */
function differenceOf(one: string, other: string): string {
  const parts = compareRedirectUri(one, [other], { anyLocalhostPort: false })?.differences ?? []
  // The comparison of registered addresses allows any port on the loopback. Here both have to be equal.
  return parts.length === 0 ? 'the port' : parts.map(({ part }) => names[part]).join(' and ')
}

/** Judges the redirect address: a safe one, the one that the answer arrives at, and the one of the token request. */
export const judgeRedirect: Judge = conversation => {
  const fields = askedFields(conversation)
  const { asked, answers } = conversation
  const uri = fields?.get('redirect_uri')
  if (asked === undefined || fields === undefined || uri === undefined) return []
  const found: Finding[] = []
  const problem = redirectUriProblem(uri)
  // Names below localhost are on this computer (RFC 6761 §6.3).
  if (problem && !/^http:\/\/[\w.-]+\.localhost[:/]/i.test(uri)) {
    const rule = problem.rule === 'RFC 9700 §2.6' ? 'RFC 9700 §2.6' : 'RFC 6749 §3.1.2'
    const text = `the redirect_uri ${uri}: ${problem.problem}`
    const next = /^http:/i.test(uri)
      ? 'use https; behind a proxy that ends TLS, let the application trust X-Forwarded-Proto, or give it its https address'
      : 'register and send an address without this'
    found.push(finding('fault', 'redirect-uri-unsafe', rule, asked.message, text, next))
  }
  const stray = answers.find(({ answer }) => !landsOn(answer, uri))
  if (stray) {
    const text = `the answer arrived at ${stray.answer.address}, but the request named ${uri}: they differ in ${differenceOf(stray.answer.address, uri)}`
    const next = 'register and send one and the same address'
    found.push(finding('fault', 'callback-elsewhere', 'RFC 6749 §3.1.2', stray.message, text, next))
  }
  for (const request of codeRequests(conversation)) {
    const again = request.fields.get('redirect_uri')
    if (again === uri) continue
    if (again === undefined) {
      const refused = statusOf(request) >= 400
      const text = 'the token request has no redirect_uri, but the authorization request had one'
      const next = 'repeat the redirect_uri of the authorization request'
      found.push(
        finding(refused ? 'fault' : 'remark', 'redirect-uri-missing', 'RFC 6749 §4.1.3', request, text, next),
      )
      continue
    }
    const text = `the token request used another redirect_uri than the authorization request: they differ in ${differenceOf(again, uri)}`
    const next = `send ${uri}, to the letter`
    found.push(finding('fault', 'redirect-uri-differs', 'RFC 6749 §4.1.3', request, text, next))
  }
  return found
}

/** Returns how a value was changed by one that builds addresses or forms, as a clause; undefined for another value. */
function changedForm(value: string, got: string | undefined): string | undefined {
  if (got === percentEncode(value) || got === encodeURIComponent(value)) return 'it was percent-encoded twice'
  return value.includes('+') && got === value.replaceAll('+', ' ')
    ? 'its + became a blank, because it was not percent-encoded'
    : undefined
}

/** Judges `state`: it comes back as it was sent (RFC 6749 §4.1.2). */
export const judgeState: Judge = conversation => {
  const { asked, answers } = conversation
  const fields = askedFields(conversation)
  if (asked === undefined || fields === undefined) return []
  const sent = fields.get('state')
  if (sent === undefined) {
    const other = fields.has('code_challenge') || fields.has('nonce')
    if (other) return []
    const text =
      'the authorization request has no state, no PKCE and no nonce: a forged answer would not be noticed'
    return [
      finding(
        'weakness',
        'state-unused',
        'RFC 9700 §2.1',
        asked.message,
        text,
        'send a random state, or use PKCE',
      ),
    ]
  }
  return answers.flatMap(({ answer, message }) => {
    if (answer.fields.has('response') || answer.isPartial) return []
    const got = answer.fields.get('state')
    if (got === sent) return []
    if (got === undefined) {
      const text = 'the callback came back without state'
      const next =
        'the server, or what stands between it and the client, drops the parameter: compare the Location that the server sent'
      return [finding('fault', 'state-missing', 'RFC 6749 §4.1.2', message, text, next)]
    }
    const how = changedForm(sent, got) ?? changedForm(got, sent)
    const text = `the callback came back with another state than the authorization request sent${how ? `: ${how}` : ''}`
    const next = how
      ? 'encode the value once where the address is built'
      : 'begin one login at a time in a session, and keep the state of each request apart'
    return [finding('fault', 'state-differs', 'RFC 6749 §10.12', message, text, next)]
  })
}

/** Judges `iss` in authorization responses (RFC 9207), where the server announces it or sends it. */
export const judgeIssuer: Judge = conversation => {
  const { answers, asked, documents } = conversation
  const promised = documents.metadata?.authorization_response_iss_parameter_supported === true
  const named = issuedJwts(conversation).find(({ kind }) => kind === 'id_token')?.jwt.claims.iss
  const issuer = textMember(documents.metadata, 'issuer') ?? (typeof named === 'string' ? named : undefined)
  return answers.flatMap(({ answer, message }) => {
    const { fields } = answer
    if (answer.isPartial) return []
    const iss = fields.get('iss')
    // An ID token or a JWT in the answer names the issuer as well (RFC 9207 §4).
    if (iss === undefined && (!promised || fields.has('id_token') || fields.has('response'))) return []
    if (iss === undefined) {
      const text = 'the callback came back without iss, which the server announces in its metadata'
      const next = 'a client has to refuse this answer: look for what drops the parameter'
      return [finding('fault', 'iss-missing', 'RFC 9207 §2.4', message, text, next)]
    }
    const host = asked?.message.recorded.exchange.request.url
    // Without metadata the host of the request has to do: an issuer of another site did not get it. Events of a lab cut iss.
    const isOther =
      issuer === undefined
        ? host !== undefined && isUrl(iss) && siteOfUrl(host) !== siteOfUrl(iss)
        : !sameIssuer(issuer, iss)
    if (!isOther) return []
    const text = `the callback names the issuer ${iss}, but the login was at ${issuer ?? splitUrl(host!).origin}`
    const next = 'compare both letter by letter; another issuer is a mix-up attack or a wrong configuration'
    return [finding('fault', 'iss-differs', 'RFC 9207 §2.4', message, text, next)]
  })
}

/** Longest life of a code, in milliseconds (RFC 6749 §4.1.2 recommends ten minutes at most). */
const LONGEST = 10 * 60_000

function judgeReuse(requests: readonly Message[]): Finding[] {
  const seen = new Map<string, Message>()
  return requests.flatMap(request => {
    const code = request.fields.get('code') ?? ''
    const first = seen.get(code)
    seen.set(code, request)
    if (first === undefined || statusOf(first) === 0 || statusOf(first) >= 500) return []
    // A server that wants another proof, or another authentication, has not redeemed the code.
    if (/^(?:use_dpop_nonce|invalid_client)$/.test(first.words?.code ?? '')) return []
    const text = `the code was sent to the token endpoint twice (first in entry ${first.recorded.entry})`
    const next = 'redeem a code once: look for a page that loads twice, or a retry'
    return [finding('fault', 'code-reused', 'RFC 6749 §4.1.2', request, text, next)]
  })
}

/** Judges the code: the one that arrived, sent once, and in time. */
export const judgeCode: Judge = conversation => {
  const requests = codeRequests(conversation)
  const issued = conversation.answers.filter(({ answer }) => answer.fields.has('code'))
  const found = judgeReuse(requests)
  const [first] = issued
  if (first === undefined) return found
  for (const request of requests) {
    const sent = request.fields.get('code')
    const arrived = issued.find(({ answer }) => answer.fields.get('code') === sent)
    if (arrived === undefined) {
      const code = first.answer.fields.get('code') ?? ''
      const how = changedForm(code, sent)
      const text = `the token request has another code than the one that arrived${how ? `: ${how}` : ''}`
      found.push(
        finding(
          'fault',
          'code-differs',
          'RFC 6749 §4.1.3',
          request,
          text,
          'decode the code from the query, and encode it once in the form: URLSearchParams does both',
        ),
      )
      continue
    }
    const waited = request.recorded.sent - receivedAt(arrived.message.recorded)
    if (waited > LONGEST) {
      const text = `the code was redeemed ${Math.round(waited / 60_000)} minutes after it was issued`
      found.push(
        finding('weakness', 'code-late', 'RFC 6749 §4.1.2', request, text, 'redeem the code at once'),
      )
    }
  }
  return found
}
