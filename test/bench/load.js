import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { Connection } from './connection.js'
import { basic, renewing, service, web } from './server.js'
import { quantile } from './statistics.js'

/** One request for each connection, sent again and again; `parts` as `message` takes them. */
const request =
  (target, parts, status = 200) =>
  connection => {
    const bytes = connection.message(target, parts)
    return () => connection.send(bytes, status)
  }

/** A client credentials request. */
export const tokenRequest = request('/token', {
  form: { grant_type: 'client_credentials', scope: 'records:read' },
  authorization: basic(service),
})

/** A request for `/resource` with a token. */
export const resourceRequest = token => request('/resource', { authorization: `Bearer ${token}` })

/** An access token of a lab, by client credentials. */
export async function accessToken(server, ca) {
  const connection = await Connection.open(server.url, ca)
  const { body } = await tokenRequest(connection)()
  connection.close()
  return JSON.parse(body).access_token
}

const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const authorizationRequest = client => ({
  response_type: 'code',
  client_id: client.client_id,
  redirect_uri: client.callback,
  scope: 'openid records:read',
  state: 'a-state',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
})

/** Redeems a code, and returns its tokens. */
async function redeem(connection, client, location) {
  const code = new URL(location).searchParams.get('code')
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.callback,
    code_verifier: verifier,
  }
  const bytes = connection.message('/token', { form, authorization: basic(client) })
  const tokens = JSON.parse((await connection.send(bytes, 200)).body)
  const signed = [tokens.access_token, tokens.id_token].every(each => each.split('.').length === 3)
  if (!signed) throw new Error('no JWT')
  return tokens
}

const alice = { username: 'alice', password: 'wonderland' }

/** The code flow against the lab: form, login, token request. Each run returns its tokens. */
export function labCodeFlow(connection, user = alice, client = web) {
  const target = `/authorization?${new URLSearchParams(authorizationRequest(client))}`
  const open = connection.message(target)
  return async () => {
    const page = await connection.send(open, 200)
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.body)?.[1]
    const { cookies } = page
    const login = connection.message(target, { form: { ...user, csrf }, cookies })
    return redeem(connection, client, (await connection.send(login, 302)).header('location'))
  }
}

/** Tokens of as many logins on a connection of their own. */
export async function loggedIn(server, ca, logins) {
  const connection = await Connection.open(server.url, ca)
  const flow = labCodeFlow(connection, alice, renewing)
  const all = []
  for (let i = 0; i < logins; i++) all.push(await flow())
  connection.close()
  return all
}

/** Refreshes: each takes the oldest of some tokens, and adds the token that it gets for that one. */
export const refreshRequest = tokens => connection => async () => {
  const form = { grant_type: 'refresh_token', refresh_token: tokens.shift() }
  const bytes = connection.message('/token', { form, authorization: basic(renewing) })
  tokens.push(JSON.parse((await connection.send(bytes, 200)).body).refresh_token)
}

/**
 * Requests that need no new signature, each with its job. A bare server answers them by the same bytes.
 * @param token an access token of a person, by the client `renewing`
 * @returns objects with name, target, job, and `verifies` where the answer takes one check of a signature
 */
export const plainRequests = token =>
  [
    { name: 'userinfo', target: '/userinfo', parts: { authorization: `Bearer ${token}` }, verifies: true },
    {
      name: 'introspection',
      target: '/introspection',
      parts: { form: { token }, authorization: basic(renewing) },
      verifies: true,
    },
    {
      name: '/par',
      target: '/par',
      parts: { form: authorizationRequest(web), authorization: basic(web) },
      status: 201,
    },
    { name: 'JWKS', target: '/.well-known/jwks.json' },
    { name: 'discovery', target: '/.well-known/openid-configuration' },
  ].map(({ parts = {}, status = 200, ...each }) => ({ ...each, job: request(each.target, parts, status) }))

/** Asks a lab once, and returns its answers for `Servers.bare`, by target. */
export async function record(server, ca, requests) {
  const connection = await Connection.open(server.url, ca)
  const answers = {}
  for (const { target, job, verifies = false } of requests) {
    const { status, head, body } = await job(connection)()
    const lines = head
      .split('\r\n')
      .slice(1)
      .map(line => line.split(/: (.*)/).slice(0, 2))
    // Node writes these itself.
    const headers = lines.filter(([name]) => !/^(date|connection|keep-alive)$/i.test(name)).flat()
    answers[target] = { status, headers, body, verifies }
  }
  connection.close()
  return answers
}

/** The code flow against oidc-provider: login form and consent form, each between two redirects; token request. */
export function oidcProviderCodeFlow(connection) {
  const path = location => location.replace(/^https:\/\/[^/]*/, '')
  return async () => {
    const jar = new Map()
    const send = async (target, status, form) => {
      const bytes = connection.message(target, { form, cookies: [...jar.values()] })
      const answer = await connection.send(bytes, status)
      for (const pair of answer.cookies) jar.set(pair.slice(0, pair.indexOf('=')), pair)
      return answer
    }
    /** Shows and sends the form that a redirect leads to; returns where the next one leads. */
    const prompt = async (asked, form) => {
      const target = path(asked.header('location'))
      await send(target, 200)
      return send(path((await send(target, 303, form)).header('location')), 303)
    }
    const login = { prompt: 'login', login: 'alice', password: 'wonderland' }
    const query = new URLSearchParams(authorizationRequest(web))
    const consent = await prompt(await send(`/auth?${query}`, 303), login)
    const answer = await prompt(consent, { prompt: 'consent' })
    await redeem(connection, web, answer.header('location'))
  }
}

/**
 * Repeats a job on each of some connections, for some time.
 * @param server as `Servers` starts it
 * @param {object} how
 * @param how.ca PEM
 * @param {number} how.connections
 * @param {(connection: Connection) => () => Promise<unknown>} how.job
 * @param {(done: number) => boolean} how.goesOn called before each
 * @returns what it took: jobs a second, CPU microseconds of the server a job, p99 of their times in milliseconds
 */
export async function load(server, { ca, connections, job, goesOn }) {
  const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(server.url, ca)))
  const times = []
  try {
    const before = await server.usage()
    const start = performance.now()
    await Promise.all(
      opened.map(async connection => {
        const run = job(connection)
        while (goesOn(times.length)) {
          const from = performance.now()
          await run()
          times.push(performance.now() - from)
        }
      }),
    )
    const seconds = (performance.now() - start) / 1000
    const { cpu } = await server.usage()
    return {
      rate: times.length / seconds,
      cpu: (cpu - before.cpu) / times.length,
      p99: quantile(times, 0.99),
    }
  } finally {
    for (const connection of opened) connection.close()
  }
}

/** For `goesOn`: until so many milliseconds are over, from the first question on. */
export function during(milliseconds) {
  let end
  return () => {
    end ??= performance.now() + milliseconds
    return performance.now() < end
  }
}
