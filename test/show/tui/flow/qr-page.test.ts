import { describe, expect, it } from 'vitest'
import { drawQr } from '../../../../src/show/render/text/qr.js'
import { ask, receive, restarted, unanswered } from '../../../../src/show/tui/flow/changes.js'
import { FLOW_KEYS } from '../../../../src/show/tui/flow/keys.js'
import { deviceAddress, deviceCode } from '../../../../src/show/tui/flow/qr-page.js'
import type { FlowState } from '../../../../src/show/tui/flow/state.js'
import { rowOf } from '../../../../src/show/tui/screen/key-rows.js'
import { by } from '../changes.js'
import { GRANTED, KEYS_STEP } from '../steps.js'
import { DEVICE_URL, deviceRecord, deviceStep, modulesOf, SHOWN_CODE } from './device.js'
import { acted, type Change, draw, stateAfter } from './draw.js'

const asked = acted(stateAfter(0), deviceRecord())
const shown = { ...asked, qr: SHOWN_CODE }
const acts = (key: string, state: FlowState): boolean => rowOf(FLOW_KEYS, key, state) !== undefined
const sizes = [
  { columns: 60, rows: 20 },
  { columns: 80, rows: 24 },
  { columns: 100, rows: 30 },
]

async function drawn(url: string, size: { columns: number; rows: number }, ascii = false): Promise<string> {
  const state = acted(stateAfter(0), deviceRecord(url))
  const qr = await deviceCode(state)
  return draw({ ...state, ...(qr && { qr }) }, size, { ascii })
}

describe('the QR code of a device', () => {
  it('is offered once the server sent an address', () => {
    expect(deviceAddress(stateAfter(3))).toBeUndefined()
    expect(acts('d', stateAfter(3))).toBe(false)
    expect(deviceAddress(asked)).toEqual({ url: DEVICE_URL, note: deviceStep().note })
    expect(acts('d', asked)).toBe(true)
  })

  it.each(sizes)('is drawn whole at $columns x $rows, with its address', size => {
    const lines = draw(shown, size).split('\n')
    for (const row of drawQr(modulesOf(), false)) {
      expect(lines.some(each => each.startsWith(row.trimEnd()))).toBe(true)
    }
    expect(lines.join('').replaceAll(/\s/g, '')).toContain('WDJB-MJHT')
    expect(lines.length).toBeLessThan(size.rows)
  })

  it('is explained where the terminal has no room for it', async () => {
    const text = (await drawn(DEVICE_URL, { columns: 80, rows: 24 }, true)).replaceAll(/\s+/g, ' ')
    expect(text).toContain('The QR code takes 66 columns and 33 lines; there are 80 and 22 for it.')
    expect(text).toContain(DEVICE_URL)
    expect(text).not.toContain('##')
  })

  it('is explained where no code holds the address', async () => {
    const text = await drawn(`https://id.example/${'a'.repeat(3000)}`, { columns: 100, rows: 30 })
    expect(text).toContain('This address is too long for a QR code.')
  })

  it.each([
    ['https://localhost:8443/device', true],
    ['http://127.0.0.1/device', true],
    ['https://[::1]:1/device', true],
    ['https://localhost.example/device', false],
    ['https://id.example/?at=localhost', false],
  ])('says that another device cannot open %s: %s', async (url, own) => {
    const text = (await drawn(url, { columns: 100, rows: 30 })).replaceAll(/[^\w ]|\s+/g, ' ')
    expect(/Only programs on this +computer reach this address/.test(text.replaceAll(/ +/g, ' '))).toBe(own)
  })

  it('has no control characters of a hostile address', async () => {
    const text = await drawn('https://id.example/\x1b]0;owned\x07', { columns: 100, rows: 30 })
    expect(text).not.toMatch(/[\x00-\x08\x0b-\x1f]/)
  })

  it('lets only the ways back and out through', () => {
    const keys = FLOW_KEYS.flatMap(row => row.keys).filter(key => acts(key, shown))
    expect(keys).toEqual(['d', '?', 'esc', 'q', 'Q', 'ctrl-c', 'ctrl-z'])
  })

  it.each<[string, Change, boolean]>([
    ['while the device waits', by(receive, { ...KEYS_STEP, repeats: true }), true],
    ['until a step is done', by(receive, KEYS_STEP), false],
    ['until the flow ends', by(receive, GRANTED), false],
    ['until a login is asked for', by(ask, { clientId: 'demo' }, undefined), false],
    ['until no answer came', by(unanswered, 'ECONNREFUSED'), false],
    ['until the flow is started again', by(restarted), false],
  ])('stays %s', (_when, change, stays) => expect(acted(shown, change).qr !== undefined).toBe(stays))
})
