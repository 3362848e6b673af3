import { type Check, check, shown } from '../oauth/check.js'
import { secretsEqual } from '../oauth/client-auth.js'
import { isJsonObject } from '../oauth/json-object.js'
import { type SdJwt, sdHash } from './sd-jwt.js'
import { checkClaims, checkSignature, type Expectations, type VerificationKeys, verifyJwt } from './verify.js'

const BINDING = 'RFC 9901 §7.3'

/** Checks the JWT by which the holder proves the key of `cnf`: audience and nonce are those of the reader. */
async function bindingChecks(token: SdJwt, expected: Expectations): Promise<Check[]> {
  const { keyBinding: binding, claims } = token
  if (binding === undefined) {
    const detail = 'no key binding: anyone who copies this token can present it'
    return isJsonObject(claims.cnf) ? [{ ...check('key_binding', false, BINDING, detail), advice: true }] : []
  }
  const { jwt, text } = binding
  const jwk = isJsonObject(claims.cnf) && isJsonObject(claims.cnf.jwk) ? claims.cnf.jwk : undefined
  const keys: VerificationKeys = { kind: 'jwks', jwks: { keys: jwk === undefined ? [] : [jwk] } }
  const { now, audience, nonce } = expected
  const wanted = {
    now,
    mayLackExp: true,
    ...(audience !== undefined && { audience }),
    ...(nonce !== undefined && { nonce }),
  }
  const { checks } = await verifyJwt(text, keys, wanted)
  const typ = jwt.header.typ === 'kb+jwt'
  const hash = jwt.claims.sd_hash
  const same = typeof hash === 'string' && secretsEqual(hash, sdHash(token))
  return [
    check('key_binding_typ', typ, BINDING, shown(jwt.header.typ)),
    ...checks.map(each => ({ ...each, name: `key_binding_${each.name}` })),
    check(
      'key_binding_sd_hash',
      same,
      BINDING,
      same ? 'the hash of what is presented' : 'of other disclosures',
    ),
  ]
}

/** The checks of an SD-JWT, in order. */
export interface SdJwtVerdict {
  readonly ok: boolean
  readonly checks: readonly Check[]
}

/**
 * Verifies an SD-JWT: the JWT of its issuer, the disclosures, and the key binding where there is one (RFC 9901 §7.3). With a
 * key binding, audience and nonce are expected in it, because the holder made it for this reader.
 */
export async function verifySdJwt(
  token: SdJwt,
  keys: VerificationKeys,
  expected: Expectations,
): Promise<SdJwtVerdict> {
  const { audience: _audience, nonce: _nonce, ...ofIssuer } = expected
  const checks = [
    await checkSignature(token.jwtText, token.jwt, keys),
    // The claims that count are those with what was disclosed: an exp may be among it (RFC 9901 §7.1, §9.7).
    ...checkClaims(token.claims, token.keyBinding === undefined ? expected : ofIssuer),
    ...token.checks,
    ...(await bindingChecks(token, expected)),
  ]
  return { ok: checks.every(each => each.ok || each.advice), checks }
}
