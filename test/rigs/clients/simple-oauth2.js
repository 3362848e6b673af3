// simple-oauth2 5 through the grants it knows: node simple-oauth2.js ISSUER. Prints what it got as JSON.
import { AuthorizationCode, ClientCredentials, ResourceOwnerPassword } from 'simple-oauth2'
import { logIn } from '../../programs/clients/log-in.js'

const [issuer = ''] = process.argv.slice(2)
const redirect_uri = 'http://127.0.0.1:7000/callback'
const config = (authorizationMethod, paths = {}) => ({
  client: { id: 'demo', secret: 'demo-secret-0123456789abcdef0123456789' },
  auth: { tokenHost: issuer, tokenPath: '/token', revokePath: '/revocation', ...paths },
  options: { authorizationMethod },
})
const refused = async promise => {
  const { output, data } = await promise.catch(error => error)
  return [output?.statusCode, data?.payload?.error]
}

/** The code flow, a refresh, and what is left after the sign-out. */
async function codeFlow(authorizationMethod) {
  const client = new AuthorizationCode(config(authorizationMethod, { authorizePath: '/authorization' }))
  const state = 's+/=1'
  const asked = client.authorizeURL({ redirect_uri, scope: ['openid', 'records:read'], state })
  const { searchParams } = await logIn(new URL(asked))
  const grant = { code: searchParams.get('code'), redirect_uri }
  const tokens = await client.getToken(grant)
  const refreshed = await tokens.refresh({ scope: 'records:read' })
  await refreshed.revokeAll()
  return {
    state: searchParams.get('state') === state,
    scope: tokens.token.scope,
    expired: tokens.expired(),
    refreshed: refreshed.token.scope,
    revoked: await refused(refreshed.refresh()),
    again: await refused(client.getToken(grant)),
  }
}

const service = await new ClientCredentials(config('header')).getToken({ scope: 'records:write' })
const password = await new ResourceOwnerPassword(config('body')).getToken({
  username: 'alice',
  password: 'wonderland',
  scope: 'records:read',
})
console.log(
  JSON.stringify({
    header: await codeFlow('header'),
    body: await codeFlow('body'),
    service: service.token.scope,
    password: password.token.scope,
  }),
)
