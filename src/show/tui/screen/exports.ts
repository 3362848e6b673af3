import { clipboardSequence } from './clipboard.js'
import type { Controls, Front, Notice, Press } from './key-rows.js'
import { type Menu, opened, pressInMenu } from './menu.js'

/** The functions of a screen that take a text out of it. */
export interface FileOffers {
  /** Writes a file of about this name. @returns the name of the file; rejects when it cannot be written */
  readonly save: (name: string, text: string) => Promise<string>
  /** Writes a copied text, for terminals without a clipboard. @returns the name of the file */
  readonly keepCopy: (text: string) => Promise<string>
  /** True when the terminal is known to keep a clipboard. */
  readonly clipboard: boolean
}

/** A screen whose last line reports the result of a key. */
type Noticing<State> = Pick<Controls<State>, 'store'>

/** Shows a notice until the next key. */
export function notify<State extends Front>({ store }: Noticing<State>, notice: Notice): void {
  store.update(state => ({ ...state, notice }))
}

/** Shows the notice that a promise brings, or the message of its error. Shows `meanwhile` until then. */
export function report<State extends Front>(
  on: Noticing<State>,
  work: Promise<Notice>,
  meanwhile?: string,
): void {
  if (meanwhile !== undefined) notify(on, meanwhile)
  work.then(
    notice => notify(on, notice),
    (error: unknown) =>
      notify(on, { text: error instanceof Error ? error.message : String(error), good: false }),
  )
}

/** Copies a text to the clipboard, or into a file when that may fail. `said` is the notice of a sure copy. */
export function copyText<State extends Front>(
  on: Pick<Controls<State>, 'store' | 'emit'> & { readonly offers: FileOffers },
  text: string,
  said: string,
): void {
  const { emit, offers } = on
  const sequence = clipboardSequence(text)
  if (sequence !== undefined) emit(sequence)
  if (sequence !== undefined && offers.clipboard) {
    notify(on, said)
    return
  }
  const unsure =
    sequence === undefined ? 'too long for a clipboard' : 'copied; if your terminal has no clipboard'
  report(
    on,
    offers.keepCopy(`${text}\n`).then(name => `${unsure}: it is in ${name}`),
  )
}

/** Copies a command line to the clipboard of the terminal. The notice has the line, for terminals without one. */
export function copyLine<State extends Front>(
  on: Pick<Controls<State>, 'store' | 'emit'> & { readonly clipboard: boolean },
  line: string,
): void {
  on.emit(clipboardSequence(line) ?? '')
  notify(on, `${on.clipboard ? 'copied' : 'copied, if your terminal keeps a clipboard:'} ${line}`)
}

/** A file that a screen may write: its name, and the text that it would have now. */
export interface ExportFile<On> {
  readonly name: string
  readonly content: (on: On) => string
}

/** A form of an export: the key and the text of its item, the ending of its file, and why it is not to be had. */
export type ExportForm<On> = readonly [
  key: string,
  text: string,
  ending: string,
  content: (on: On) => string,
  off?: string | undefined,
]

/** The name of a file that a screen writes: `oauth-lab-flow-140311.har`, by the UTC time of day. */
export function fileName(screen: string, ending: string, now: number): string {
  return `oauth-lab-${screen}-${new Date(now).toISOString().slice(11, 19).replaceAll(':', '')}.${ending}`
}

/** The export menu of a screen. */
export function exportMenu<On>(
  screen: string,
  now: number,
  forms: readonly ExportForm<On>[],
): Menu<ExportFile<On>> {
  return {
    title: TITLE,
    items: forms.map(([key, text, ending, content, off]) => {
      const name = fileName(screen, ending, now)
      return { choice: { name, content }, key, text, about: `./${name}`, off }
    }),
  }
}

const TITLE = 'Export'

/** Opens the export menu. */
export const opensExports = {
  change: <State extends Front>(state: State): State => ({ ...state, menu: opened(TITLE, state) }),
}

/** Gives a key to the export menu. The chosen file is written. */
export function pressInExportMenu<State extends Front, Ports extends { readonly offers: FileOffers }>(
  on: Press<State, Ports>,
  menu: Menu<ExportFile<Press<State, Ports>>>,
): void {
  pressInMenu(on, menu, ({ choice: { name, content } }) =>
    report(
      on,
      on.offers.save(name, content(on)).then(written => `written: ${written}`),
    ),
  )
}
