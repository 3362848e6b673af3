import type { Fields } from '../../../protocol/http/form.js'
import { isBreach } from '../../../protocol/oauth/check.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { isCut } from '../../../protocol/safe-output/mask.js'
import type { JwkSet } from '../../../protocol/tokens/keys.js'
import type { JsonObject } from '../../../protocol/values.js'
import type { Conversation } from '../conversation.js'
import { type Finding, finding } from '../finding.js'
import type { FindingName } from '../finding-catalogue.js'
import { readJwt } from '../jwt.js'
import { issuedTokens, type Message } from '../message.js'
import { codeRequests, issuedJwts } from './parts.js'
import { verifierBelongs } from './pkce.js'

/** Findings of conversations that only several exchanges together show. */
export type Relations = ReadonlyMap<Conversation, readonly Finding[]>

/** Parameters that each login makes for itself: the name of the finding, its weight, its rule, and the next move. */
const FRESH = [
  [
    'state',
    'state-reused',
    'fault',
    'RFC 6749 §10.12',
    'make a new random state for each login, and take it once',
  ],
  [
    'nonce',
    'nonce-reused',
    'weakness',
    'OpenID Connect Core §3.1.2.1',
    'make a new random nonce for each login',
  ],
  [
    'code_challenge',
    'challenge-reused',
    'weakness',
    'RFC 7636 §4.1',
    'make a new code_verifier for each login',
  ],
] as const

/** Judges values that each login has for itself, or a forged answer finds one that fits. A request that a browser loads again differs in none. */
function repeatedValues(conversations: readonly Conversation[]): [Conversation, Finding][] {
  return FRESH.flatMap(([name, id, severity, rule, next]) => {
    const first = new Map<string, Conversation>()
    return conversations.flatMap((conversation): [Conversation, Finding][] => {
      const { asked } = conversation
      const value = asked?.fields.get(name)
      if (asked === undefined || value === undefined || asked.message.recorded.report) return []
      const before = first.get(value)
      if (before === undefined) first.set(value, conversation)
      const isOther = ['state', 'nonce', 'code_challenge', 'redirect_uri', 'client_id'].some(
        each => each !== name && before?.asked?.fields.get(each) !== asked.fields.get(each),
      )
      if (before?.asked === undefined || !isOther) return []
      const text = `the ${name} of this login was used before, by that of entry ${before.asked.message.recorded.entry}`
      return [[conversation, finding(severity, id, rule, asked.message, text, next)]]
    })
  })
}

/** Names the login that a nonce or a code_verifier belongs to, where it is that of another one. */
function swappedValues(conversations: readonly Conversation[]): [Conversation, Finding][] {
  const next = 'keep state, nonce and code_verifier of each login together, found by its state'
  return conversations.flatMap(conversation => {
    const fits = (matches: (asked: Fields) => boolean) =>
      conversations.find(
        other => other !== conversation && other.asked !== undefined && matches(other.asked.fields),
      )
    const about = (
      name: FindingName,
      rule: Citation,
      message: Message,
      what: string,
      other: Conversation | undefined,
    ) =>
      other?.asked === undefined || conversation.asked === undefined
        ? []
        : [
            [
              conversation,
              finding(
                'fault',
                name,
                rule,
                message,
                `the ${what} is that of another login (entry ${other.asked.message.recorded.entry})`,
                next,
              ),
            ] as [Conversation, Finding],
          ]
    const sent = conversation.asked?.fields.get('nonce')
    const challenge = conversation.asked?.fields.get('code_challenge')
    return [
      ...issuedJwts(conversation).flatMap(({ kind, jwt, message }) => {
        const { nonce } = jwt.claims
        if (kind !== 'id_token' || sent === undefined || nonce === undefined || nonce === sent) return []
        return about(
          'nonce-differs',
          'OpenID Connect Core §3.1.3.7',
          message,
          'nonce of the ID token',
          fits(asked => asked.get('nonce') === nonce),
        )
      }),
      ...codeRequests(conversation).flatMap(request => {
        const cut = isCut(request.fields.get('code_verifier') ?? '')
        if (challenge === undefined || cut || verifierBelongs(request.fields, conversation.asked!.fields))
          return []
        return about(
          'verifier-differs',
          'RFC 7636 §4.6',
          request,
          'code_verifier',
          fits(asked => verifierBelongs(request.fields, asked)),
        )
      }),
    ]
  })
}

/** True for a signature of the length that the key makes. Another one was cut out of the recording, or is a placeholder. */
function couldBe(token: string, key: JsonObject): boolean {
  const signature = Buffer.from(token.split('.')[2] ?? '', 'base64url').length
  const size = (name: string) => Buffer.from(String(key[name] ?? ''), 'base64url').length
  return signature > 32 && signature === (key.kty === 'RSA' ? size('n') : 2 * size('x'))
}

/** Verifies ID tokens with the keys that stand in the same recording. */
async function wrongSignatures(conversation: Conversation): Promise<Finding[]> {
  const { documents, messages } = conversation
  const tokens = issuedTokens(messages).filter(({ kind }) => kind === 'id_token')
  if (documents.keys === undefined || tokens.length === 0) return []
  const { verifyJwt } = await import('../../../protocol/tokens/verify.js')
  const jwks = { keys: documents.keys } as JwkSet
  const found: Finding[] = []
  for (const { value, message } of tokens) {
    const kid = readJwt(value)?.header.kid
    const [single, other] = documents.keys
    const key =
      kid === undefined && other === undefined
        ? single
        : documents.keys.find(each => kid !== undefined && each.kid === kid)
    const { checks } = await verifyJwt(value, { kind: 'jwks', jwks }, { now: Date.now(), mayLackExp: true })
    const wrong = checks.find(check => check.name === 'signature' && isBreach(check))
    const again = wrong?.detail?.match(/; (?:the signature is right|it is signed with).*/s)?.[0] ?? ''
    if (wrong === undefined || (again === '' && (key === undefined || !couldBe(value, key)))) continue
    const text = `the signature of the ID token does not fit the key of its kid in the published keys${again}`
    const next =
      'refuse the token; if the server is right, two of its instances have different keys of one name'
    found.push(finding('fault', 'signature-differs', 'OpenID Connect Core §3.1.3.7', message, text, next))
  }
  return found
}

/** Judges conversations beside each other, and signatures by the keys of the recording. A redacted copy has no signatures. */
export async function judgeRelations(
  conversations: readonly Conversation[],
  isRedacted: boolean,
): Promise<Relations> {
  const found = new Map<Conversation, Finding[]>()
  for (const [conversation, each] of [...repeatedValues(conversations), ...swappedValues(conversations)]) {
    found.set(conversation, [...(found.get(conversation) ?? []), each])
  }
  if (isRedacted) return found
  for (const conversation of conversations) {
    const wrong = await wrongSignatures(conversation)
    if (wrong.length > 0) found.set(conversation, [...(found.get(conversation) ?? []), ...wrong])
  }
  return found
}
