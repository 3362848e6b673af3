/** The signs a screen draws with. None of them has an emoji form, so that every terminal gives them one column. */
export interface Signs {
  readonly ascii: boolean
  readonly done: string
  readonly now: string
  readonly next: string
  readonly refused: string
  /** Look here: not refused, but worth reading. */
  readonly look: string
  readonly arrowRight: string
  readonly arrowLeft: string
  readonly solid: string
  readonly dotted: string
  readonly vertical: string
  readonly corners: readonly [topLeft: string, topRight: string, bottomLeft: string, bottomRight: string]
  readonly ellipsis: string
  readonly to: string
  readonly both: string
  readonly from: string
  readonly dot: string
  readonly hidden: string
  readonly caret: string
}

const unicode: Signs = {
  ascii: false,
  done: '✓',
  now: '●',
  next: '○',
  refused: '✗',
  look: '!',
  arrowRight: '►',
  arrowLeft: '◄',
  solid: '─',
  dotted: '┄',
  vertical: '│',
  corners: ['╭', '╮', '╰', '╯'],
  ellipsis: '…',
  to: '→',
  both: '⇄',
  from: '←',
  dot: '·',
  hidden: '•',
  caret: '▏',
}

const ascii: Signs = {
  ascii: true,
  done: '+',
  now: '*',
  next: 'o',
  refused: 'x',
  look: '!',
  arrowRight: '>',
  arrowLeft: '<',
  solid: '-',
  dotted: '.',
  vertical: '|',
  corners: ['+', '+', '+', '+'],
  ellipsis: '...',
  to: '->',
  both: '<>',
  from: '<-',
  dot: '-',
  hidden: '*',
  caret: '_',
}

/** The signs for a terminal: all of them, or those of ASCII alone (`--ascii`, `TERM=linux`, no UTF-8). */
export function signsFor(options: { readonly ascii: boolean }): Signs {
  return options.ascii ? ascii : unicode
}
