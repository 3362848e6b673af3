import { answerMembers } from '../../flows/answers/answer-members.js'
import { shown } from '../../protocol/oauth/check.js'
import { decodeIfJwt } from '../../protocol/tokens/decode.js'
import { type DoctorCheck, exchangeOf, type Facts, inGroup, type Publication } from './facts.js'
import { fault, type Judgement, notApplicable, notTried, pass } from './finding.js'
import { keysOf } from './key-checks.js'

/** The kind of key that an algorithm signs with (RFC 7518 §3.1, RFC 8037 §3.1). */
function keyType(alg: string): string | undefined {
  if (/^(RS|PS)\d{3}$/.test(alg)) return 'RSA'
  if (/^ES\d{3}K?$/.test(alg)) return 'EC'
  return /^Ed(DSA|25519|448)$/.test(alg) ? 'OKP' : undefined
}

/** Two names of one algorithm (RFC 9864 §2.2). */
const sameAlgorithm = (a: unknown, b: string) =>
  a === b || ['EdDSA', 'Ed25519'].every(name => name === a || name === b)

function strings(members: Publication['members'], name: string): readonly string[] | undefined {
  const value = members[name]
  return Array.isArray(value) ? value.map(shown) : undefined
}

/** Judges lists of algorithms by their names; `bad` is one that must not be in any of them. */
function without(bad: string, lists: (name: string) => boolean, none: string): (p: Publication) => Judgement {
  return ({ members }) => {
    const announced = Object.keys(members).filter(name => lists(name) && Array.isArray(members[name]))
    if (announced.length === 0) return notApplicable(none)
    const wrong = announced.filter(name => strings(members, name)?.includes(bad))
    return wrong.length === 0 ? pass(`in ${announced.length} lists`) : fault(`${bad} in ${wrong.join(', ')}`)
  }
}

/** Checks the algorithms that a server announces. */
export const announcedAlgorithmChecks = inGroup<Publication>('discovery', [
  {
    group: 'keys',
    name: 'jwks-announced',
    severity: 'remark',
    title: 'a key is published for each algorithm that is announced for id_tokens',
    rule: 'OpenID Connect Discovery §3',
    judge: publication => {
      const keys = keysOf(publication)
      if (keys === undefined) return notApplicable('no keys can be read')
      const announced = strings(publication.members, 'id_token_signing_alg_values_supported') ?? []
      const asymmetric = announced.filter(alg => keyType(alg) !== undefined)
      if (asymmetric.length === 0) return notApplicable('no such algorithm is announced')
      const lacking = asymmetric.filter(
        alg =>
          !keys.some(
            key => key.kty === keyType(alg) && (key.alg === undefined || sameAlgorithm(key.alg, alg)),
          ),
      )
      return lacking.length === 0 ? pass(asymmetric.join(', ')) : fault(`no key for ${lacking.join(', ')}`)
    },
  },
  {
    name: 'assertion-alg-none',
    title: 'assertions of clients without a signature are not offered',
    rule: 'RFC 8414 §2',
    judge: without(
      'none',
      name => /_endpoint_auth_signing_alg_values_supported$/.test(name),
      'no assertions of clients are announced',
    ),
  },
  {
    name: 'encryption-padding',
    severity: 'weakness',
    title: 'encryption with the padding of PKCS #1 v1.5 is not offered',
    rule: 'RFC 8725 §3.2',
    judge: without(
      'RSA1_5',
      name => /_encryption_alg_values_supported$/.test(name),
      'no encryption is announced',
    ),
  },
])

/** Checks the algorithm of the honest id_token. */
export const usedAlgorithmChecks: readonly DoctorCheck<Facts>[] = [
  {
    group: 'token',
    name: 'id-token-announced',
    title: 'an id_token is signed by an algorithm that is announced',
    rule: 'OpenID Connect Core §3.1.3.7',
    judge: facts => {
      const exchange = exchangeOf(facts, 'token_request')
      const { access_token: access, id_token: token } = exchange ? answerMembers(exchange) : {}
      if (access === undefined) return notTried('no tokens were issued')
      const decoded = typeof token === 'string' ? decodeIfJwt(token) : undefined
      if (decoded === undefined) return notApplicable('no signed id_token was issued')
      const announced = strings(facts.publication.members, 'id_token_signing_alg_values_supported')
      if (announced === undefined) return notApplicable('no algorithms are announced')
      const alg = shown(decoded.header.alg)
      return announced.some(each => sameAlgorithm(alg, each))
        ? pass(alg)
        : fault(`${alg}; announced: ${announced.join(', ')}`)
    },
  },
]
