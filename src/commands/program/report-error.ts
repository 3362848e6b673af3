import { labHome } from '../../lab/state/home.js'
import { UserError } from '../../protocol/errors.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { narrate } from '../output/output.js'
import { EXIT } from './exit.js'

/** Most characters of an error, with its next moves. */
const MOST = 400

/** Most characters of its first line. */
const MOST_FIRST = 280

/** Returns a text without its middle where it is too long: the beginning and the end of a message say most. */
function shortened(text: string, most: number): string {
  const half = Math.floor((most - 1) / 2)
  return text.length <= most
    ? text
    : `${text.slice(0, half).toWellFormed()}…${text.slice(-half).toWellFormed()}`
}

/** The lines of an error: what happened, and as many of the next moves as there is room for. */
function errorLines(message: string, hints: readonly string[] = [], label = 'oauth-lab'): string[] {
  const lines = [shortened(`${label}: ${makeSafe(message)}`, MOST_FIRST)]
  let left = MOST - lines[0]!.length
  for (const hint of hints) {
    const line = `  ${makeSafe(hint)}`
    // The first one may be a line of a file; a command that is cut would not run.
    const next = lines.length === 1 && hints[1] !== undefined ? makeSafe(hints[1]).length + 3 : 0
    const shown = lines.length === 1 ? shortened(line, Math.max(left - 1 - next, 60)) : line
    if (shown.length + 1 > left) continue
    lines.push(shown)
    left -= shown.length + 1
  }
  return lines
}

const print = (message: string, hints?: readonly string[], label?: string): void =>
  narrate(errorLines(message, hints, label).join('\n'))

/** The stack goes into a file, and to the terminal only when asked for. */
async function reportBug(error: unknown): Promise<void> {
  const what = error instanceof Error ? `${error.name}: ${error.message}`.split('\n', 1)[0]! : String(error)
  const { writeCrashReport } = await import('../../lab/state/crash-report.js')
  const file = await writeCrashReport(labHome(), error).catch(() => undefined)
  print(`a bug in oauth-lab: ${what}`, file === undefined ? [] : [`Report:  ${file}`])
  if (process.env.OAUTH_LAB_DEBUG === '1' && error instanceof Error) {
    const { inSourceTerms } = await import('../../lab/listening/source-stack.js')
    narrate(inSourceTerms(error.stack ?? what))
  }
}

/** Reports an error on stderr. @returns the exit code for it */
export async function reportError(error: unknown): Promise<number> {
  if (error instanceof UserError) {
    print(error.message, error.hints, error.label)
    return EXIT[error.kind]
  }
  if (error instanceof OAuthError) {
    print(error.message, [`Rule:  ${error.rule}`])
    return EXIT.refused
  }
  await reportBug(error)
  return EXIT.bug
}
