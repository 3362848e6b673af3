import { drawQr, type QrCode, qrCode } from '../../render/text/qr.js'
import type { Signs } from '../../render/text/signs.js'
import { foreign, type Line, line, span } from '../../render/text/spans.js'
import { wrap } from '../../render/text/text.js'
import { pageTitle } from '../screen/frame.js'
import { frameHeight, type Size } from '../screen/size.js'
import type { FlowState, ShownCode } from './state.js'

/** Fewest columns for the texts beside a code. */
const LEAST_TEXT = 20

/** Columns between a code and the texts beside it. */
const GAP = 2

/** The newest device authorization of the run: its address for another device (RFC 8628 §3.3.1), and the remark on it. */
export function deviceAddress({ steps }: Pick<FlowState, 'steps'>): Omit<ShownCode, 'code'> | undefined {
  const step = steps.findLast(({ name }) => name === 'device_authorization_request')
  return step?.url === undefined ? undefined : { url: step.url, note: step.note ?? '' }
}

/** Makes the code for the camera of another device; undefined before the server sent an address. */
export async function deviceCode(state: Pick<FlowState, 'steps'>): Promise<ShownCode | undefined> {
  const address = deviceAddress(state)
  return address && { ...address, code: await qrCode(address.url) }
}

/** True for an address that another device takes for its own. */
function isOwnAddress(url: string): boolean {
  return /^https?:\/\/(?:[^/]*\.)?(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?(?:\/|$)/i.test(url)
}

/** The sentence for a code that cannot be drawn; undefined for one that can. */
function whyNot(code: QrCode | undefined, taken: Size | undefined, room: Size): string | undefined {
  if (code === undefined || taken === undefined) return 'This address is too long for a QR code.'
  if (taken.columns <= room.columns && taken.rows <= room.rows) return undefined
  return `The QR code takes ${taken.columns} columns and ${taken.rows} lines; there are ${room.columns} and ${room.rows} for it. Make the terminal larger, or open the address on the other device.`
}

/** The page with the code: the texts beside it where they fit, else below as far as there are lines. */
export function qrPage({ url, note, code }: ShownCode, size: Size, signs: Signs): Line[] {
  const { columns } = size
  const rows = frameHeight(size) - 1
  const title = pageTitle('QR code', columns, signs)
  const drawn = code && drawQr(code, signs.ascii)
  const taken = code && drawn && { columns: code.length * (signs.ascii ? 2 : 1), rows: drawn.length }
  const problem = whyNot(code, taken, { columns, rows })
  const texts = [
    problem ?? 'Open the address with the camera of another device.',
    foreign(url, signs),
    foreign(note, signs),
    isOwnAddress(url) ? 'Only programs on this computer reach this address.' : '',
  ].filter(text => text !== '')
  const prose = (room: number): Line[] =>
    texts.flatMap((text, i) => [...(i > 0 ? [line('')] : []), ...wrap(text, room).map(part => line(part))])
  if (problem !== undefined || !drawn || !taken) {
    return [title, line(''), ...prose(columns - 2).map(each => [span(' '), ...each])]
  }
  const beside = columns - taken.columns - GAP
  const picture = drawn.map((text): Line => [span(text)])
  if (beside < LEAST_TEXT) return [title, ...picture, ...prose(columns - 2).map(each => [span(' '), ...each])]
  const text = prose(beside)
  return [title, ...picture.map((each, i): Line => [...each, span(' '.repeat(GAP)), ...(text[i] ?? [])])]
}
