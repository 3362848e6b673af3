import { html, pageScript } from '../../../protocol/http/page.js'
import { userinfoClaims } from '../../../protocol/oauth/answers.js'
import { implicitResponse } from '../../../protocol/oauth/authorization-response.js'
import { check } from '../../../protocol/oauth/check.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { userinfoRequest } from '../code-grant.js'
import type { Grant } from '../grant.js'
import { described } from '../person.js'

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
export const implicitGrant: Grant = {
  responseType: 'token',
  relay: () => ({ content, script }),
  read(parameters, { at, endpoints }, expected) {
    const { tokens, checks } = implicitResponse(`${expected.redirectUri}#${parameters}`, expected)
    const { access_token: accessToken } = tokens
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
