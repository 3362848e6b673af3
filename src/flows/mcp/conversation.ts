import type { Exchange } from '../../protocol/http/exchange.js'
import { mediaType } from '../../protocol/http/message.js'
import { advice, check } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { TokenResponse } from '../../protocol/oauth/token.js'
import type { Steps, Walk } from '../walk.js'
import { errorIn, isModernError, readMcpAnswer, sessionIn, streamHasAnswer, supportedIn } from './answers.js'
import { type McpChallenge, readMcpChallenge } from './challenge.js'
import { type McpContext, type McpMessage, mcpRequest } from './messages.js'
import type { McpOptions } from './options.js'
import { LATEST_WITH_HANDSHAKE, type Revision, RULES, revisionNamed } from './revisions.js'
import { unitedScope } from './scope-selection.js'
import { covers, type Held, noteOf, notified, refusalOf, type Turn, toolError, turnsOf } from './turns.js'

export interface Authorizer {
  /** Answers a 401. */
  authorize(challenge: McpChallenge): Steps<Held>
  /** Answers a 403. */
  stepUp(scope: string): Steps<Held>
}

/** MCP 2026-07-28 Authorization §11.1. */
const MAX_STEP_UPS = 2

const MAX_CHANGES = 2

/** The conversation of a client with an MCP server, which asks for tokens when the server does. */
export function conversation(
  walk: Walk,
  wanted: McpOptions,
  authorizer: Authorizer,
  learn: (revision: Revision) => void,
) {
  let revision: Revision = wanted.revision ?? '2026-07-28'
  let held: Held | undefined
  let session: string | undefined
  let ids = 0
  let stepUps = 0
  let changes = 0
  let asked = false

  const scheme = { dpop: wanted.dpop !== undefined }

  function send(message: McpMessage, id: number | undefined): Promise<Exchange> {
    const { url, info } = wanted
    const context: McpContext = { url, info, revision, session, accessToken: held?.tokens.access_token }
    return walk.send(
      mcpRequest(message, context, id),
      id === undefined ? {} : { enough: stream => streamHasAnswer(stream, id) },
    )
  }

  /** Answers a 401. */
  async function* answer401({ name }: Turn, exchange: Exchange, renewed: boolean): Steps<void> {
    const shownAs = asked ? name : 'unauthenticated_request'
    const challenge = yield* walk.orRefused(shownAs, exchange, () =>
      readMcpChallenge(exchange, wanted.url, scheme),
    )
    if (held === undefined) {
      const note = challenge.scheme === undefined ? '401 without a challenge' : `asks for ${challenge.scheme}`
      yield walk.step(shownAs, { exchange, checks: challenge.checks, note, ...(asked && { repeats: true }) })
    } else {
      if (renewed) {
        const refusal = refusalOf(exchange, challenge)
        yield walk.step(name, {
          exchange,
          checks: [check('accepted', false, refusal.rule, refusal.description)],
        })
        throw refusal
      }
      const why = challenge.description ?? challenge.error ?? '401'
      yield walk.step(name, {
        exchange,
        checks: [
          advice(
            'accepted',
            false,
            'MCP 2026-07-28 Authorization §11',
            `the token is no longer taken: ${why}`,
          ),
        ],
        note: 'the client reads the metadata again, and gets a new token',
        repeats: true,
      })
      walk.startOver()
      held = undefined
    }
    held = yield* authorizer.authorize(challenge)
  }

  /** Answers a 403. @throws OAuthError where more scopes cannot help */
  async function* answer403({ name }: Turn, exchange: Exchange, before: Held): Steps<void> {
    const rule = 'MCP 2026-07-28 Authorization §11.1'
    const challenge = yield* walk.orRefused(name, exchange, () =>
      readMcpChallenge(exchange, wanted.url, scheme),
    )
    const { scope: needed } = challenge
    const scope = unitedScope(before.scope, needed)
    const useless = needed === undefined || covers(before, needed)
    if (challenge.error !== 'insufficient_scope' || useless || stepUps >= MAX_STEP_UPS) {
      const refusal = refusalOf(exchange, challenge, before)
      const why =
        stepUps >= MAX_STEP_UPS
          ? `after ${stepUps} step-ups the client stops`
          : useless
            ? 'a step-up would ask for nothing new'
            : 'the challenge asks for no scope'
      yield walk.step(name, {
        exchange,
        checks: [check('scope', false, rule, `${refusal.description}: ${why}`)],
      })
      throw refusal
    }
    stepUps += 1
    yield walk.step(name, {
      exchange,
      checks: [
        advice('scope', false, rule, `needs ${needed}: old and new scopes are asked for together: ${scope}`),
      ],
      note: `step-up ${stepUps} of ${MAX_STEP_UPS}: asks for ${scope}`,
      repeats: true,
    })
    walk.startOver()
    held = yield* authorizer.stepUp(scope)
  }

  /** Undefined to stay with the revision. */
  function otherRevision(exchange: Exchange, id: number): Revision | undefined {
    const status = exchange.response?.status ?? 0
    if (wanted.revision !== undefined || changes >= MAX_CHANGES || status < 400 || status >= 500)
      return undefined
    const error = errorIn(exchange, id)
    const offered = supportedIn(error)
      .flatMap(each => revisionNamed(each) ?? [])
      .filter(each => each !== revision)
      .sort()
    if (isModernError(error)) return offered.at(-1)
    return RULES[revision].stateless && [400, 404, 405, 406, 422].includes(status)
      ? LATEST_WITH_HANDSHAKE
      : undefined
  }

  /** @returns the revision to begin again with, where the server speaks no newer one */
  async function* take(turn: Turn): Steps<Revision | undefined> {
    const { name, message } = turn
    let renewed = false
    for (;;) {
      const notification = message.method === 'notifications/initialized'
      if (!notification) ids += 1
      const id = notification ? undefined : ids
      const exchange = await send(message, id)
      const status = exchange.response?.status
      if (status === 401) {
        const before = held
        yield* answer401(turn, exchange, renewed)
        asked = true
        renewed ||= before !== undefined
        continue
      }
      if (status === 403 && held !== undefined) {
        yield* answer403(turn, exchange, held)
        continue
      }
      const shownAs = asked || held !== undefined ? name : 'unauthenticated_request'
      if (id === undefined) {
        yield walk.step(name, { exchange, checks: [notified(exchange)], note: `answered ${status}` })
        return undefined
      }
      const other = otherRevision(exchange, id)
      if (other !== undefined) {
        const note = `the server does not speak ${revision}; the client goes on with ${other}`
        yield walk.step(shownAs, { exchange, note, repeats: true })
        return other
      }
      const result = yield* walk.orRefused(shownAs, exchange, () => {
        const answer = readMcpAnswer(exchange, id)
        const failed = toolError(message, answer)
        if (failed) throw failed
        return answer
      })
      const agreed = message.method === 'initialize' ? begin(exchange, result) : undefined
      const without = held === undefined ? ', without a token' : ''
      yield walk.step(shownAs, {
        exchange,
        checks: [
          check(
            'answer',
            true,
            'MCP 2026-07-28 Transport §2',
            exchange.response ? mediaType(exchange.response) : '',
          ),
          ...(held === undefined
            ? []
            : [check('accepted', true, 'MCP 2026-07-28 Authorization §9.1', 'token in the header')]),
        ],
        note: `${noteOf(message, result)}${without}`,
      })
      if (agreed !== undefined && agreed !== revision) {
        revision = agreed
        learn(agreed)
      }
      asked = true
      return undefined
    }
  }

  /** @throws OAuthError for a revision that this client does not speak */
  function begin(exchange: Exchange, { protocolVersion }: Readonly<Record<string, unknown>>): Revision {
    session = sessionIn(exchange)
    const agreed = revisionNamed(protocolVersion)
    if (agreed !== undefined && !RULES[agreed].stateless) return agreed
    throw new OAuthError('mcp_error', {
      description: `the MCP server speaks ${String(protocolVersion)}, which this client does not`,
      rule: 'MCP 2025-11-25 Lifecycle §1.1',
    })
  }

  return async function* talk(): Steps<TokenResponse | undefined> {
    for (;;) {
      let other: Revision | undefined
      for (const turn of turnsOf(revision, wanted)) {
        other = yield* take(turn)
        if (other !== undefined) break
      }
      if (other === undefined) return held?.tokens
      changes += 1
      session = undefined
      revision = other
      learn(other)
    }
  }
}
