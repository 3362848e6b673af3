import { answerMembers } from '../../flows/answers/answer-members.js'
import type { JwkSet } from '../../protocol/tokens/keys.js'
import { type DoctorCheck, inGroup, type Publication } from './facts.js'
import { fault, type Judgement, notApplicable, pass, passIf } from './finding.js'

/** Members that only the signer may know (RFC 7518 §6.2.2, §6.3.2, §6.4.1). */
const PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const

/** The published keys; undefined where the answer is no set of keys. */
export function keysOf({ keys }: Publication): JwkSet['keys'] | undefined {
  const set = keys && answerMembers(keys).keys
  return Array.isArray(set) && set.every(key => typeof key === 'object' && key !== null) ? set : undefined
}

function onKeys(judge: (keys: JwkSet['keys']) => Judgement): DoctorCheck<Publication>['judge'] {
  return publication => {
    const keys = keysOf(publication)
    return keys === undefined ? notApplicable('no keys can be read') : judge(keys)
  }
}

/** Bits of an RSA modulus in base64url. */
function bits(modulus: string): number {
  const raw = Buffer.from(modulus, 'base64url')
  const first = raw.findIndex(byte => byte !== 0)
  return first < 0 ? 0 : (raw.length - first) * 8 - Math.clz32(raw[first]!) + 24
}

/** Checks the published keys. */
export const keyChecks = inGroup<Publication>('keys', [
  {
    name: 'jwks',
    title: 'the keys are published',
    rule: 'RFC 7517 §5',
    judge: publication => {
      if (publication.metadata.jwks_uri === undefined) return notApplicable('there is no jwks_uri')
      const status = publication.keys?.response?.status
      const keys = keysOf(publication)
      if (status !== 200 || keys === undefined)
        return fault(`jwks_uri answered ${status}, and no set of keys`)
      return passIf(keys.length > 0, `${keys.length} ${keys.length === 1 ? 'key' : 'keys'}`)
    },
  },
  {
    name: 'jwks-public',
    title: 'nothing private is published',
    rule: 'RFC 7517 §9.2',
    judge: onKeys(keys => {
      const exposed = PRIVATE.filter(name => keys.some(key => Object.hasOwn(key, name)))
      return exposed.length === 0
        ? pass('public members only')
        : fault(`private members: ${exposed.join(', ')}`)
    }),
  },
  {
    name: 'jwks-kid',
    severity: 'weakness',
    title: 'kid distinguishes the keys',
    rule: 'RFC 7517 §4.5',
    judge: onKeys(keys => {
      const names = new Set(keys.map(({ kid }) => kid))
      if (keys.length === 1) return pass('one key, which needs no kid')
      return passIf(
        names.size === keys.length && !names.has(undefined),
        `${names.size} names, ${keys.length} keys`,
      )
    }),
  },
  {
    name: 'jwks-strength',
    title: 'RSA keys have 2048 bits or more',
    rule: 'RFC 7518 §3.3',
    judge: onKeys(keys => {
      const sizes = keys.flatMap(({ kty, n }) => (kty === 'RSA' && typeof n === 'string' ? [bits(n)] : []))
      if (sizes.length === 0) return notApplicable('no RSA keys')
      return passIf(
        sizes.every(size => size >= 2048),
        `${sizes.join(', ')} bits`,
      )
    }),
  },
])
