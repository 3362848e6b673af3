import { answerMembers } from '../../../flows/answers/answer-members.js'
import { header, headerValues } from '../../../protocol/http/message.js'
import { challengeFor, parseChallenges } from '../../../protocol/oauth/bearer.js'
import { type DoctorCheck, inGroup } from '../facts.js'
import { fault, type Judgement, notApplicable, notTried, pass, passIf, remark } from '../finding.js'
import { answered, seen } from '../requester.js'
import type { McpPublication, PlaceFacts } from './mcp-facts.js'

const OPEN = 'the MCP server asks nobody for a token'
const NO_DOCUMENT = 'no metadata of the MCP server can be used'
const NO_ISSUER = 'no metadata of the authorization server can be used'

/** True where the server wants a token at all. */
const isGuarded = ({ bare }: McpPublication): boolean => bare?.response?.status === 401

/** Why nothing can be judged at a server that wants no token: it may be open, or no MCP server at all. */
function unguarded({ bare }: McpPublication): Judgement {
  const status = bare?.response?.status ?? 0
  return notApplicable(status < 300 ? OPEN : `no MCP server asks for a token there (${status})`)
}

/** Judges a server that wants tokens; any other one has nothing to judge here. */
const whereGuarded =
  (judge: (facts: McpPublication) => Judgement) =>
  (facts: McpPublication): Judgement =>
    isGuarded(facts) ? judge(facts) : unguarded(facts)

const readable = ({ places }: McpPublication) => places.filter(each => each.document)

const told = ({ place, problem }: PlaceFacts): string => problem ?? place.url

/** Checks what an MCP server answers to a client without a token. */
const guardChecks = inGroup<McpPublication>('mcp', [
  {
    name: 'mcp-unauthenticated',
    title: 'a message without a token is answered 401',
    rule: 'MCP 2026-07-28 Authorization §11',
    judge: ({ bare }) => answered(bare, (exchange, status) => passIf(status === 401, seen(exchange))),
  },
  {
    name: 'mcp-challenge',
    title: 'the 401 asks for a Bearer token',
    rule: 'RFC 6750 §3',
    judge: whereGuarded(({ challenge, bare }) => {
      if (challenge === undefined) return fault('it names metadata at an address that is not https')
      if (challenge.scheme !== undefined) return pass(challenge.scheme)
      return fault(header(bare!.response!, 'www-authenticate') ?? 'no WWW-Authenticate')
    }),
  },
  {
    name: 'mcp-challenge-metadata',
    title: 'the challenge names the metadata of the MCP server',
    rule: 'RFC 9728 §5',
    judge: whereGuarded(facts => {
      const named = facts.challenge?.metadataUrl
      if (named !== undefined) return pass(named)
      return readable(facts).length > 0
        ? remark('not named; a client finds it at the well-known address')
        : fault('not named, and at no well-known address')
    }),
  },
  {
    name: 'mcp-challenge-scope',
    severity: 'remark',
    title: 'the challenge names the scope that the message needs',
    rule: 'MCP 2026-07-28 Authorization §6',
    judge: whereGuarded(({ challenge, document }) => {
      if (challenge?.scope !== undefined) return pass(challenge.scope)
      return document?.scopes === undefined
        ? notApplicable('the MCP server knows no scopes')
        : fault('no scope: a client asks for all of scopes_supported')
    }),
  },
  {
    name: 'mcp-made-up-token',
    title: 'a token that nobody issued is answered 401 invalid_token',
    rule: 'RFC 6750 §3.1',
    judge: whereGuarded(({ madeUp }) =>
      answered(madeUp, (exchange, status) => {
        if (status < 300) return fault(`the message is answered (${status})`)
        if (status >= 500) return fault(seen(exchange))
        const challenges = parseChallenges(headerValues(exchange.response!, 'www-authenticate'))
        const error = challengeFor('Bearer', challenges)?.parameters.error ?? answerMembers(exchange).error
        const found = `${status} ${typeof error === 'string' ? error : 'without an error'}`
        return status === 401 && error === 'invalid_token'
          ? pass(found)
          : remark(`refused otherwise: ${found}`)
      }),
    ),
  },
])

