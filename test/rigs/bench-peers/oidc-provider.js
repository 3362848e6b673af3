// oidc-provider as it comes, with a login and a consent form, and with the clients and the token format of the lab that
// it is compared with. node oidc-provider.js PEM CLIENTS
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import Provider from 'oidc-provider'
import { portOf } from '../../bench/port.js'

const [file = '', clients = ''] = process.argv.slice(2)
const pem = readFileSync(file)
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const resource = 'https://api.example/'

const server = createServer({ cert: pem, key: pem })
server.listen(0, '127.0.0.1', () => {
  const url = `https://localhost:${portOf(server)}`
  const provider = new Provider(url, {
    clients: JSON.parse(clients),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a secret of the bench'] },
    scopes: ['openid', 'records:read'],
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    features: {
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'records:read',
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 3600,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  })
  server.on('request', provider.callback())
  console.log(JSON.stringify({ url }))
})
