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

/** How long a frame is seen, and how long the last one, in seconds. */
const SEEN = 1.6
const LAST_SEEN = 5

/** Shows one frame after the other, for ever. Who wants no motion sees the last one alone. */
function motion(count: number): string {
  const total = +((count - 1) * SEEN + LAST_SEEN).toFixed(1)
  const share = (seconds: number) => `${+((seconds / total) * 100).toFixed(2)}%`
  const rules = Array.from(
    { length: count - 1 },
    (_, i) => `.f${i}{animation-delay:${+(i * SEEN).toFixed(1)}s}`,
  )
  return [
    `.f{visibility:hidden;animation:f ${total}s step-end infinite}`,
    `.f${count - 1}{animation:l ${total}s step-end infinite}`,
    ...rules,
    `@keyframes f{0%{visibility:visible}${share(SEEN)}{visibility:hidden}}`,
    `@keyframes l{0%{visibility:hidden}${share((count - 1) * SEEN)}{visibility:visible}}`,
    `@media (prefers-reduced-motion:reduce){.f{animation:none}.f${count - 1}{visibility:visible}}`,
  ].join('')
}

/**
 * Draws screens of a terminal as SVG, one after the other, on a ground of its own, so that it can be read on light and dark pages.
 * @param screens lines with SGR sequences
 */
export function terminalSvg(title: string, screens: readonly string[], columns: number): string {
  const frames = screens.map(runsOf)
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN)
  const height = Math.max(...frames.map(rows => rows.length)) * CELL.height + 2 * MARGIN
  const drawn = frames.map(rows => rows.flatMap((runs, row) => runs.map(run => textElement(run, row))))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style}${motion(frames.length)}</style>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10" fill="#11151b" stroke="#4a5665"/>`,
    ...drawn.flatMap((texts, i) => [`<g class="f f${i}">`, ...texts, '</g>']),
    '</svg>',
    '',
  ].join('\n')
}
