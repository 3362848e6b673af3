// oidc-provider with backchannel authentication, until stdin ends. The end-user decides on their own: `alice` approves, `bob`
// denies, `carol` never answers; `nobody` is not known.
// node oidc-provider-ciba.js CERTIFICATE_AND_KEY [NOTIFICATION_ENDPOINT]   prints its issuer
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import Provider, { errors } from 'oidc-provider'

const [pemFile = '', notificationEndpoint] = process.argv.slice(2)
const pem = readFileSync(pemFile)
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const CIBA = 'urn:openid:params:grant-type:ciba'
const client = (client_id, more = {}) => ({
  client_id,
  client_secret: `${client_id}-secret-0123456789abcdef0123456789`,
  redirect_uris: [],
  response_types: [],
  grant_types: [CIBA],
  backchannel_token_delivery_mode: 'poll',
  ...more,
})
const PEOPLE = ['alice', 'bob', 'carol']

const server = createServer({ cert: pem, key: pem })
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
const issuer = `https://localhost:${server.address().port}`
const provider = new Provider(issuer, {
  clients: [
    client('till'),
    client('other'),
    ...(notificationEndpoint
      ? [
          client('pinged', {
            backchannel_token_delivery_mode: 'ping',
            backchannel_client_notification_endpoint: notificationEndpoint,
          }),
        ]
      : []),
  ],
  // Its own dispatcher reaches no loopback address, where the client of the test is.
  fetch: (url, { dispatcher: _, ...options }) => fetch(url, options),
  findAccount: (_context, id) =>
    PEOPLE.includes(id) ? { accountId: id, claims: () => ({ sub: id }) } : undefined,
  acrValues: ['urn:example:gold'],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
  cookies: { keys: ['a secret of the test'] },
  ttl: { BackchannelAuthenticationRequest: context => Number(context.oidc.params.requested_expiry ?? 60) },
  features: {
    ciba: {
      enabled: true,
      deliveryModes: ['poll', 'ping'],
      processLoginHint: async (_context, hint) => hint,
      processLoginHintToken: async () => undefined,
      validateRequestContext: async () => {},
      verifyUserCode: async () => {},
      async triggerAuthenticationDevice(_context, request, account, { clientId }) {
        if (account.accountId === 'carol') return
        void (async () => {
          await sleep(1500)
          if (account.accountId === 'bob') {
            await provider.backchannelResult(request, new errors.AccessDenied('bob said no'))
            return
          }
          const grant = new provider.Grant({ accountId: account.accountId, clientId })
          grant.addOIDCScope(request.scope)
          await grant.save()
          await provider.backchannelResult(request, grant, { acr: 'urn:example:gold' })
        })()
      },
    },
  },
})
server.on('request', provider.callback())
process.stdout.write(`${issuer}\n`)
process.stdin.resume().on('end', () => process.exit())
