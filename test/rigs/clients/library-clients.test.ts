import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'
import { sharedLab } from '../../support/shared.js'

const lab = sharedLab()

/** Runs a client program as its users would. Old libraries make Node warn of what it will do without one day. */
async function runClient(name: string): Promise<unknown> {
  const file = join(import.meta.dirname, `${name}.js`)
  const { code, stdout, stderr } = await run(process.execPath, [file, lab.ready.urls.authorization], {
    env: { ...lab.env, NODE_EXTRA_CA_CERTS: lab.ready.ca, NODE_NO_WARNINGS: '1' },
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

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
