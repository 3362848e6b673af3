/** Terminals that cut or drop longer sequences are common; what is longer goes into a file alone. */
const MOST = 74_000

/** The control sequence that puts `text` on the terminal's clipboard (OSC 52); undefined where it is too long for one. */
export function clipboardSequence(text: string): string | undefined {
  const encoded = Buffer.from(text, 'utf8').toString('base64')
  return encoded.length > MOST ? undefined : `\x1b]52;c;${encoded}\x07`
}

/** Names that terminals give themselves which are known to take it, as they come without settings. */
const takers = /^(kitty|wezterm|ghostty|alacritty|foot|contour|rio|mintty)/i

/**
 * True when the terminal is known to put such a sequence on the clipboard. A multiplexer in between may keep it, and
 * some terminals ask first or ignore it; then nobody can know.
 */
export function takesClipboard(env: Readonly<Record<string, string | undefined>>): boolean {
  const { TERM = '', TERM_PROGRAM = '', TMUX, STY } = env
  if (TMUX !== undefined || STY !== undefined || /^(screen|tmux|linux|dumb)/.test(TERM)) return false
  return env.WT_SESSION !== undefined || takers.test(TERM_PROGRAM) || takers.test(TERM.replace(/^xterm-/, ''))
}
