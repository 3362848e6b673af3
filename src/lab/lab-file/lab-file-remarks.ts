import { isConfidential } from '../../protocol/oauth/client.js'
import { parseLoopback } from '../../protocol/oauth/redirect-uri.js'
import { parseTotpSecret, STRONG_TOTP_SECRET } from '../../protocol/oauth/totp.js'
import { toClient } from '../../servers/authorization-server/client-rules/defaults.js'
import { STANDARD_SCOPE_CLAIMS } from '../../servers/authorization-server/tokens/user-claims.js'
import { responseAlgorithms } from '../schema/client-members.js'
import type { ClientEntry, LabFile } from '../schema/lab-file-schema.js'
import type { LabFileProblem } from './lab-file-problems.js'
import { unfitReasons } from './profiled-clients.js'

/** Usual sets of characters with their sizes. */
const ALPHABETS: readonly (readonly [pattern: RegExp, size: number])[] = [
  [/^[0-9]*$/, 10],
  [/^[0-9a-f]*$/, 16],
  [/^[0-9A-F]*$/, 16],
  [/^[a-z]*$/, 26],
  [/^[A-Z]*$/, 26],
  [/^[0-9a-z]*$/, 36],
  [/^[0-9A-Z]*$/, 36],
  [/^[0-9A-Za-z]*$/, 62],
  [/^[0-9A-Za-z+/=_-]*$/, 64],
]

/** Printable ASCII characters. */
const PRINTABLE = 95

const WORD_BITS = 2

/** Words that people put into secrets. */
const COMMON = /secret|password|passwd|client|demo|test|admin|example|change|default|oauth|token|lab/gi

/** Letters of one case, so long that they are rather a word than chance. */
const WORD = /[A-Z]?[a-z]{3,}|[A-Z]{4,}/g

/** Estimates the entropy in bits: repeats, runs and words count little. It cannot know how a secret was made. */
export function likelyEntropy(secret: string): number {
  const withoutWords = secret.replace(COMMON, '')
  const words = isMadeOfWords(withoutWords) ? (withoutWords.match(WORD) ?? []).join('') : ''
  const rest = words === '' ? withoutWords : withoutWords.replace(WORD, '')
  const size = ALPHABETS.find(([pattern]) => pattern.test(rest))?.[1] ?? PRINTABLE
  return novelCharacters(rest) * Math.log2(size) + novelCharacters(words) * WORD_BITS
}

/** Random texts of letters in one case, such as Base32, have digits. */
function isMadeOfWords(text: string): boolean {
  const letters = text.replace(/[^A-Za-z]/g, '')
  return !/\d/.test(text) && (text.match(WORD) ?? []).join('').length >= letters.length * 0.8
}

/** Shorter runs and repetitions are put down to chance. */
const RUN = 4

/** Characters that neither continue a run, such as `aaaa` or `4321`, nor end a repetition. */
function novelCharacters(text: string): number {
  let novel = 0
  const seen = new Set<string>()
  for (let end = 1; end <= text.length; end++) {
    const last = end < RUN ? '' : text.slice(end - RUN, end)
    if (!seen.has(last) && !isRun(last)) novel++
    if (last !== '') seen.add(last)
  }
  return novel
}

/** The same distance between neighbours: -1, 0 or 1. */
function isRun(text: string): boolean {
  if (text === '') return false
  const steps = Array.from({ length: RUN - 1 }, (_, i) => text.charCodeAt(i + 1) - text.charCodeAt(i))
  return Math.abs(steps[0]!) <= 1 && steps.every(step => step === steps[0])
}

/** Bits (RFC 6749 §10.10, RFC 6819 §5.1.4.2.2). */
const ENTROPY = 128

/** Bits that the estimate of a random secret may fall short. */
const TOLERANCE = 8

function onSecret({ client_secret: secret }: ClientEntry, i: number): LabFileProblem[] {
  const bits = secret === undefined ? ENTROPY : likelyEntropy(secret)
  if (bits >= ENTROPY - TOLERANCE) return []
  const problem = `this secret has about ${Math.round(bits)} bits of entropy; use ${ENTROPY} (RFC 6749 §10.10), such as: openssl rand -hex 32`
  return [{ path: ['clients', i, 'client_secret'], problem }]
}

/** Addresses with `localhost` that have no loopback literal beside them. */
function onLocalhost({ redirect_uris: uris = [] }: ClientEntry, i: number): LabFileProblem[] {
  const literals = new Set(uris.flatMap(uri => parseLoopback(uri)?.rest ?? []))
  return uris.flatMap((uri, k) => {
    const named = parseLoopback(uri, { anyLocalhostPort: true })
    if (named?.base !== 'http://localhost' || literals.has(named.rest)) return []
    const problem = `a computer may resolve localhost to another address; register http://127.0.0.1${named.rest} as well (RFC 8252 §8.3)`
    return [{ path: ['clients', i, 'redirect_uris', k], problem }]
  })
}

