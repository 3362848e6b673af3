import { describe, expect, it } from 'vitest'
import { parseForm } from '../../../../src/protocol/http/form.js'
import {
  type HttpRequest,
  type HttpResponse,
  header,
  redirectResponse,
  splitUrl,
  text,
} from '../../../../src/protocol/http/message.js'
import type { Tamper } from '../../../flows/support/world.js'
import { announcing, at, broken, lab, withMember, without } from '../../../judge/doctor/lab.js'

const LOGOUT = '/end-session'
const sent = ({ url, body }: HttpRequest) => new Map(parseForm(splitUrl(url).query || text(body)))

const relocated = (answer: HttpResponse, change: (to: string) => string): HttpResponse => ({
  ...answer,
  headers: answer.headers.map(([name, value]) => [name, name === 'location' ? change(value) : value]),
})

/** Redirects every logout request to the address that it names. */
const redirects = (of: HttpRequest): HttpResponse =>
  redirectResponse(`${sent(of).get('post_logout_redirect_uri')}?state=${sent(of).get('state')}`)

/** Answers refusals as if the address were good. */
const openRedirector: Tamper = at(LOGOUT, (request, answer) =>
  answer.status === 400 && sent(request).get('post_logout_redirect_uri')?.includes('attacker')
    ? redirects(request)
    : undefined,
)

const unbound: Tamper = at(LOGOUT, (request, answer) =>
  answer.status === 400 && !sent(request).get('post_logout_redirect_uri')?.includes('attacker')
    ? redirects(request)
    : undefined,
)

/** Ends no session: prompt=none brings a code also after the logout. */
const endless: Tamper = at('/authorization', (_request, answer) =>
  header(answer, 'location')?.includes('error=login_required')
    ? relocated(answer, to => to.replace(/error=[^&]*(&error_[^&]*)*/, 'code=again'))
    : undefined,
)

describe('one thing wrong about the logout is one finding', () => {
  it.each<[string, Tamper, readonly string[]]>([
    ['an open redirector', openRedirector, ['unregistered-logout-return']],
    ['a return for nobody and for others', unbound, ['logout-without-client', 'logout-as-other-client']],
    [
      'a return without the state',
      at(LOGOUT, (_request, answer) => relocated(answer, to => to.replace(/\?.*/, ''))),
      ['logout-state'],
    ],
    [
      'pages in frames',
      at(LOGOUT, (request, answer) => {
        const open = without('x-frame-options')(request, answer) as HttpResponse
        return without('content-security-policy')(request, open)
      }),
      ['logout-frame-protection'],
    ],
    [
      'an endpoint in the clear',
      announcing({ check_session_iframe: 'http://lab.test/frame' }),
      ['logout-addresses'],
    ],
    [
      'a sid without a channel',
      announcing({ backchannel_logout_supported: false, backchannel_logout_session_supported: true }),
      ['logout-channels'],
    ],
  ])('%s', async (_what, tamper, found) => {
    expect(broken(await lab(tamper))).toEqual(found)
  })

  it('a session that does not end', async () => {
    const found = await lab(endless)
    expect(found.find(({ name }) => name === 'logout-ends-session')).toMatchObject({ result: 'fault' })
  })

  it('is silent in substance about a server without a logout', async () => {
    const found = await lab(
      at(
        '/.well-known/openid-configuration',
        withMember(all =>
          Object.fromEntries(Object.entries(all).filter(([name]) => !/session|logout/.test(name))),
        ),
      ),
    )
    const results = found.filter(({ group }) => group === 'logout').map(({ result }) => result)
    expect(new Set(results)).toEqual(new Set(['not_applicable']))
  })
})
