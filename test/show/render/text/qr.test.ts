import { encode } from 'uqr'
import { describe, expect, it } from 'vitest'
import { qrCode, qrLines } from '../../../../src/show/render/text/qr.js'

const URL_TEXT = 'https://id.example/device?user_code=WDJB-MJHT'
const wide = { columns: 100, rows: 50, ascii: false }

/** The modules of a drawing; true is dark. */
function modules(lines: readonly string[], ascii: boolean): boolean[][] {
  if (ascii) return lines.map(line => (line.match(/../g) ?? []).map(pair => pair === '  '))
  const half = (dark: readonly string[]) => (line: string) => [...line].map(sign => dark.includes(sign))
  return lines.flatMap(line => [half([' ', '▄'])(line), half([' ', '▀'])(line)])
}

describe('a QR code', () => {
  it.each([false, true])('has every module of the code, ASCII alone: %s', async ascii => {
    const { data, size } = encode(URL_TEXT, { border: 2, ecc: 'L' })
    expect(modules(await qrLines(URL_TEXT, { ...wide, ascii }), ascii).slice(0, size)).toEqual(data)
    if (ascii) expect((await qrLines(URL_TEXT, { ...wide, ascii })).join('')).toMatch(/^[# ]+$/)
  })

  it('is not drawn for an address that no code holds', async () => {
    expect(await qrCode('a'.repeat(2953))).toHaveLength(181)
    expect(await qrCode('a'.repeat(2954))).toBeUndefined()
    expect(await qrLines('é'.repeat(1500), { columns: 999, rows: 999, ascii: false })).toEqual([])
  })

  it('is not drawn where it does not fit', async () => {
    const { size } = encode(URL_TEXT, { border: 2, ecc: 'L' })
    expect(await qrLines(URL_TEXT, { ...wide, columns: size - 1 })).toEqual([])
    expect(await qrLines(URL_TEXT, { ...wide, rows: Math.ceil(size / 2) + 3 })).toEqual([])
    expect(await qrLines(URL_TEXT, { ...wide, columns: size * 2 - 1, ascii: true })).toEqual([])
    expect(await qrLines(URL_TEXT, { columns: 80, rows: 24, ascii: false })).not.toEqual([])
  })
})
