/** The meaning of a line that was typed while a lesson waits. */
type Action =
  | { readonly do: 'quit' | 'hint' | 'solution' | 'explain' | 'check' }
  | { readonly do: 'answer'; readonly text: string }
  /** Runs the learner's own client against the probe. */
  | { readonly do: 'probe'; readonly command: readonly string[] }
  /** Runs oauth-lab with these arguments. */
  | { readonly do: 'run'; readonly args: readonly string[] }
  | ShellLine
  | { readonly do: 'say'; readonly text: string }

/** Runs a line by the shell of the person who typed it. */
interface ShellLine {
  readonly do: 'shell'
  readonly line: string
  /** True when a `!` in front asked for the whole terminal. */
  readonly whole?: true
}

const ACTIONS: Readonly<Record<string, Action>> = {
  '': { do: 'check' },
  q: { do: 'quit' },
  quit: { do: 'quit' },
  exit: { do: 'quit' },
  h: { do: 'hint' },
  hint: { do: 'hint' },
  s: { do: 'solution' },
  solution: { do: 'solution' },
  e: { do: 'explain' },
  explain: { do: 'explain' },
}

/** Characters that only a shell understands. */
const SHELL = /[|&;<>`$\n]/

/** Characters that only a shell understands, and that no answer has. */
const SURELY_SHELL = /[|;`>\n]|&&|\$[({]/

/** Programs that run a client, among others. */
const RUNNERS = /^(?:bash|bun|deno|go|java|node|npx|perl|php|python3?|ruby|sh)\s/

/** Programs that are no client, and files that are run by their path. */
const TOOLS =
  /^(?:(?:awk|base64|cat|cd|chmod|cp|curl|diff|echo|emacs|eval|export|git|grep|jq|kubectl|less|ls|mkdir|mv|nano|npm|nvim|openssl|printf|pwd|rm|sed|tail|vi|vim|which)(?:\s|$)|\.{1,2}\/|~\/)/

/** Programs that draw on the whole terminal. */
const DRAWS = /^(?:emacs|htop|less|man|micro|more|nano|nvim|pico|ssh|top|vi|view|vim)(?:\s|$)/

/** Lines that change their own shell alone. */
const FORGOTTEN = /^(?:(?:cd|eval|export)(?:\s[^;&|\n]*)?|\w+=(?:\$\(.*\)|\S*))$/

/** The meaning of a line for a shell. */
const shellLine = (line: string): Action =>
  FORGOTTEN.test(line)
    ? {
        do: 'say',
        text: 'Each line has a shell of its own, which ends with it: go on behind it, with ; in between. LAB, ISSUER, RESOURCE and CA name the lab here, and programs trust it.',
      }
    : { do: 'shell', line }

/** True for a line that needs the whole terminal: an editor, a pager, or one with `!` in front. */
export const wantsTerminal = ({ line, whole }: ShellLine): boolean => whole === true || DRAWS.test(line)

/** The words of a line, without their quotes; undefined for a quote without its end. */
function wordsOf(line: string): string[] | undefined {
  const words = [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+|['"]/g)].map(([word]) => word)
  if (words.some(word => word === "'" || word === '"')) return undefined
  return words.map(word => word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double))
}

/** The meaning of `oauth-lab learn …`, which people copy from a task. */
function learnLine([subcommand = '', ...args]: readonly string[]): Action {
  if (['new', 'list', 'progress', 'open', 'show', 'word'].includes(subcommand)) {
    return { do: 'run', args: ['learn', subcommand, ...args] }
  }
  if (subcommand === 'answer') return { do: 'answer', text: args.join(' ') }
  if (subcommand === 'check') {
    const [first = '', ...rest] = args[0] === '--watch' ? args.slice(1) : args
    if (first === '--') return { do: 'probe', command: rest }
    if (first === '--answer') return { do: 'answer', text: rest.join(' ') }
    if (first.startsWith('--answer=')) return { do: 'answer', text: [first.slice(9), ...rest].join(' ') }
    return { do: 'check' }
  }
  const key = ACTIONS[subcommand]
  if (key !== undefined && subcommand !== '') return key
  return { do: 'say', text: 'You are in learn already. h gives a hint, s the solution, q ends it.' }
}

/**
 * Reads a line that was typed while a lesson waits. A line of oauth-lab runs without a shell where it needs none.
 * @param probes true when the task runs the learner's own client, so that a line may be its command
 * @param asks true when the task asks a question, so that a line may be its answer
 */
export function actionOf(line: string, probes: boolean, asks = true): Action {
  const typed = line.trim()
  const key = ACTIONS[typed.toLowerCase()]
  if (key !== undefined) return key
  if (typed.startsWith('!')) return { do: 'shell', line: typed.slice(1).trim(), whole: true }
  if (!/^oauth-lab(?:\s|$)/.test(typed)) {
    if (SURELY_SHELL.test(typed) || TOOLS.test(typed)) return shellLine(typed)
    if (!probes) return asks && !RUNNERS.test(typed) ? { do: 'answer', text: typed } : shellLine(typed)
    const command = wordsOf(typed)
    return command === undefined || SHELL.test(typed) ? shellLine(typed) : { do: 'probe', command }
  }
  if (SHELL.test(typed)) return shellLine(typed)
  const words = wordsOf(typed)
  if (words === undefined) return { do: 'say', text: 'A quote has no end.' }
  const [, command, ...args] = words
  return command === 'learn' ? learnLine(args) : { do: 'run', args: words.slice(1) }
}
