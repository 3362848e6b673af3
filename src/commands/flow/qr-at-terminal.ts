import { qrLines } from '../../show/render/text/qr.js'

/** Draws addresses as QR codes on the terminal of stderr; undefined without a terminal. */
export function qrAtTerminal(ascii: boolean): ((url: string) => Promise<readonly string[]>) | undefined {
  const { isTTY, columns = 80, rows = 24 } = process.stderr
  return isTTY ? url => qrLines(url, { columns, rows, ascii }) : undefined
}
