import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { Connection } from './connection.js'
import { basic, service, web } from './server.js'
import { quantile } from './statistics.js'

/** A client credentials request on a connection. */
export function tokenRequest(connection) {
  const form = { grant_type: 'client_credentials', scope: 'records:read' }
  const bytes = connection.message('/token', { form, authorization: basic(service) })
  return () => connection.send(bytes, 200)
}

/** A request for `/resource` with a token. */
export function resourceRequest(connection, token) {
  const bytes = connection.message('/resource', { authorization: `Bearer ${token}` })
  return () => connection.send(bytes, 200)
}

/** An access token of a lab, by client credentials. */
export async function accessToken(server, ca) {
  const connection = await Connection.open(server.url, ca)
  const { body } = await tokenRequest(connection)()
  connection.close()
  return JSON.parse(body).access_token
}

const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const authorizationRequest = new URLSearchParams({
  response_type: 'code',
  client_id: web.client_id,
  redirect_uri: web.callback,
  scope: 'records:read',
  state: 'a-state',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
})

async function redeem(connection, location) {
  const code = new URL(location).searchParams.get('code')
  const form = { grant_type: 'authorization_code', code, redirect_uri: web.callback, code_verifier: verifier }
  const bytes = connection.message('/token', { form, authorization: basic(web) })
  const answer = await connection.send(bytes, 200)
  if (JSON.parse(answer.body).access_token.split('.').length !== 3) throw new Error('no JWT')
}

/** The code flow against the lab: form, login, token request. */
export function labCodeFlow(connection, username = 'alice', password = 'wonderland') {
  const target = `/authorization?${authorizationRequest}`
  const open = connection.message(target)
  return async () => {
    const page = await connection.send(open, 200)
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.body)?.[1]
    const { cookies } = page
    const login = connection.message(target, { form: { username, password, csrf }, cookies })
    await redeem(connection, (await connection.send(login, 302)).header('location'))
  }
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
    const consent = await prompt(await send(`/auth?${authorizationRequest}`, 303), login)
    const answer = await prompt(consent, { prompt: 'consent' })
    await redeem(connection, answer.header('location'))
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
