/** The meaning of a line that was typed while a lesson waits. */
export type Action =
  | { readonly do: 'quit' | 'hint' | 'solution' | 'explain' | 'check' }
  | { readonly do: 'answer'; readonly text: string }
  /** Runs the learner's own client against the probe. */
  | { readonly do: 'probe'; readonly command: readonly string[] }
  /** Runs oauth-lab with these arguments. */
  | { readonly do: 'run'; readonly args: readonly string[] }
  | { readonly do: 'say'; readonly text: string }

const KEYS: Readonly<Record<string, Action>> = {
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
const SHELL = /[|&;<>`$]/

/** The first words of lines for a shell that a task shows, and of those that people type for it. */
const FOR_SHELL = /^(?:bash|cd|curl|eval|export|go|node|npm|npx|openssl|python3?|sh)\s/

/** The words of a line, without their quotes; undefined for a quote without its end. */
function wordsOf(line: string): string[] | undefined {
  const words = [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+|['"]/g)].map(([word]) => word)
  if (words.some(word => word === "'" || word === '"')) return undefined
  return words.map(word => word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double))
}

/** The meaning of `oauth-lab learn …`, which people copy from a task. */
function learnLine([subcommand = '', ...args]: readonly string[]): Action {
  if (subcommand === 'new' || subcommand === 'list' || subcommand === 'progress') {
    return { do: 'run', args: ['learn', subcommand, ...args] }
  }
  if (subcommand === 'answer') return { do: 'answer', text: args.join(' ') }
  if (subcommand === 'check') {
    const [first = '', ...rest] = args
    if (first === '--') return { do: 'probe', command: rest }
    if (first === '--answer') return { do: 'answer', text: rest.join(' ') }
    if (first.startsWith('--answer=')) return { do: 'answer', text: [first.slice(9), ...rest].join(' ') }
    return { do: 'check' }
  }
  const key = KEYS[subcommand]
  if (key !== undefined && subcommand !== '') return key
  return { do: 'say', text: 'You are in learn already. h gives a hint, s the solution, q ends it.' }
}

/**
 * Reads a line that was typed while a lesson waits.
 * @param probes true when the task runs the learner's own client, so that a line may be its command
 */
export function actionOf(line: string, probes: boolean): Action {
  const typed = line.trim()
  const key = KEYS[typed.toLowerCase()]
  if (key !== undefined) return key
  const isOurs = /^oauth-lab(?:\s|$)/.test(typed)
  if (!isOurs && !probes) {
    const text =
      'Only lines of oauth-lab run here. Type this one in another terminal: its requests are seen here too.'
    return FOR_SHELL.test(typed) ? { do: 'say', text } : { do: 'answer', text: typed }
  }
  if (SHELL.test(typed)) {
    return { do: 'say', text: 'Lines with | & ; < > ` $ need a shell: type them in another terminal.' }
  }
  const words = wordsOf(typed)
  if (words === undefined) return { do: 'say', text: 'A quote has no end.' }
  if (!isOurs) return { do: 'probe', command: words }
  const [, command, ...args] = words
  return command === 'learn' ? learnLine(args) : { do: 'run', args: words.slice(1) }
}