/** Checks the metadata of an MCP server (RFC 9728). */
const documentChecks = inGroup<McpPublication>('mcp', [
  {
    name: 'mcp-metadata',
    title: 'the metadata of the MCP server is where clients look',
    rule: 'MCP 2026-07-28 Discovery §2',
    judge: whereGuarded(({ document, places }) =>
      document ? pass(document.resource) : fault(places.map(told).join('; ')),
    ),
  },
  {
    name: 'mcp-metadata-resource',
    title: 'every document is about the MCP server that was asked',
    rule: 'RFC 9728 §3.3',
    judge: whereGuarded(({ places }) => {
      const foreign = places.filter(each => each.foreign)
      if (foreign.length > 0) return fault(foreign.map(told).join('; '))
      const own = places.flatMap(({ document }) => document?.resource ?? [])
      return own.length === 0 ? notTried(NO_DOCUMENT) : pass([...new Set(own)].join(', '))
    }),
  },
  {
    name: 'mcp-metadata-places',
    title: 'the well-known place says the same as the place in the challenge',
    rule: 'RFC 9728 §3.1',
    judge: whereGuarded(facts => {
      const [first, ...others] = readable(facts).filter(({ place }) => place.by !== 'root')
      if (first === undefined) return notTried(NO_DOCUMENT)
      const same = (each: PlaceFacts) =>
        each.document?.resource === first.document?.resource &&
        String(each.document?.issuers) === String(first.document?.issuers)
      const other = others.find(each => !same(each))
      if (other) return fault(`${other.place.url} names ${other.document?.issuers.join(', ')}`)
      const missing = facts.places.find(({ place, document }) => place.by === 'path' && !document)
      return missing === undefined
        ? pass([first, ...others].map(({ place }) => place.url).join(', '))
        : remark(`a client that does not read the challenge finds nothing: ${told(missing)}`)
    }),
  },
  {
    name: 'mcp-bearer-methods',
    title: 'tokens are taken in the header alone',
    rule: 'MCP 2026-07-28 Authorization §9.1',
    judge: whereGuarded(facts => {
      const place = readable(facts)[0]
      if (place?.exchange === undefined) return notTried(NO_DOCUMENT)
      const methods = answerMembers(place.exchange).bearer_methods_supported
      if (methods === undefined) return pass('bearer_methods_supported is left out')
      const found = JSON.stringify(methods)
      const good = Array.isArray(methods) && methods.includes('header') && !methods.includes('query')
      return passIf(good, found)
    }),
  },
  {
    name: 'mcp-offline-access',
    severity: 'remark',
    title: 'offline_access is no scope of the MCP server',
    rule: 'MCP 2026-07-28 Authorization §10',
    judge: whereGuarded(({ document, challenge }) => {
      if (document === undefined) return notTried(NO_DOCUMENT)
      const inList = document.scopes?.includes('offline_access') === true
      const inChallenge = challenge?.scope?.split(' ').includes('offline_access') === true
      return passIf(
        !inList && !inChallenge,
        inList ? 'in scopes_supported' : inChallenge ? 'in the challenge' : 'not named',
      )
    }),
  },
])

/** Judges the metadata of the authorization server, where there is one that can be used. */
const whereKnown =
  (judge: (metadata: NonNullable<McpPublication['metadata']>) => Judgement) =>
  (facts: McpPublication): Judgement => {
    if (!isGuarded(facts)) return unguarded(facts)
    return facts.metadata ? judge(facts.metadata) : notTried(NO_ISSUER)
  }

/** Checks the authorization server, as far as MCP asks more of it than other profiles do. */
const issuerChecks = inGroup<McpPublication>('mcp', [
  {
    name: 'mcp-issuer',
    title: 'the authorization server publishes metadata that name itself',
    rule: 'MCP 2026-07-28 Discovery §3',
    judge: whereGuarded(({ issuer, metadata, issuerProblem }) => {
      if (issuer === undefined) return notTried(NO_DOCUMENT)
      return metadata ? pass(metadata.issuer) : fault(`${issuer}: ${issuerProblem}`)
    }),
  },
  {
    name: 'mcp-pkce',
    title: 'PKCE with S256 is announced: without it every client has to stop',
    rule: 'MCP 2026-07-28 Security §4',
    judge: whereKnown(({ code_challenge_methods_supported: methods }) =>
      passIf(
        methods?.includes('S256') === true,
        methods?.join(', ') ?? 'code_challenge_methods_supported is missing',
      ),
    ),
  },
  {
    name: 'mcp-iss',
    severity: 'weakness',
    title: 'authorization responses name their issuer (iss)',
    rule: 'MCP 2026-07-28 Authorization §7.1',
    judge: whereKnown(({ authorization_response_iss_parameter_supported: promised }) =>
      passIf(promised === true, promised === true ? 'promised' : 'not promised'),
    ),
  },
  {
    name: 'mcp-registration',
    severity: 'remark',
    title: 'a client that nobody knows can introduce itself',
    rule: 'MCP 2026-07-28 Registration §1',
    judge: whereKnown(
      ({ client_id_metadata_document_supported: documents, registration_endpoint: endpoint }) => {
        if (documents === true) return pass('by a metadata document')
        return endpoint === undefined
          ? fault('neither metadata documents nor dynamic registration: somebody has to register each client')
          : remark('by dynamic registration alone, which is deprecated')
      },
    ),
  },
])

/** Every check of what everybody can see. */
export const publicationChecks: readonly DoctorCheck<McpPublication>[] = [
  ...guardChecks,
  ...documentChecks,
  ...issuerChecks,
]
