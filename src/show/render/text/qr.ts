/** The modules of a QR code with its margin, by row; true is dark. The code is square. */
export type QrCode = readonly (readonly boolean[])[]

/** The size of a terminal in characters. */
export interface QrSpace {
  readonly columns: number
  readonly rows: number
  /** True where only ASCII is drawn. */
  readonly ascii: boolean
}

/** Lines that stay free beside the drawing: the address under it, and what was printed before. */
const OTHER_LINES = 4

/** Longest address that is encoded, in bytes: the largest code holds 2,953 (ISO/IEC 18004, version 40-L). */
const MOST_BYTES = 2953

/** Encodes an address as a QR code; undefined for an address that no code holds. */
export async function qrCode(text: string): Promise<QrCode | undefined> {
  if (Buffer.byteLength(text) > MOST_BYTES) return undefined
  const { encode } = await import('uqr')
  return encode(text, { border: 2, ecc: 'L' }).data
}

/** Draws a code with light modules as blocks, two rows a line, as terminals are dark. */
export function drawQr(code: QrCode, ascii: boolean): readonly string[] {
  const isLight = (y: number, x: number) => code[y]?.[x] === false
  const places = code.map((_, i) => i)
  if (ascii) return places.map(y => places.map(x => (isLight(y, x) ? '##' : '  ')).join(''))
  return places
    .filter(y => y % 2 === 0)
    .map(y =>
      places
        .map(x => {
          const [upper, lower] = [isLight(y, x), isLight(y + 1, x)]
          if (upper) return lower ? '█' : '▀'
          return lower ? '▄' : ' '
        })
        .join(''),
    )
}

/** Draws an address as a QR code. Empty where the terminal is too small, because half a code is no code. */
export async function qrLines(text: string, { columns, rows, ascii }: QrSpace): Promise<readonly string[]> {
  const code = await qrCode(text)
  if (code === undefined) return []
  const lines = drawQr(code, ascii)
  const wide = code.length * (ascii ? 2 : 1)
  return wide > columns || lines.length + OTHER_LINES > rows ? [] : lines
}
