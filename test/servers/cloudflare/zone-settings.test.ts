import { describe, expect, it } from 'vitest'
import { emulator, otherZone, zone } from './support.js'

const path = (id = '', of = zone) => `/client/v4/zones/${of}/settings${id && `/${id}`}`
type Shown = { id: string; value: unknown; modified_on: string | null; editable: boolean }

/** The emulator, with `patch` for one setting or several. */
function opened() {
  const { ask } = emulator()
  const patch = (id: string, body: object) => ask(path(id), { method: 'PATCH', body })
  const value = async (id: string, of = zone) => (await ask(path(id, of))).result<Shown>().value
  return { ask, patch, value }
}

describe('the settings of a zone', () => {
  it('change by PATCH, each zone on its own', async () => {
    const { ask, patch, value } = opened()
    const answer = await patch('ssl', { value: 'strict' })
    expect(answer.status).toBe(200)
    const changed = answer.result<Shown>()
    expect(changed).toMatchObject({ id: 'ssl', value: 'strict', editable: true })
    expect(changed.modified_on).toMatch(/^\d{4}-\d\d-\d\dT/)
    expect((await ask(path())).result<Shown[]>()).toContainEqual(changed)
    expect(await value('ssl', otherZone)).toBe('full')
  })

  it('accept every value that they have, and say false where PATCH is refused', async () => {
    const { ask, patch } = opened()
    for (const { id, value, editable } of (await ask(path())).result<Shown[]>()) {
      const answer = await patch(id, { value })
      const [status, code] = editable ? [200, undefined] : [400, 1057]
      expect([id, answer.status, answer.code]).toEqual([id, status, code])
    }
  })

  it.each<[string, unknown]>([
    ['ssl', 'on'],
    ['always_use_https', true],
    ['always_use_https', null],
    ['browser_cache_ttl', 1],
    ['browser_cache_ttl', '14400'],
    ['min_tls_version', 1.2],
    ['ciphers', 'AES'],
    ['ciphers', [1]],
    ['security_header', { strict_transport_security: { enabled: 'yes' } }],
    ['security_header', { strict_transport_security: { constructor: true } }],
    ['security_header', 'on'],
  ])('refuse %s = %j', async (id, value) => {
    const { patch, value: current } = opened()
    const before = await current(id)
    const answer = await patch(id, { value })
    expect([answer.status, answer.code]).toEqual([400, 1007])
    expect(await current(id)).toEqual(before)
  })

  it('keep the members of HSTS that a change leaves out', async () => {
    const { patch, value } = opened()
    const set = (member: object) => patch('security_header', { value: { strict_transport_security: member } })
    const first = { enabled: true, max_age: 86_400 }
    await set(first)
    await set({ nosniff: true })
    const rest = { include_subdomains: false, preload: false, nosniff: true }
    expect(await value('security_header')).toEqual({ strict_transport_security: { ...first, ...rest } })
  })

  it('change together, or not at all', async () => {
    const { patch, value } = opened()
    const good = { id: 'http3', value: 'off' }
    const answer = await patch('', { items: [good, { id: 'ssl', value: 'flexible' }] })
    expect(answer.result<Shown[]>().map(({ id, value: is }) => [id, is])).toEqual([
      ['http3', 'off'],
      ['ssl', 'flexible'],
    ])
    const beside = (other: unknown) => ({ items: [{ id: 'http3', value: 'on' }, other] })
    const wrong: [object, number][] = [
      [beside({ id: 'ssl', value: 1 }), 1007],
      [beside({ id: 'polish', value: 'on' }), 1057],
      [beside({ id: '__proto__', value: 'on' }), 1006],
      [beside(null), 1006],
      [{ http3: { value: 'on' } }, 1004],
    ]
    for (const [body, code] of wrong) expect((await patch('', body)).code).toBe(code)
    expect(await value('http3')).toBe('off')
  })
})
