import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Lab, startLab } from '../../src/index.js'

const labs: Record<'asks' | 'asksNot', Lab | undefined> = { asks: undefined, asksNot: undefined }
beforeAll(async () => {
  labs.asks = await startLab({ config: { resource: { introspection: true } } })
  labs.asksNot = await startLab()
})
afterAll(async () => {
  await labs.asks?.stop()
  await labs.asksNot?.stop()
})

it.each([
  ['asks', 'asked: active, in a signed response', 401],
  ['asksNot', 'not asked: a revoked token is accepted until it expires', 200],
] as const)('the resource server of a lab that %s', async (name, detail, status) => {
  const lab = labs[name]!
  const { access_token } = await lab.login({ client: 'demo-spa', user: 'alice' })
  const headers = { authorization: `Bearer ${access_token}` }
  const show = () => lab.fetch(`${lab.urls.resource}/resource`, { headers })
  const { decided } = (await (await show()).json()) as { decided: { checks: object[] } }
  expect(decided.checks.at(-1)).toMatchObject({ name: 'revocation', ok: true, detail })
  await lab.fetch(`${lab.issuer}/revocation`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token: access_token, client_id: 'demo-spa' }).toString(),
  })
  expect((await show()).status).toBe(status)
})
