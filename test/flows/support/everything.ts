import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { JWK } from 'jose'
import { makeSamlAssertion } from '../../../src/client/saml-assertion.js'
import { type AssertionSource, assertionClaims } from '../../../src/flows/requests/assertion-source.js'
import type { Client } from '../../../src/protocol/oauth/client.js'
import { signWith } from '../../../src/protocol/tokens/client-assertion.js'
import { identityProvider } from '../../servers/authorization-server/assertions/saml-maker.js'
import { demo } from './world.js'

const grant = 'urn:ietf:params:oauth:grant-type:'

/** A client that may use every grant. */
export const everything: Client = {
  ...demo,
  grant_types: [
    ...['authorization_code', 'implicit', 'password', 'client_credentials', 'refresh_token'],
    ...['jwt-bearer', 'saml2-bearer', 'token-exchange', 'device_code'].map(name => grant + name),
  ],
  response_types: ['code', 'token', 'id_token', 'id_token token', 'code id_token'],
}

/** An issuer of assertions that the authorization server believes. */
export const provider = identityProvider('https://idp.example')
const providerKey = createPrivateKey(provider.privateKeyPem)
/** The issuers that the authorization server has registered. */
export const assertionIssuers = [
  {
    issuer: provider.issuer,
    certificatePem: provider.certificatePem,
    jwks: { keys: [{ ...createPublicKey(providerKey).export({ format: 'jwk' }), alg: 'RS256' } as JWK] },
  },
]

/** The assertions of `provider` about alice. */
export const sources: Readonly<Record<'jwt' | 'saml', AssertionSource>> = {
  jwt: {
    format: 'jwt',
    issuer: provider.issuer,
    subject: 'alice',
    make: words => signWith(assertionClaims(words), { alg: 'RS256', privateKey: providerKey }, words.typ),
  },
  saml: {
    format: 'saml',
    issuer: provider.issuer,
    subject: 'alice',
    make: words => makeSamlAssertion(words, { keyPem: provider.privateKeyPem }),
  },
}
