import { clipboardSequence } from './clipboard.js'
import type { Store } from './store.js'

/** The functions of a screen that take a text out of it. */
export interface FileOffers {
  /** Writes a file of about this name. @returns the name of the file; rejects when it cannot be written */
  readonly save: (name: string, text: string) => Promise<string>
  /** Writes a copied text, for terminals without a clipboard. @returns the name of the file */
  readonly keepCopy: (text: string) => Promise<string>
  /** True when the terminal is known to keep a clipboard. */
  readonly clipboard: boolean
}

/** The parts of a screen with a notice, a line about the last key. */
export interface NoticePorts {
  readonly store: Store<{ readonly notice?: string }, { readonly type: 'notice'; readonly text: string }>
  readonly offers: FileOffers
  /** Writes a control sequence that draws nothing. */
  readonly emit: (sequence: string) => void
}

/** The actions of keys that end in a notice. */
export interface Notices {
  readonly show: (text: string) => void
  readonly clear: () => void
  /** Shows the text that a promise brings, or the message of its error. Shows `meanwhile` until then. */
  readonly result: (work: Promise<string>, meanwhile?: string) => void
  /** Saves a text in a file of about this name. */
  readonly save: (name: string, text: string) => void
  /** Copies a text to the clipboard, or into a file when that may fail. `said` is the notice of a sure copy. */
  readonly copy: (text: string, said: string) => void
}

/** Creates the notices of a screen. */
export function createNotices({ store, offers, emit }: NoticePorts): Notices {
  const show = (text: string): void => store.dispatch({ type: 'notice', text })

  function result(work: Promise<string>, meanwhile?: string): void {
    if (meanwhile !== undefined) show(meanwhile)
    work.then(show, (error: unknown) => show(error instanceof Error ? error.message : String(error)))
  }

  function copy(text: string, said: string): void {
    const sequence = clipboardSequence(text)
    if (sequence !== undefined) emit(sequence)
    if (sequence !== undefined && offers.clipboard) {
      show(said)
      return
    }
    const unsure =
      sequence === undefined ? 'too long for a clipboard' : 'copied; if your terminal has no clipboard'
    result(offers.keepCopy(`${text}\n`).then(name => `${unsure}: it is in ${name}`))
  }

  return {
    show,
    clear() {
      if (store.get().notice !== undefined) show('')
    },
    result,
    save: (name, text) => result(offers.save(name, text).then(written => `written: ${written}`)),
    copy,
  }
}
