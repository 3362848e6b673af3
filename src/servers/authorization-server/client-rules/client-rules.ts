import { isUrl } from '../../../protocol/http/address.js'
import { algorithmsOfSecret, isSecretAlgorithm } from '../../../protocol/oauth/algorithms.js'
import { isConfidential } from '../../../protocol/oauth/client.js'
import { sectorProblem } from '../../../protocol/oauth/client-metadata.js'
import { quote } from '../../../protocol/values.js'
import { checkClientBackchannel } from './backchannel.js'
import { certificateProblems } from './certificates.js'
import { neededGrants, toClient } from './defaults.js'
import { checkClientLogout } from './logout.js'
import type { ClientMetadata, MemberPath, Report } from './model.js'
import { checkRequestObjects } from './request-objects.js'
import { checkResponseAlgorithms } from './response-algorithms.js'
import { checkClientSwitches } from './switches.js'

function isHttps(address: string): boolean {
  if (!isUrl(address)) return false
  const { protocol, username, password, hash } = new URL(address)
  return protocol === 'https:' && [username, password, hash].every(each => each === '')
}

/** The algorithm of assertions has to fit the method, and the secret has to be long enough for it (RFC 7518 §3.2). */
function checkAssertionAlgorithm(client: ClientMetadata, path: MemberPath, report: Report): void {
  const {
    token_endpoint_auth_method: method,
    token_endpoint_auth_signing_alg: alg,
    client_secret: secret = '',
  } = client
  const bySecret = algorithmsOfSecret(secret)
  const at = [...path, 'token_endpoint_auth_signing_alg']
  if (method === 'client_secret_jwt' && bySecret.length === 0 && secret !== '') {
    report([...path, 'client_secret'], 'client_secret_jwt needs a secret of 32 bytes or more (RFC 7518 §3.2)')
  }
  if (alg === undefined) return
  const shared = isSecretAlgorithm(alg)
  if (shared && method === 'private_key_jwt')
    report(at, `${quote(alg)} is for client_secret_jwt: it needs the secret`)
  if (!shared && method === 'client_secret_jwt')
    report(at, `${quote(alg)} is for private_key_jwt: it needs a key`)
  if (shared && method !== 'private_key_jwt' && secret !== '' && !bySecret.includes(alg)) {
    report(at, `${quote(alg)} needs a longer client_secret (RFC 7518 §3.2)`)
  }
}

function checkAuthentication(client: ClientMetadata, path: MemberPath, report: Report): void {
  const method = client.token_endpoint_auth_method
  const at = [...path, 'token_endpoint_auth_method']
  if (method === 'none' && client.client_secret !== undefined) {
    report(at, 'none is for clients without client_secret (RFC 7591 §2)')
  }
  if (method?.startsWith('client_secret_') && !client.client_secret) {
    report(at, `${method} needs a client_secret`)
  }
  checkAssertionAlgorithm(client, path, report)
  const { jwks, jwks_uri: address } = client
  if (method === 'private_key_jwt' && !jwks?.keys.length && address === undefined) {
    report(at, 'private_key_jwt needs jwks or jwks_uri with the public key')
  }
  if (jwks !== undefined && address !== undefined) {
    report([...path, 'jwks_uri'], 'a client has jwks or jwks_uri, not both (RFC 7591 §2)')
  }
  if (address !== undefined && !isHttps(address)) {
    report([...path, 'jwks_uri'], `${quote(address)} is no https address without user and fragment`)
  }
  for (const [i, key] of (jwks?.keys ?? []).entries()) {
    if ('d' in key) report([...path, 'jwks', 'keys', i], 'this is a private key; register the public one')
  }
}

/** Grants and response types must fit each other (RFC 7591 §2.1). */
function checkGrants(client: ClientMetadata, path: MemberPath, report: Report): void {
  const { grant_types: grants, response_types: types } = client
  if (grants !== undefined && types !== undefined) {
    for (const [i, type] of types.entries()) {
      for (const needed of neededGrants(type).filter(each => !grants.includes(each))) {
        report(
          [...path, 'response_types', i],
          `${quote(type)} needs the grant type ${needed} (RFC 7591 §2.1)`,
        )
      }
    }
  }
  const confidential = isConfidential(client)
  const effective = toClient(client).grant_types
  if (!confidential && effective.includes('client_credentials')) {
    report([...path, 'grant_types'], 'client_credentials is for confidential clients (RFC 6749 §4.4)')
  }
  const needsAddress = confidential
    ? effective.includes('implicit')
    : effective.includes('implicit') || effective.includes('authorization_code')
  if (needsAddress && !client.redirect_uris?.length) {
    const who = confidential ? 'a client with the implicit grant' : 'a public client'
    report([...path, 'redirect_uris'], `${who} needs a registered redirect_uri (RFC 6749 §3.1.2.2)`)
  }
}

/** Checks that a pairwise client has one sector. */
function checkSector(client: ClientMetadata, path: MemberPath, report: Report): void {
  const wrong = sectorProblem(client)
  if (wrong !== undefined) report([...path, wrong.member], wrong.problem)
}

/** Checks the rules between the members of a client. */
export function checkClientRules(client: ClientMetadata, path: MemberPath, report: Report): void {
  checkAuthentication(client, path, report)
  for (const { field, problem } of certificateProblems(client)) report([...path, ...field], problem)
  checkResponseAlgorithms(client, path, report)
  checkClientSwitches(client, path, report)
  checkRequestObjects(client, path, report)
  checkClientLogout(client, path, report)
  checkClientBackchannel(client, path, report)
  checkSector(client, path, report)
  checkGrants(client, path, report)
}
