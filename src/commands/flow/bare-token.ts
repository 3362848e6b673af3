import type { Outcome } from '../../flows/step.js'
import { UsageError } from '../../protocol/errors.js'
import { narrate, printData } from '../output/output.js'
import { lineWriter, type WriteLine } from './flow-output.js'

/** The word of `-o` for the access token alone. A file of that name is `./token`. */
const BARE_TOKEN = 'token'

/** Refuses a second form of output beside the bare token. @throws UsageError */
export function checkBareToken(
  { output, export: format }: { readonly output?: string; readonly export?: string },
  json: boolean,
): void {
  if (output !== BARE_TOKEN || (!json && format === undefined)) return
  const other = json ? '--json' : `--export ${format}`
  throw new UsageError(`-o token prints the bare token, and ${other} another form`, [
    'Leave one out; for a file of that name write:  -o ./token',
  ])
}

/** Opens the output of a flow. Where the result is the bare token, steps go to stderr. @throws UsageError */
export function stepWriter(output: string | undefined): WriteLine {
  return output === BARE_TOKEN ? narrate : lineWriter(output)
}

/** Prints the access token of a flow that was granted, where that is the result. */
export function printBareToken(output: string | undefined, ending: Outcome | undefined): void {
  if (output !== BARE_TOKEN || ending?.outcome !== 'granted') return
  const { tokens } = ending
  if (tokens?.access_token) printData(tokens.access_token)
  else narrate('This flow ended without an access token.')
}
