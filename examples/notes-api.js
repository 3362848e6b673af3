// What the examples test: an API that asks its authorization server whose a token is.
import { createServer } from 'node:http'

/**
 * @param {{ issuer: string, fetch?: typeof globalThis.fetch }} options
 * @returns {import('node:http').Server}
 */
export function createNotesApi({ issuer, fetch = globalThis.fetch }) {
  return createServer(async (request, response) => {
    const { authorization = '' } = request.headers
    const answer = await fetch(`${issuer}/userinfo`, { headers: { authorization } }).catch(() => undefined)
    if (answer === undefined || answer.status >= 500) return response.writeHead(502).end()
    if (!answer.ok) return response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    const { sub } = /** @type {{ sub: string }} */ (await answer.json())
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ notesOf: sub }))
  })
}
