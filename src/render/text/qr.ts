/** The size of a terminal in characters. */
export interface QrSpace {
  readonly columns: number
  readonly rows: number
  /** True where only ASCII is drawn. */
  readonly ascii: boolean
}

/** Lines that stay free beside the drawing: the address under it, and what was printed before. */
const OTHER_LINES = 4

/**
 * Draws an address as a QR code: light modules as blocks, two rows a line, as terminals are dark. Empty where the terminal
 * is too small, because half a code is no code.
 */
export async function qrLines(text: string, { columns, rows, ascii }: QrSpace): Promise<readonly string[]> {
  const { encode } = await import('uqr')
  const { data, size } = encode(text, { border: 2, ecc: 'L' })
  const [wide, high] = ascii ? [size * 2, size] : [size, Math.ceil(size / 2)]
  if (wide > columns || high + OTHER_LINES > rows) return []
  const isLight = (y: number, x: number) => data[y]?.[x] === false
  const places = Array.from({ length: size }, (_, i) => i)
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
