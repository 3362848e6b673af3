import { labHome } from '../../lab/state/home.js'
import { UserError } from '../../protocol/errors.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { narrate } from '../output/output.js'
import { EXIT } from './exit.js'

function print(message: string, hints: readonly string[] = [], label = 'oauth-lab'): void {
  const lines = [`${label}: ${makeSafe(message)}`, ...hints.map(hint => `  ${makeSafe(hint)}`)]
  narrate(lines.join('\n'))
}

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
