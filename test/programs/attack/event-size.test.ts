import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Lab, startLab } from '../../../src/index.js'

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

it.each([
  ['two-byte', 'é'],
  ['control', '%01'],
  ['plain', 'a'],
])('20 resources of 2,048 %s characters make no event of 8 kB', async (_kind, character) => {
  const resource = `https://api.example/${character.repeat(2048 / character.length)}`.slice(0, 2048)
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo-service',
    client_secret: 'demo-service-secret-0123456789abcdef01',
  })
  for (let i = 0; i < 20; i++) body.append('resource', resource)
  const answered = lab.events.next('request.answered')
  await lab.fetch(`${lab.issuer}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: body.toString(),
  })
  const { request } = await answered
  const events = lab.events.past().filter(each => each.request === request)
  expect(events.length).toBeGreaterThan(1)
  for (const event of events) {
    expect(Buffer.byteLength(JSON.stringify(event)), event.type).toBeLessThan(8192)
  }
})
