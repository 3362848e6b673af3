import { describe, expect, it } from 'vitest'
import { examineToken } from '../../../../src/servers/kubernetes/client/doctor.js'
import type { DoctorFacts } from '../../../../src/servers/kubernetes/client/doctor-facts.js'
import { readServiceAccountToken } from '../../../../src/servers/kubernetes/client/service-account-token.js'
import type { Verifier } from '../../../../src/servers/kubernetes/shapes.js'

const NOW = 1_800_000_000
const AUDIENCE: Readonly<Record<Verifier, string>> = {
  api: 'https://kube.example.com',
  vault: 'vault',
  aws: 'sts.amazonaws.com',
  azure: 'api://AzureADTokenExchange',
  gcp: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/k',
}

interface Altered {
  readonly issuer?: string
  readonly alg?: string
  readonly account?: string
  readonly aud?: string
  readonly named?: string
  readonly announced?: readonly string[]
  readonly jwksUri?: string
  readonly keys?: readonly object[]
  readonly cache?: string
  readonly problem?: string
  readonly minted?: boolean
}

/** The facts about a right cluster in the cloud, with what a row alters. */
function facts(verifier: Verifier, altered: Altered): DoctorFacts {
  const { issuer = 'https://oidc.cloud.com/abc', alg = 'RS256', account = 'app', problem } = altered
  const {
    jwksUri = `${issuer}/keys`,
    keys = [{ kid: 'k', kty: 'RSA' }],
    cache = 'public, max-age=3600',
  } = altered
  const claims = {
    iss: issuer,
    sub: `system:serviceaccount:prod:${account}`,
    aud: [altered.aud ?? AUDIENCE[verifier]],
    iat: NOW,
    exp: NOW + 3600,
    'kubernetes.io': { namespace: 'prod', serviceaccount: { name: account, uid: 'u' } },
  }
  const jwt = { header: { alg, kid: 'k' }, claims, parts: ['', '', ''] as const }
  const { named = issuer, announced = ['RS256', 'ES256'] } = altered
  const document = { issuer: named, jwks_uri: jwksUri, id_token_signing_alg_values_supported: announced }
  return {
    verifier,
    jwt,
    token: readServiceAccountToken(jwt),
    audience: undefined,
    now: NOW * 1000,
    discovery: problem === undefined ? { url: `${issuer}/.well-known`, document } : { url: issuer, problem },
    keys: problem === undefined ? { url: jwksUri, document: { keys }, cache } : { url: jwksUri, problem },
    verdict: undefined,
    minted: altered.minted ?? false,
  }
}

const resultsOf = (verifier: Verifier, altered: Altered) =>
  examineToken(facts(verifier, altered)).filter(({ result }) => result === 'fault' || result === 'look')

describe('the doctor of clusters', () => {
  it.each(['aws', 'azure', 'gcp'] as const)('has nothing against a right issuer: %s', verifier => {
    expect(resultsOf(verifier, {})).toEqual([])
  })

  const inside = { issuer: 'https://172.18.0.2:6443' }
  const INTERNAL = { jwksUri: 'https://10.0.0.1:6443/openid/v1/jwks' }
  const long = 'a'.repeat(570)
  it.each([
    ['azure', { alg: 'ES256' }, 'algorithm', 'fault', /ES256 is not one of RS256/],
    ['vault', { alg: 'ES384', announced: ['ES384'] }, 'algorithm', 'look', /jwt_supported_algs/],
    ['aws', inside, 'issuer', 'fault', /service-account-issuer/],
    ['azure', { issuer: 'https://kubernetes.default.svc.cluster.local' }, 'issuer', 'fault', /from outside/],
    ['azure', { issuer: 'https://kube' }, 'issuer', 'fault', /from outside/],
    ['azure', { issuer: 'http://oidc.cloud.com' }, 'issuer', 'fault', /not https/],
    ['gcp', inside, 'issuer', 'look', /upload the keys/],
    ['vault', inside, 'issuer', 'look', /same network/],
    ['aws', { issuer: 'https://oidc.cloud.com:8443' }, 'issuer', 'fault', /port/],
    ['azure', { issuer: `https://oidc.cloud.com/${long}` }, 'issuer', 'pass', /exactly so/],
    ['azure', { issuer: `https://oidc.cloud.com/${long}aaaaaaaaaa` }, 'issuer', 'fault', /at most 600/],
    ['azure', { account: long }, 'subject', 'pass', /without wildcards/],
    ['azure', { account: `${long}aaaaaa` }, 'subject', 'fault', /at most 600/],
    ['gcp', { account: 'a'.repeat(101) }, 'subject', 'fault', /127 bytes/],
    ['azure', { aud: 'AzureADTokenExchange' }, 'audience', 'fault', /not api:\/\/AzureADTokenExchange/],
    ['aws', { aud: 'https://sts.amazonaws.com' }, 'audience', 'fault', /nearly/],
    ['gcp', { aud: 'x' }, 'audience', 'fault', /workload identity provider/],
    ['gcp', { aud: 'x', minted: true }, 'audience', 'look', /--audience/],
    ['vault', {}, 'audience', 'look', /bound_audiences/],
    ['aws', { named: 'https://oidc.cloud.com/abc/' }, 'discovery', 'fault', /the same string/],
    ['aws', { announced: ['ES256'] }, 'discovery', 'fault', /announces ES256/],
    ['aws', { problem: 'it answers 403 to everybody' }, 'discovery', 'fault', /403/],
    ['vault', { problem: 'it answers 403 to everybody' }, 'discovery', 'look', /jwt_validation_pubkeys/],
    ['azure', INTERNAL, 'keys-address', 'fault', /service-account-jwks-uri/],
    ['gcp', INTERNAL, 'keys-address', 'look', /upload/],
    ['aws', { keys: [] }, 'keys', 'fault', /no key/],
    ['aws', { keys: Array.from({ length: 101 }, () => ({ kid: 'k' })) }, 'keys', 'fault', /reads 100/],
    ['aws', { keys: [{ kid: 'other' }] }, 'kid', 'fault', /none of the 1 keys/],
    ['gcp', { keys: [{ kid: 'k', x5c: [] }] }, 'key-members', 'fault', /x5c/],
    ['azure', { cache: 'no-store' }, 'cache', 'look', /no-store/],
    ['azure', { cache: 'max-age=604800' }, 'cache', 'look', /168 h/],
  ] as const)('%s, %o: %s is %s', (verifier, altered, name, result, detail) => {
    const found = examineToken(facts(verifier, altered)).find(each => each.name === name)
    expect(found).toMatchObject({ result, detail: expect.stringMatching(detail) })
  })
})
