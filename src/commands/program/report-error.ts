import { labHome } from '../../lab/state/home.js'
import { UserError } from '../../protocol/errors.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { narrate, terminalColumns } from '../output/output.js'
import { EXIT } from './exit.js'

/** The layout is loaded for an error alone. */
async function print(message: string, hints?: readonly string[], label?: string): Promise<void> {
  const { errorLines } = await import('./error-lines.js')
  narrate(errorLines(message, hints, { label, columns: terminalColumns('stderr') }).join('\n'))
}

/** The stack goes into a file, and to the terminal only when asked for. */
async function reportBug(error: unknown): Promise<void> {
  const what = error instanceof Error ? `${error.name}: ${error.message}`.split('\n', 1)[0]! : String(error)
  const { writeCrashReport } = await import('../../lab/state/crash-report.js')
  const file = await writeCrashReport(labHome(), error).catch(() => undefined)
  await print(`a bug in oauth-lab: ${what}`, file === undefined ? [] : [`Report:  ${file}`])
  if (process.env.OAUTH_LAB_DEBUG === '1' && error instanceof Error) {
    const { inSourceTerms } = await import('../../lab/listening/source-stack.js')
    narrate(inSourceTerms(error.stack ?? what))
  }
}

/** Reports an error on stderr. @returns the exit code for it */
export async function reportError(error: unknown): Promise<number> {
  if (error instanceof UserError) {
    await print(error.message, error.hints, error.label)
    return EXIT[error.kind]
  }
  if (error instanceof OAuthError) {
    await print(error.message, [`Rule:  ${error.rule}`])
    return EXIT.refused
  }
  await reportBug(error)
  return EXIT.bug
}
