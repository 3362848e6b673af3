import {
  type AddressPart,
  compareRedirectUri,
  redirectUriProblem,
} from '../../../protocol/oauth/redirect-uri.js'
import { type Finding, finding, type Judge } from '../finding.js'
import { landsOn } from '../matching.js'
import { statusOf } from '../message.js'
import { askedFields, codeRequests } from './parts.js'

const names: Readonly<Record<AddressPart, string>> = {
  scheme: 'the scheme',
  host: 'the host',
  port: 'the port',
  path: 'the path',
  query: 'the query',
  case: 'capitals and small letters',
  slash: 'the slash at the end',
}

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
  if (problem) {
    const rule = problem.rule === 'RFC 9700 §2.6' ? 'RFC 9700 §2.6' : 'RFC 6749 §3.1.2'
    found.push(
      finding(
        'fault',
        'redirect-uri-unsafe',
        rule,
        asked.message,
        `the redirect_uri ${uri}: ${problem.problem}`,
      ),
    )
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
