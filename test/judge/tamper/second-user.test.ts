import { describe, expect, it } from 'vitest'
import { createHeadlessAgent } from '../../../src/client/headless.js'
import { answerOnce } from '../../../src/client/known-login.js'
import { flows } from '../../../src/flows/flows.js'
import type { Outcome } from '../../../src/flows/step.js'
import { tamperedFlow } from '../../../src/judge/tamper/tampered-flow.js'
import {
  bytes,
  type HttpRequest,
  type HttpResponse,
  header,
  text,
} from '../../../src/protocol/http/message.js'
import { collect, ISSUER, outcomeIn, type Tamper, type World, world } from '../../flows/support/world.js'
import { move } from './named-move.js'
import { situationOf, tamperPorts } from './support.js'

const alice = { username: 'alice', password: 'wonderland' }
const bob = { username: 'bob', password: 'builder' }

/** Names bob in id_token_hint, and logs in as alice. */
async function hinted(here: World, first = alice, second = bob): Promise<Outcome> {
  const { callback, wanted } = here
  const as = (user: typeof alice) => (send: World['send']) =>
    createHeadlessAgent({ send, askLogin: answerOnce(user), callback })
  const ports = { ...tamperPorts(here), agentWith: as(first), secondAgentWith: as(second) }
  return outcomeIn(
    await collect(tamperedFlow(ports, wanted, move('other-user-hint'), situationOf(wanted), flows.code)),
  )
}

/** The form of an honest request, shown again where the strict server answers login_required. */
const formAgain = (): Tamper => {
  let form: HttpResponse | undefined
  return ({ method, url }: HttpRequest, answer) => {
    if (method === 'GET' && url.includes('id_token_hint=')) form = answer
    const refused = header(answer, 'location')?.includes('error=login_required')
    if (!refused || form === undefined) return undefined
    return {
      ...form,
      body: bytes(text(form.body).replace('<form', '<p role="alert">Log in as bob.</p><form')),
    }
  }
}

describe('an id_token_hint that names another user than the one who logs in', () => {
  it('is an ID token about the second user, in an OpenID request, and is refused', async () => {
    const asked: URLSearchParams[] = []
    const here = await world({
      scope: 'records:read',
      tamper: ({ method, url }) => {
        if (method === 'GET' && url.startsWith(`${ISSUER}/authorization?`))
          asked.push(new URL(url).searchParams)
        return undefined
      },
    })
    expect(await hinted(here)).toMatchObject({
      outcome: 'refused',
      expected: true,
      error: { error: 'login_required', rule: 'OpenID Connect Core §3.1.2.2' },
    })
    const [honest, wrong] = asked
    expect(honest?.has('id_token_hint')).toBe(false)
    const claims = (wrong?.get('id_token_hint') ?? '').split('.')[1] ?? ''
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ sub: 'bob' })
    expect(wrong?.get('scope')).toBe('openid records:read')
  })

  it('is refused as well where the form comes again, if the same person can log in otherwise', async () => {
    const outcome = await hinted(await world({ tamper: formAgain() }))
    expect(outcome).toMatchObject({
      expected: true,
      tamper: { found: expect.stringContaining('an error page') },
    })
  })

  it('proves nothing where the first user cannot log in at all', async () => {
    const outcome = await hinted(await world(), { ...alice, password: 'wrong' })
    expect(outcome).toMatchObject({ expected: false, error: { error: 'login_failed' } })
    expect(outcome.tamper).not.toHaveProperty('found')
  })

  it('cannot be made where the second user cannot log in', async () => {
    const outcome = await hinted(await world(), alice, { ...bob, password: 'wrong' })
    expect(outcome).toMatchObject({ outcome: 'failed', error: { error: 'login_failed' } })
    expect(outcome.error?.error_description).toContain('the second user got no ID token')
  })

  it('does not apply where no ID token is issued', async () => {
    const tamper: Tamper = ({ url }, answer) => {
      if (!url.endsWith('/token') || answer.status !== 200) return undefined
      const { id_token: _, ...rest } = JSON.parse(text(answer.body)) as Record<string, unknown>
      return { ...answer, body: bytes(JSON.stringify(rest)) }
    }
    const outcome = await hinted(await world({ tamper }))
    expect(outcome.outcome).toBe('failed')
  })
})
