import { isBreach } from '../../../protocol/oauth/check.js'
import type { JwkSet } from '../../../protocol/tokens/keys.js'
import type { JsonObject } from '../../../protocol/values.js'
import type { Conversation } from '../conversation.js'
import { type Finding, finding } from '../finding.js'
import { readJwt } from '../jwt.js'
import { issuedTokens } from '../message.js'

/** Findings of conversations that only several exchanges together show. */
export type Relations = ReadonlyMap<Conversation, readonly Finding[]>

/** Members in which a request that a browser loads again does not differ. */
const SINGULAR = ['nonce', 'code_challenge', 'redirect_uri', 'client_id']

/** Judges states: each login has its own, or a forged answer finds one that fits (RFC 6749 §10.12). */
function repeatedStates(conversations: readonly Conversation[]): [Conversation, Finding][] {
  const first = new Map<string, Conversation>()
  return conversations.flatMap((conversation): [Conversation, Finding][] => {
    const { asked } = conversation
    const state = asked?.fields.get('state')
    if (asked === undefined || state === undefined || asked.message.recorded.report) return []
    const before = first.get(state)
    if (before === undefined) first.set(state, conversation)
    const isOther = SINGULAR.some(name => before?.asked?.fields.get(name) !== asked.fields.get(name))
    if (before?.asked === undefined || !isOther) return []
    const text = `the state of this login was used before, by that of entry ${before.asked.message.recorded.entry}`
    const next = 'make a new random state for each login, and take it once'
    return [[conversation, finding('fault', 'state-reused', 'RFC 6749 §10.12', asked.message, text, next)]]
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
    const key = documents.keys.find(each => kid !== undefined && each.kid === kid)
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
  for (const [conversation, each] of repeatedStates(conversations)) found.set(conversation, [each])
  if (isRedacted) return found
  for (const conversation of conversations) {
    const wrong = await wrongSignatures(conversation)
    if (wrong.length > 0) found.set(conversation, [...(found.get(conversation) ?? []), ...wrong])
  }
  return found
}
