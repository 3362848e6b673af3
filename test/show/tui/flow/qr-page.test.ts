import { describe, expect, it } from 'vitest'
import { drawQr } from '../../../../src/show/render/text/qr.js'
import type { Action } from '../../../../src/show/tui/flow/actions.js'
import { commandOf } from '../../../../src/show/tui/flow/keymap.js'
import { deviceAddress, deviceCode } from '../../../../src/show/tui/flow/qr-page.js'
import { GRANTED, KEYS_STEP } from '../steps.js'
import { DEVICE_URL, deviceRecord, deviceStep, modulesOf, qrShown } from './device.js'
import { acted, draw, stateAfter } from './draw.js'

const asked = acted(stateAfter(0), deviceRecord())
const shown = acted(asked, qrShown)
const sizes = [
  { columns: 60, rows: 20 },
  { columns: 80, rows: 24 },
  { columns: 100, rows: 30 },
]

async function drawn(url: string, size: { columns: number; rows: number }, ascii = false): Promise<string> {
  const state = acted(stateAfter(0), deviceRecord(url))
  return draw(acted(state, { type: 'qr', qr: await deviceCode(state) }), size, { ascii })
}

describe('the QR code of a device', () => {
  it('is offered once the server sent an address', () => {
    expect(deviceAddress(stateAfter(3))).toBeUndefined()
    expect(commandOf('c', stateAfter(3))).toBeUndefined()
    expect(deviceAddress(asked)).toEqual({ url: DEVICE_URL, note: deviceStep().note })
    expect(commandOf('c', asked)).toBe('camera')
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
    expect(commandOf('enter', shown)).toBeUndefined()
    expect(['c', 'esc', 'q', 'ctrl-c'].map(key => commandOf(key, shown))).toEqual([
      ...['camera', 'back', 'leave', 'interrupt'],
    ])
  })

  it.each<[string, Action, boolean]>([
    ['while the device waits', { type: 'record', run: 1, record: { ...KEYS_STEP, repeats: true } }, true],
    ['until a step is done', { type: 'record', run: 1, record: KEYS_STEP }, false],
    ['until the flow ends', { type: 'record', run: 1, record: GRANTED }, false],
    [
      'until a login is asked for',
      { type: 'ask', prompt: { clientId: 'demo' }, suggested: undefined },
      false,
    ],
    ['until no answer came', { type: 'noAnswer', why: 'ECONNREFUSED' }, false],
    ['until the flow is started again', { type: 'restart' }, false],
  ])('stays %s', (_when, action, stays) => {
    expect(acted(shown, action).qr !== undefined).toBe(stays)
  })
})
