/** Width and height of a character cell, and the space around the screen, in pixels. */
const CELL = { width: 8.4, height: 17 }
const MARGIN = 14

/** Classes of the SGR parameters that the screens use; others (39, 49) end a colour. */
const classes: Readonly<Record<string, string>> = { 1: 'b', 2: 'd', 31: 'r', 32: 'g', 33: 'y', 36: 'c' }

const style = `
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#e6eaf0;white-space:pre}
.d{fill:#9aa5b4}.b{font-weight:700}.r{fill:#ffb4ab}.g{fill:#7ee0a0}.y{fill:#f2cc60}.c{fill:#7fb0ff}
`

/** Characters that follow each other in one style. */
interface Run {
  readonly column: number
  readonly text: string
  readonly className: string
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Cuts the lines of a terminal into runs. A style goes on until the next escape sequence, also over ends of lines. */
function runsOf(screen: string): Run[][] {
  let active: string[] = []
  return screen.split('\n').map(line => {
    const runs: Run[] = []
    let column = 0
    for (const [, codes, text = ''] of line.matchAll(/\x1b\[([\d;]*)m|([^\x1b]+)/g)) {
      for (const code of codes?.split(';') ?? []) {
        const name = classes[code]
        if (code === '0' || code === '') active = []
        else if (code === '39') active = active.filter(each => 'bd'.includes(each))
        else if (name !== undefined) active = [...active, name]
      }
      // Blanks separate runs, so that each starts at its own column whatever the font.
      for (const word of text.matchAll(/\S+(?: \S+)*/g)) {
        runs.push({ column: column + word.index, text: word[0], className: active.join(' ') })
      }
      column += text.length
    }
    return runs
  })
}

function textElement({ column, text, className }: Run, row: number): string {
  const x = +(MARGIN + column * CELL.width).toFixed(1)
  const y = MARGIN + 13 + row * CELL.height
  const width = +(text.length * CELL.width).toFixed(1)
  const styled = className === '' ? '' : ` class="${className}"`
  return `<text x="${x}" y="${y}" textLength="${width}" lengthAdjust="spacingAndGlyphs"${styled}>${escaped(text)}</text>`
}

/**
 * Draws a terminal as SVG, on a ground of its own, so that it can be read on light and dark pages.
 * @param screen lines with SGR sequences
 */
export function terminalSvg(title: string, screen: string, columns: number): string {
  const rows = runsOf(screen)
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN)
  const height = rows.length * CELL.height + 2 * MARGIN
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style}</style>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10" fill="#11151b" stroke="#4a5665"/>`,
    ...rows.flatMap((runs, row) => runs.map(run => textElement(run, row))),
    '</svg>',
    '',
  ].join('\n')
}
