// Issues a credential with @sd-jwt/core and presents a part of it. Prints {"presented", "withheld", "jwks"}.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { SDJwtInstance } from '@sd-jwt/core'

const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const issuer = pair()
const holder = pair()
const signer = key => data =>
  sign('sha256', Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')

const instance = new SDJwtInstance({
  signer: signer(issuer.privateKey),
  signAlg: 'ES256',
  kbSigner: signer(holder.privateKey),
  kbSignAlg: 'ES256',
  hasher: (data, alg) => createHash(alg.replace('-', '')).update(Buffer.from(data)).digest(),
  hashAlg: 'sha-256',
  saltGenerator: length => randomBytes(length).toString('base64url'),
})

const now = Math.floor(Date.now() / 1000)
const credential = await instance.issue(
  {
    iss: 'https://issuer.example',
    iat: now,
    exp: now + 3600,
    vct: 'https://issuer.example/id',
    given_name: 'Alice',
    family_name: 'Example',
    address: { locality: 'Wonderland', country: 'GB' },
    nationalities: ['GB', 'FR'],
    cnf: { jwk: holder.publicKey.export({ format: 'jwk' }) },
  },
  {
    _sd: ['given_name', 'family_name', 'address'],
    _sd_decoy: 2,
    address: { _sd: ['locality', 'country'] },
    nationalities: { _sd: [0, 1] },
  },
)
const shown = { given_name: true, address: { locality: true }, nationalities: { 1: true } }
const kb = { payload: { iat: now, aud: 'https://shop.example', nonce: 'n-0S6' } }
const presented = await instance.present(credential, shown, { kb })
const jwks = { keys: [issuer.publicKey.export({ format: 'jwk' })] }
console.log(JSON.stringify({ presented, withheld: await instance.present(credential, {}), jwks }))
