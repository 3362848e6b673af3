// oidc-provider for a page in a browser, behind a proxy that ends TLS, until stdin ends.
// node oidc-provider.js ISSUER   prints the address that the proxy forwards to
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import Provider from 'oidc-provider'

const [issuer = ''] = process.argv.slice(2)
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'page',
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1/callback'],
    },
  ],
  clientBasedCORS: () => true,
  cookies: { keys: ['a secret of the test'] },
  claims: { profile: ['name'] },
  findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, name: 'Alice Liddell' }) }),
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
  async loadExistingGrant({ oidc }) {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client.clientId,
      accountId: oidc.session.accountId,
    })
    grant.addOIDCScope('openid profile')
    await grant.save()
    return grant
  },
  features: { devInteractions: { enabled: false } },
})
provider.proxy = true

const page =
  '<!doctype html><title>Sign in</title><link rel="icon" href="data:,"><form method="post">' +
  '<input name="username"><input name="password" type="password"><button>Sign in</button></form>'
const answer = provider.callback()
const server = createServer(async (request, response) => {
  if (!request.url.startsWith('/interaction/')) return answer(request, response)
  const sent = new URLSearchParams(request.method === 'POST' ? await text(request) : '')
  const login = sent.get('password') === 'wonderland' ? { accountId: sent.get('username') } : undefined
  // Native clients always ask for consent (RFC 8252 §8.6).
  if (login) await provider.interactionFinished(request, response, { login, consent: {} })
  else response.setHeader('content-type', 'text/html').end(page)
})
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
process.stdout.write(`http://127.0.0.1:${server.address().port}\n`)
process.stdin.resume().on('end', () => process.exit())
