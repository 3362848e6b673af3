const ENTER = '\x1b[?1049h\x1b[2J\x1b[H\x1b[?25l\x1b[?2004h'
// Cleared first: tmux 3.3 otherwise moves lines of the alternate screen into the scrollback after a resize.
const LEAVE = '\x1b[2J\x1b[H\x1b[?2004l\x1b[?25h\x1b[?1049l'
const CLEAR = '\x1b[2J\x1b[H'
const ERASE_SCROLLBACK = '\x1b[3J'

/** The terminal as a screen borrows it: the alternate screen, and the way back. */
export interface Terminal {
  /** Stdout for Ink: never without a size, never erasing the scrollback. */
  readonly stdout: NodeJS.WriteStream
  /** Switches to the alternate screen, hides the cursor, asks for marks around pasted text. */
  readonly enter: () => void
  /** Undoes all of it; does nothing the second time. */
  readonly leave: () => void
}

/** Ink measures and writes through this; everything else is the terminal's own. */
function guard(stdout: NodeJS.WriteStream): NodeJS.WriteStream {
  const write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    const safe = typeof chunk === 'string' ? chunk.replaceAll(ERASE_SCROLLBACK, '') : chunk
    return Reflect.apply(stdout.write, stdout, [safe, ...rest]) as boolean
  }
  return new Proxy(stdout, {
    get(target, name) {
      if (name === 'write') return write
      if (name === 'columns') return target.columns || 80
      if (name === 'rows') return target.rows || 24
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Borrows a terminal. */
export function createTerminal(stdout: NodeJS.WriteStream): Terminal {
  let entered = false
  // A terminal that rewraps its lines leaves pieces behind; this clears them before Ink draws again.
  const clear = () => {
    if (entered) stdout.write(CLEAR)
  }
  return {
    stdout: guard(stdout),
    enter: () => {
      if (entered) return
      entered = true
      stdout.prependListener('resize', clear)
      stdout.write(ENTER)
    },
    leave: () => {
      if (!entered) return
      entered = false
      stdout.off('resize', clear)
      // A terminal that hung up takes nothing any more.
      if (!stdout.destroyed) stdout.write(LEAVE)
    },
  }
}
