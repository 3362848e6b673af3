import type { Exchange } from '../../../protocol/http/exchange.js'
import { headerValues, splitUrl } from '../../../protocol/http/message.js'
import { challengeFor, parseChallenges } from '../../../protocol/oauth/bearer.js'
import { decodeIfJwt } from '../../../protocol/tokens/decode.js'
import { endsUnread } from '../../tamper/observe.js'
import { inGroup } from '../facts.js'
import { fault, type Judgement, notApplicable, notTried, pass, remark } from '../finding.js'
import { answered, seen } from '../requester.js'
import type { McpConversation } from './mcp-facts.js'

/** Why nothing that needs a token is tried. */
export const NO_TOKEN = 'the flow without any wrong move gets no token'

/** The access token of the conversation; undefined without one. */
export function tokenOf({ outcome }: McpConversation): string | undefined {
  return outcome?.outcome === 'granted' ? outcome.tokens?.access_token : undefined
}

function withToken(judge: (token: string, facts: McpConversation) => Judgement) {
  return (facts: McpConversation): Judgement => {
    const token = tokenOf(facts)
    return token === undefined ? notTried(NO_TOKEN) : judge(token, facts)
  }
}

const isLoopback = (url: string) =>
  /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/i.test(splitUrl(url).origin)

/** Judges the answer to a message from a page of another site. */
function foreignPage(exchange: Exchange | undefined, url: string): Judgement {
  return answered(exchange, (answer, status) => {
    if (status === 403) return pass(seen(answer))
    if (status >= 300) return remark(`refused otherwise: expected 403; got ${seen(answer)}`)
    const detail = `the message is answered (${status})`
    // A page that rebinds a name reaches servers on this computer first; one elsewhere has a token to ask for.
    return isLoopback(url) ? fault(detail) : { result: 'weakness', detail }
  })
}

/** Checks an MCP server with a token that it accepts. */
export const conversationChecks = inGroup<McpConversation>('mcp', [
  {
    name: 'honest-flow',
    title: 'a client that knows the address alone gets a token, and lists the tools',
    rule: 'MCP 2026-07-28 Authorization §3',
    judge: ({ outcome }) => {
      if (outcome?.outcome === 'granted') return pass('granted')
      const why = outcome?.error?.error_description ?? 'no outcome'
      return outcome === undefined || endsUnread(outcome) || outcome.error?.error === 'no_registration'
        ? notTried(why)
        : fault(why)
    },
  },
  {
    name: 'mcp-foreign-origin',
    title: 'a message from a page of another site is answered 403',
    rule: 'MCP 2026-07-28 Transport §1',
    judge: facts => {
      const { publication, foreignOrigin } = facts
      if (publication.foreignOrigin?.response?.status === 403) return pass('403, without a token too')
      if (publication.bare?.response?.status !== 401)
        return foreignPage(publication.foreignOrigin, publication.url)
      return tokenOf(facts) === undefined ? notTried(NO_TOKEN) : foreignPage(foreignOrigin, publication.url)
    },
  },
  {
    name: 'mcp-audience',
    severity: 'weakness',
    title: 'the token is for this MCP server alone',
    rule: 'MCP 2026-07-28 Security §1',
    judge: withToken((token, { publication: { document } }) => {
      const claims = decodeIfJwt(token)?.claims
      if (claims === undefined)
        return notApplicable('the token is no JWT: only the server knows whom it is for')
      const audiences = [claims.aud ?? []].flat().map(String)
      const found = audiences.length === 0 ? 'aud is missing' : `aud ${audiences.join(', ')}`
      const own = audiences.length === 1 && audiences[0] === document?.resource
      return own ? pass(found) : fault(`${found}, asked was ${document?.resource}`)
    }),
  },
  {
    name: 'mcp-insufficient-scope',
    severity: 'weakness',
    title: 'a token with too little scope is answered 403 insufficient_scope, which names the scope',
    rule: 'MCP 2026-07-28 Authorization §11.1',
    judge: withToken((_token, { narrow }) => {
      if (narrow?.response === undefined)
        return notApplicable('no message of the examination needed more scope')
      const challenges = parseChallenges(headerValues(narrow.response, 'www-authenticate'))
      const { error, scope } = challengeFor('Bearer', challenges)?.parameters ?? {}
      if (error !== 'insufficient_scope') return fault(`403 ${error ?? 'without an error'}`)
      return scope === undefined ? fault('403 insufficient_scope without scope') : pass(`403, scope ${scope}`)
    }),
  },
])
