import { parsedUrl } from '../../../protocol/http/address.js'
import { encodeForm, parseForm, percentEncode } from '../../../protocol/http/form.js'
import { splitUrl } from '../../../protocol/http/message.js'
import { html, pageScript } from '../../../protocol/http/page.js'
import { userinfoClaims } from '../../../protocol/oauth/answers.js'
import { implicitResponse } from '../../../protocol/oauth/authorization-response.js'
import { check } from '../../../protocol/oauth/check.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { WeakNameAt } from '../../../protocol/rules/weak-modes.js'
import { defined } from '../../../protocol/values.js'
import { described, type Grant, userinfoRequest } from '../code-grant.js'
import { type Defences, type MakeValue, type SessionPlace, STRICT } from '../defences.js'
import { fieldsOf, RequestRefusal } from '../forms.js'

/**
 * The mode `token-in-url`: the access token of the login stands in every address of a person, in place of a cookie. Anyone
 * who sees one of these addresses has the session.
 */
const addressSession: SessionPlace = {
  idIn: ({ url }) => fieldsOf(splitUrl(url).query, ['access_token']).access_token,
  newId: ({ accessToken }) => accessToken,
  carry: (address, id) => `${address}${address.includes('?') ? '&' : '?'}access_token=${percentEncode(id)}`,
  give: () => [],
  take: () => [],
}

/** The parameters that the login page uses itself. */
const OWN = new Set(['return_to', 'issuer'])

/**
 * The mode `open-redirect`: a login leads to any web address, with all other parameters of the visit, as redirectors that
 * count visits do. A code that came here by a wrong redirect address so travels on.
 */
const anyReturnAddress: Defences['returnTo'] = ({ returnTo = '/notes', query }) => {
  const local = 'https://here.invalid'
  const url = parsedUrl(returnTo, local)
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new RequestRefusal(400, 'return_to is no web address', 'RFC 9700 §4.11.1')
  }
  const more = encodeForm(parseForm(query).filter(([name]) => !OWN.has(name)))
  if (more !== '') url.search = url.search === '' ? more : `${url.search}&${more}`
  return url.origin === local ? url.pathname + url.search : url.href
}

/** Posts the fragment, which browsers do not send to servers. Does nothing without one. */
const script = pageScript(`
const answer = new URLSearchParams(location.hash.slice(1))
const form = document.forms[0]
for (const [name, value] of answer) {
  const field = document.createElement('input')
  field.type = 'hidden'
  field.name = name
  field.value = value
  form.append(field)
}
if (answer.size > 0) form.submit()
`)

const content = html`<h1>Continue</h1>
<p>The answer of the authorization server is in the fragment of this address, and goes on to this application. That needs JavaScript.</p>
<form method="post"></form>`

function invalid(description: string): OAuthError<'invalid_response'> {
  return new OAuthError('invalid_response', { description, rule: 'OpenID Connect Core §5.3.2' })
}

/**
 * The mode `implicit-login`: logs in the person whom userinfo names for an access token. Nothing says that the token was
 * issued to this client, or that the person is here (RFC 6749 §10.16).
 */
const implicitGrant: Grant = {
  responseType: 'token',
  relay: () => ({ content, script }),
  read(parameters, { at, endpoints }, expected) {
    const { tokens, checks } = implicitResponse(`${expected.redirectUri}#${parameters}`, expected)
    const { access_token: accessToken = '' } = tokens ?? {}
    return {
      async identify({ send }) {
        if (endpoints.userinfo === undefined) throw invalid('the authorization server has no userinfo')
        const claims = userinfoClaims(await send(userinfoRequest(endpoints.userinfo, accessToken)))
        const { sub: subject } = claims
        if (typeof subject !== 'string' || subject === '') throw invalid('userinfo names nobody')
        const person = { issuer: at.issuer, subject, ...described(claims, subject), accessToken }
        return { person, checks: [...checks, check('sub', true, 'OpenID Connect Core §5.3.2', subject)] }
      },
    }
  },
}

const none: MakeValue = () => undefined

/** The functions that each weak mode puts in the place of strict ones. */
const REPLACED: Readonly<Record<WeakNameAt<'demo-client'>, Partial<Defences>>> = {
  // PKCE or a nonce alone would refuse the attacker's code as well: both belong to a login of this browser (RFC 9700 §4.7.1).
  'no-state': { state: none, codeVerifier: none, nonce: none, loginOf: ({ unasked }) => unasked() },
  // PKCE alone would refuse the injected code as well (RFC 9700 §4.5.3.1).
  'no-nonce': { nonce: none, codeVerifier: none },
  'token-in-url': { place: addressSession },
  'email-is-identity': { account: person => person.email ?? STRICT.account(person) },
  'implicit-login': { grant: implicitGrant },
  'open-redirect': { returnTo: anyReturnAddress },
  'mix-up': {
    expected: (request, iss) =>
      defined({ ...request, issuer: iss ?? request.issuer, issPromised: false as const }),
    redirectPath: () => '/callback',
  },
}

/** Returns the defences of a client with these weak modes. */
export function weakDefences(names: readonly WeakNameAt<'demo-client'>[]): Defences {
  const replaced = Object.entries(REPLACED)
    .filter(([name]) => names.some(each => each === name))
    .map(([, members]) => members)
  return Object.assign({}, STRICT, ...replaced)
}
