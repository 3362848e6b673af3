import { randomBytes } from 'node:crypto'
import { makeClientAssertion } from '../../../protocol/tokens/client-assertion.js'
import { decodeIfJwt } from '../../../protocol/tokens/decode.js'
import { defined } from '../../../protocol/values.js'
import { alterToken, unsignedToken } from '../forged-tokens.js'
import { altered, STRANGER, type TokenMessage, withValue } from '../messages.js'
import { assertionTable, atEndpoint, tokenTable } from '../move.js'
import type { Situation } from '../situation.js'

const expects = [atEndpoint('invalid_grant')] as const

/** The audience of the assertion of `other-audience-assertion`. */
const ELSEWHERE = 'https://elsewhere.example/'

const HOUR = 3_600_000

/** Why a move that changes the header of a JWT is not made. */
const jwtAlone = ({ saml }: Situation) => (saml ? 'the assertion is no JWT' : undefined)

/** Assertions with a wrong claim, signed by their issuer. */
const wordMoves = assertionTable({ rule: 'RFC 7521 §5.2', expects }, [
  {
    name: 'expired-assertion',
    does: 'signs an assertion that expired an hour ago',
    risk: 'an assertion that leaks once is good for ever',
    change: words => ({ ...words, issuedAt: words.issuedAt - 2 * HOUR, expiresAt: words.issuedAt - HOUR }),
  },
  {
    name: 'other-audience-assertion',
    does: 'signs an assertion that is for another server',
    risk: 'another server passes on what it was shown, and acts as the person here',
    change: words => ({ ...words, audience: ELSEWHERE, recipient: `${ELSEWHERE}token` }),
  },
  {
    name: 'unknown-issuer-assertion',
    does: 'signs an assertion in the name of an issuer that nobody registered',
    risk: 'everybody can say who the person is',
    change: words => ({ ...words, issuer: `https://${STRANGER}` }),
  },
  {
    name: 'other-client-assertion',
    does: 'signs a grant for another client (an ID-JAG)',
    risk: 'a grant that one client loses is good for every other one',
    rule: 'MCP Enterprise-Managed Authorization §5',
    notHere: jwtAlone,
    change: words => ({ ...words, typ: 'oauth-id-jag+jwt', clientId: STRANGER }),
  },
  {
    name: 'other-kind-assertion',
    does: 'signs a security event (typ secevent+jwt), and sends it as an assertion',
    risk: 'everything that the issuer signs for other readers is a login here',
    rule: 'RFC 8725 §3.12',
    notHere: jwtAlone,
    change: words => ({ ...words, typ: 'secevent+jwt' }),
  },
])

/** The XML of a SAML assertion, changed (RFC 7522 §2.1). */
function changeSaml(assertion: string, change: (xml: string) => string): string {
  return Buffer.from(change(Buffer.from(assertion, 'base64url').toString('utf8')), 'utf8').toString(
    'base64url',
  )
}

function withOtherSubject(assertion: string): string {
  if (decodeIfJwt(assertion)) return alterToken(assertion)
  return changeSaml(assertion, xml =>
    xml.replace(
      /(<(?:\w+:)?NameID[^>]*>)([^<]*)/,
      (_whole, tag: string, name: string) => tag + altered(name),
    ),
  )
}

function withoutSignature(assertion: string): string {
  const unsigned = unsignedToken(assertion)
  if (typeof unsigned === 'string') return unsigned
  return changeSaml(assertion, xml => xml.replace(/<(\w+:)?Signature\b[\s\S]*?<\/\1Signature>/, ''))
}

const sentMoves = tokenTable({ grants: ['assertion'], expects }, [
  {
    name: 'altered-assertion',
    does: 'changes the subject in the assertion and keeps the signature',
    risk: 'everybody can say who the person is',
    rule: 'RFC 7521 §5.2',
    pairs: pairs => withValue(pairs, 'assertion', withOtherSubject),
  },
  {
    name: 'unsigned-assertion',
    does: 'takes the signature off the assertion',
    risk: 'everybody can say who the person is',
    rule: 'RFC 7521 §5.2',
    pairs: pairs => withValue(pairs, 'assertion', withoutSignature),
  },
  {
    name: 'replayed-assertion',
    does: 'sends the same assertion a second time',
    risk: 'anyone who finds an assertion in a log has a token',
    rule: 'RFC 7521 §5.2',
    again: 'anew',
  },
])

