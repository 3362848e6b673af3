import { UsageError } from '../../protocol/errors.js'
import {
  type AuthorizationDetails,
  parseAuthorizationDetails,
} from '../../protocol/oauth/authorization-details.js'
import { readInputFile } from '../input/input-file.js'

const EXAMPLE = '[{ "type": "account_information", "actions": ["list_accounts"] }]'

/**
 * Reads `--authorization-details`: JSON, or the name of a file after `@`. The server judges the types and their members.
 * @throws UsageError
 */
export async function askedDetails(given: string | undefined): Promise<AuthorizationDetails | undefined> {
  if (given === undefined) return undefined
  const file = given.startsWith('@') ? given.slice(1) : undefined
  const text = file === undefined ? given : await readInputFile('the authorization details', file)
  const read = parseAuthorizationDetails(text)
  if ('details' in read) return read.details
  const name = file === undefined ? '' : ` ${given}`
  throw new UsageError(`--authorization-details${name}: ${read.problem} (RFC 9396 §2)`, [
    `It looks like:  --authorization-details '${EXAMPLE}'`,
  ])
}
