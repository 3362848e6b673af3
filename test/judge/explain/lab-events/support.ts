import type { Explanation } from '../../../../src/judge/explain/explanation.js'
import { explainSource } from '../../../../src/judge/explain/read/explain-source.js'
import type { Serving } from '../../../support/serve.js'
import { stream } from '../recording.js'

/** Explains events as a file has them, one a line. */
export function explainEvents(events: readonly object[]): Promise<Explanation> {
  return explainSource(stream(events.map(event => `${JSON.stringify(event)}\n`).join('')), 'lab.jsonl')
}

/** The events of a lab since there were `before` of them, after its first line. */
export async function eventsSince(lab: Serving, before: number): Promise<object[]> {
  return [lab.ready, ...(await lab.events()).slice(before)]
}

/** An explanation in few words: each conversation with its client, its person, its end and the entries of its findings. */
export function summary({ flows }: Omit<Explanation, 'verdict'>): string[] {
  return flows.map(({ conversation, findings }) => {
    const { kind, clientId = '-', username = '-', outcome } = conversation
    const found = findings.map(({ name, severity, entry }) => `${severity} ${name} ${entry}`)
    return [`${kind} ${clientId} ${username} ${outcome}`, ...found].join(', ')
  })
}

/** The first line of a lab. */
export const ready = {
  type: 'lab.ready',
  pid: 1,
  ca: 'ca.pem',
  urls: { authorization: 'https://lab.example', resource: 'https://api.example' },
}

/** Makes the events of a request: those in the middle, then its answer. */
export function request(
  number: number,
  answered: {
    readonly method?: string
    readonly path: string
    readonly status?: number
    readonly site?: string
  },
  ...events: readonly ({ readonly type: string } & Readonly<Record<string, unknown>>)[]
): object[] {
  const at = new Date(Date.parse('2026-03-01T10:00:00Z') + number * 1000).toISOString()
  const { method = 'POST', path, status = 200, site = 'authorization' } = answered
  const last = { type: 'request.answered', site, method, path, status, wireBytes: 0, bodyBytes: 0, ms: 2 }
  return [...events, last].map(({ type, ...members }) => ({ type, at, request: number, ...members }))
}

/** The events of a login by the code grant, from the request with this number. */
export function login(
  first: number,
  user: string,
  code: string,
  query = `client_id=web&state=${user}-123456&code_challenge=${user}-abcdef&code_challenge_method=S256`,
): object[] {
  const about = { client_id: 'web', username: user }
  const path = `/authorization?response_type=code&${query}`
  const asked = {
    type: 'authorization.requested',
    client_id: 'web',
    response_type: 'code',
    redirect_uri: 'https://app.example/cb',
    scope: 'openid',
    pkce: 'S256',
  }
  return [
    ...request(first, { method: 'GET', path }, asked, {
      type: 'login.shown',
      client_id: 'web',
      scope: 'openid',
    }),
    ...request(
      first + 1,
      { path, status: 302 },
      { type: 'login.succeeded', ...about },
      { type: 'code.issued', ...about, code, scope: 'openid', expires_in: 600 },
    ),
  ]
}

/** The events of a token request that brings tokens for a code. */
export function redemption(number: number, user: string, code: string): object[] {
  const about = { client_id: 'web', username: user }
  return request(
    number,
    { path: '/token' },
    { type: 'code.redeemed', ...about, code, scope: 'openid' },
    {
      type: 'token.issued',
      client_id: 'web',
      sub: user,
      grant_type: 'authorization_code',
      scope: 'openid',
      token_type: 'Bearer',
      aud: 'web',
      access_token: `eyJ0…${code.slice(-3)}`,
      jti: `jti-${code}`,
      expires_in: 3600,
      id_token: true,
    },
  )
}