/** Wrong assertions. */
export const assertionMoves = [...wordMoves, ...sentMoves]

/** Wrong proofs of a client with a key. */
export const assertionProofMoves = tokenTable(
  {
    expects: [atEndpoint('invalid_client')],
    notHere: ({ client }) =>
      client.proof === 'key' ? undefined : 'the client signs no assertion: --client-key',
  },
  [
    {
      name: 'altered-client-assertion',
      does: 'changes the assertion by which the client proves who it is',
      risk: 'everybody can act as the client',
      rule: 'RFC 7523 §3.2',
      pairs: pairs => withValue(pairs, 'client_assertion', altered),
    },
    {
      name: 'replayed-client-assertion',
      does: 'sends the same request with the same client assertion a second time',
      risk: 'anyone who finds a request in a log can act as the client',
      rule: 'RFC 7523 §3',
      expects: [atEndpoint('invalid_client', 'invalid_grant')],
      again: 'same',
    },
  ],
)

function needsKey({ key }: Situation): string | undefined {
  return key === undefined ? 'the client signs no assertion: --client-key' : undefined
}

/** Why a server may accept other audiences: only some profiles forbid them. */
const onlyStrict = () => 'only a strict server, as FAPI 2.0 asks for, refuses it: RFC 7523 §3 allows it'

/** The request with an assertion of the client's own key for another audience. */
async function assertedTo(
  message: TokenMessage,
  { key, client: { clientId }, now = Date.now }: Situation,
  audience: string | readonly string[],
  typ?: string,
): Promise<TokenMessage> {
  if (key === undefined) return message
  const words = defined({ clientId, audience, typ })
  const assertion = await makeClientAssertion(key, words, { now, random: randomBytes })
  return { ...message, pairs: withValue(message.pairs, 'client_assertion', () => assertion) }
}

/** Assertions by which a client authenticates, made for somebody else than this one server. */
export const clientAssertionMoves = tokenTable(
  { expects: [atEndpoint('invalid_client')], notHere: needsKey },
  [
    {
      name: 'other-issuer-client-assertion',
      does: 'authenticates by an assertion that is for another server',
      risk: 'a server that receives an assertion can act as the client elsewhere',
      rule: 'RFC 7523 §3',
      change: (message, situation) => assertedTo(message, situation, `https://${STRANGER}`),
    },
    {
      name: 'other-kind-client-assertion',
      does: 'authenticates by a JWT of the client that was made for something else (typ secevent+jwt)',
      risk: 'everything that the client signs for other readers can act as the client',
      rule: 'RFC 8725 §3.12',
      optional: true,
      harmless: onlyStrict,
      change: (message, situation) =>
        assertedTo(message, situation, situation.issuer ?? message.url, 'secevent+jwt'),
    },
    {
      name: 'endpoint-client-assertion',
      does: 'authenticates by an assertion that names the token endpoint, and not the issuer',
      risk: 'a malicious server that claims the endpoint of another gets assertions that are good there',
      rule: 'draft-ietf-oauth-rfc7523bis §4',
      optional: true,
      harmless: onlyStrict,
      change: (message, situation) => assertedTo(message, situation, message.url),
    },
    {
      name: 'listed-client-assertion',
      does: 'authenticates by an assertion whose audience is a list with the issuer in it',
      risk: 'every other server in the list can act as the client',
      rule: 'draft-ietf-oauth-rfc7523bis §4',
      notHere: situation =>
        needsKey(situation) ?? (situation.issuer === undefined ? 'the issuer is not known' : undefined),
      optional: true,
      harmless: onlyStrict,
      change: (message, situation) =>
        assertedTo(message, situation, [situation.issuer ?? '', `https://${STRANGER}`]),
    },
  ],
)
