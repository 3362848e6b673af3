import { expect, it } from 'vitest'
import { describeWith, rigs } from '../../support/requires.js'
import { sharedLab } from '../../support/shared.js'
import { printed, QUIET } from './client-program.js'

const lab = sharedLab()

/** Runs a client program as its users would. */
const runClient = (name: string): Promise<unknown> => printed(lab, `${name}.js`, [], QUIET)

describeWith(
  [rigs],
  'OAuth libraries without OpenID Connect complete their flows over TLS, unchanged',
  () => {
    it('simple-oauth2 5: code flow, refresh, revocation, client credentials, password', async () => {
      const codeFlow = {
        state: true,
        scope: 'openid records:read',
        expired: false,
        refreshed: 'records:read',
        revoked: [400, 'invalid_grant'],
        again: [400, 'invalid_grant'],
      }
      expect(await runClient('simple-oauth2')).toEqual({
        header: codeFlow,
        body: codeFlow,
        service: 'records:write',
        password: 'records:read',
      })
    })

    it('passport-oauth2: with state and PKCE in the session, and with neither', async () => {
      const user = { sub: 'alice', name: 'Alice Liddell', refreshable: true }
      expect(await runClient('passport-oauth2')).toEqual({
        // The library has used up the state; without one it asks the server, which has used up the code.
        withPkce: { user, again: [403, null] },
        bare: { user, again: [500, 'invalid_grant'] },
      })
    })
  },
)
