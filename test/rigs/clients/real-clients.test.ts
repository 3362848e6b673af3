import { expect, it } from 'vitest'
import { describeWith, rigs } from '../../support/requires.js'
import { sharedLab } from '../../support/shared.js'
import { printed } from './client-program.js'

const lab = sharedLab()

/** Runs a client program that trusts the lab's CA in the way Node's users do. */
const runClient = (name: string, how: string) => printed(lab, `${name}.js`, [how])

describeWith([rigs], 'client libraries complete the code flow over TLS, unchanged', () => {
  it.each(['post', 'basic'])('openid-client 6, client_secret_%s', async method => {
    expect(await runClient('openid-client', method)).toMatchObject({
      sub: 'alice',
      expiresIn: 3600,
      userinfo: { sub: 'alice' },
      again: { status: 400, error: 'invalid_grant' },
      // RFC 6749 §4.1.2: a replayed code revokes what was issued for it
      revoked: { status: 401 },
      bye: 'http://127.0.0.1:7000/logged-out?state=a%26b',
    })
  })

  it.each(['oidc', 'oauth2'])('oauth4webapi, discovery by %s', async algorithm => {
    expect(await runClient('oauth4webapi', algorithm)).toMatchObject({
      sub: 'alice',
      userinfo: { sub: 'alice' },
      again: { status: 400, error: 'invalid_grant' },
    })
  })
})

describeWith([rigs], 'client libraries go beyond the code flow, unchanged', () => {
  it('openid-client 6: pushes a request for a resource, gets an id_token without a code, finds the way out', async () => {
    expect(await runClient('openid-more', '')).toEqual({
      pushed: {
        asked: ['request_uri', 'client_id'],
        again: 400,
        // The token names the resource as it is registered, without the slash that was sent.
        aud: 'https://api.example',
        logout: '/end-session',
      },
      hybrid: { asked: 'code id_token', sub: 'alice' },
      implicit: { sub: 'alice', email: 'alice@example.com' },
      claims: {
        supported: true,
        idToken: 'Alice Liddell',
        userinfo: { sub: 'alice', email: 'alice@example.com' },
      },
    })
  })

  it('openid-client 6: gets authorization details (RFC 9396), narrows them, and gets no others', async () => {
    const accounts = { type: 'account_information', actions: ['list_accounts', 'read_balances'] }
    const narrowed = [{ ...accounts, actions: ['list_accounts'] }]
    expect(await runClient('openid-details', '')).toEqual({
      announced: ['payment_initiation', 'account_information'],
      granted: ['account_information', 'payment_initiation'],
      narrowed,
      introspected: narrowed,
      beyond: 'invalid_authorization_details',
      own: [accounts],
    })
  })
})