/** No question is asked, although any program can use the name of the client. */
function onConsent(entry: ClientEntry, i: number): LabFileProblem[] {
  const client = toClient(entry)
  const installed = client.application_type === 'native'
  const unasked = client.consent === 'granted' || (client.consent === 'kept' && installed)
  if (!unasked || (isConfidential(client) && !installed)) return []
  const why = installed ? 'people install this client' : 'this client has no secret'
  const problem = `${why}, so any program can use its name and is given tokens without a question (RFC 8252 §8.6); leave consent out`
  return [{ path: ['clients', i, 'consent'], problem }]
}

/** Claims that no scope gives out. */
function onClaims({ users = [], scope_claims: own = {} }: LabFile): LabFileProblem[] {
  const given = new Set(['sub', ...Object.values({ ...STANDARD_SCOPE_CLAIMS, ...own }).flat()])
  return users.flatMap(({ claims = {} }, i) =>
    Object.keys(claims)
      .filter(name => !given.has(name))
      .map(name => ({
        path: ['users', i, 'claims', name],
        problem: `no scope gives out this claim; map a scope to it, such as: scope_claims: { profile: [name, ${name}] }`,
      })),
  )
}

/** Secrets that are shorter than the RFC demands. */
function onTotpSecrets({ users = [] }: LabFile): LabFileProblem[] {
  return users.flatMap(({ totp_secret: secret }, i) => {
    const length = secret === undefined ? STRONG_TOTP_SECRET : (parseTotpSecret(secret)?.length ?? 0)
    if (length >= STRONG_TOTP_SECRET) return []
    const problem = `this secret has ${length * 8} bits; RFC 4226 §4 demands 128, such as: openssl rand 20 | base32`
    return [{ path: ['users', i, 'totp_secret'], problem }]
  })
}

/** People or groups that can have the names of the cluster's own. */
function onTrustedIssuers({ cluster: { oidc = [] } = {} }: LabFile): LabFileProblem[] {
  return oidc.flatMap(({ username_prefix: users, groups_claim: claim, groups_prefix: groups }, i) => {
    const remarks: LabFileProblem[] = []
    if (users === '-') {
      const problem =
        'a person of this issuer who is named like a user of the cluster has the rights of that user; set a prefix, such as oidc:'
      remarks.push({ path: ['cluster', 'oidc', i, 'username_prefix'], problem })
    }
    if (claim !== undefined && groups === undefined) {
      const problem =
        'without groups_prefix, anyone who is in a group system:masters of this issuer may do everything; set a prefix, such as oidc:'
      remarks.push({ path: ['cluster', 'oidc', i, 'groups_claim'], problem })
    }
    return remarks
  })
}

/** A stage whose server signs everything by one algorithm. */
function onAlgorithms({ stage = 'published-keys', clients = [] }: LabFile): LabFileProblem[] {
  if (stage === 'published-keys') return []
  const problem = `the stage ${stage} does not use it; these members count at the stage published-keys`
  return clients.flatMap((client, i) =>
    Object.keys(responseAlgorithms)
      .filter(name => Object.hasOwn(client, name))
      .map(name => ({ path: ['clients', i, name], problem })),
  )
}

/** Clients that cannot work under their profile. */
function onProfiles({ clients, profile = 'standard' }: LabFile): LabFileProblem[] {
  if (clients === undefined && profile === 'fapi2') {
    const problem =
      'no client of the built-in lab file works under fapi2: they authenticate by a secret, or not at all; add clients of your own, as in examples/fapi2/oauth-lab.yaml (FAPI 2.0 Security Profile §5.3.2.1-6)'
    return [{ path: ['profile'], problem }]
  }
  return (clients ?? []).flatMap((entry, i) =>
    unfitReasons(toClient(entry), profile).map(problem => ({ path: ['clients', i], problem })),
  )
}

/** Remarks on a valid lab file: settings that work, but not as people expect. */
export function remarksOn(file: LabFile): LabFileProblem[] {
  const { clients = [] } = file
  const onClients = clients.flatMap((client, i) => [
    ...onSecret(client, i),
    ...onLocalhost(client, i),
    ...onConsent(client, i),
  ])
  return [
    ...onProfiles(file),
    ...onClients,
    ...onAlgorithms(file),
    ...onClaims(file),
    ...onTotpSecrets(file),
    ...onTrustedIssuers(file),
  ]
}
