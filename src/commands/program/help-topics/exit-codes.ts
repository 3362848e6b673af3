import { EXIT } from '../exit.js'

/** The meaning of each exit code. */
const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, readonly [what: string, example: string]>> = {
  done: ['done', 'tokens were granted, a file was written, a wrong move was refused as it should be'],
  refused: [
    'refused: a result, with the rule that was broken',
    'invalid_grant, a wrong audience, a token that does not verify, a failed lint',
  ],
  usage: [
    'usage: something was typed wrong, with the nearest right word',
    'an unknown client, a bad option, a broken lab file',
  ],
  transport: ['transport: there was no answer', 'a refused connection, a foreign certificate, a busy port'],
  bug: [
    'a bug of oauth-lab',
    'one line, and the path of a report with the stack; OAUTH_LAB_DEBUG=1 prints it',
  ],
  timeout: ['a wait was longer than --timeout', '--timeout 2m waits longer'],
  interrupted: ['interrupted by SIGINT', 'Ctrl-C'],
  terminated: ['ended by SIGTERM', 'kill, docker stop'],
}

/** The codes in their order, each with its name. */
export const exitCodes = (Object.entries(EXIT) as [keyof typeof EXIT, number][]).map(([name, code]) => ({
  code,
  what: EXIT_MEANINGS[name][0],
  example: EXIT_MEANINGS[name][1],
}))

/** `oauth-lab help exit-codes`. */
export function exitCodesTopic(): string[] {
  return [
    'Every command ends with one of these.',
    '',
    ...exitCodes.flatMap(({ code, what, example }) => [
      `  ${String(code).padStart(3)}  ${what}`,
      `       ${example}`,
    ]),
  ]
}
