// oauth4webapi with backchannel authentication: node oauth4webapi-ciba.js ISSUER. Prints results as JSON.
import * as oauth from 'oauth4webapi'
import { signIn } from './ciba-person.js'

const [address = ''] = process.argv.slice(2)
const issuer = new URL(address)
const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer))
const own = { client_id: 'poller' }
const authentication = oauth.ClientSecretBasic(process.env.CIBA_SECRET)
const decide = await signIn(address)

async function ask(parameters) {
  const response = await oauth.backchannelAuthenticationRequest(as, own, authentication, parameters)
  return oauth.processBackchannelAuthenticationResponse(as, own, response)
}
async function redeem({ auth_req_id: id }) {
  const response = await oauth.backchannelAuthenticationGrantRequest(as, own, authentication, id)
  return oauth.processBackchannelAuthenticationGrantResponse(as, own, response)
}
const failure = promise =>
  promise.then(
    () => 'granted',
    error => `${error.status} ${error.error}`,
  )

const started = await ask({ scope: 'openid', login_hint: 'alice', binding_message: 'W4SCT' })
const pending = await failure(redeem(started))
await decide('W4SCT', 'allow')
const tokens = await redeem(started)
const { sub } = oauth.getValidatedIdTokenClaims(tokens)
console.log(
  JSON.stringify({
    interval: started.interval,
    pending,
    sub,
    again: await failure(redeem(started)),
    twoHints: await failure(ask({ scope: 'openid', login_hint: 'alice', id_token_hint: 'x' })),
    longMessage: await failure(
      ask({ scope: 'openid', login_hint: 'alice', binding_message: 'x'.repeat(200) }),
    ),
  }),
)
