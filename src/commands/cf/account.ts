import { type DnsAccount, type DnsUse, dnsAccount } from '../../session/targets/account.js'
import { withTarget } from '../../session/targets/target.js'
import { narrate } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import type { AccountFlags } from './options.js'
import { httpNarrator } from './show-http.js'

/**
 * Works with the account that the options name.
 * @throws UsageError, and what `work` throws
 */
export async function withAccount<Result>(
  flags: AccountFlags,
  globals: Globals,
  work: (account: DnsAccount) => Promise<Result>,
  use: Omit<DnsUse, 'narrate'> = {},
): Promise<Result> {
  const { apiUrl, keyFile, email, tokenFile, zone } = flags
  const named = { apiUrl, keyFile, email, tokenFile, zone }
  const seen = flags.showHttp ? await httpNarrator(globals) : undefined
  return withTarget(dnsAccount({ ...globals, ...named }, { narrate, seen, ...use }), work)
}

/** Says that a change ends with the lab of the command, when it does. */
export function narrateEnd({ embedded }: DnsAccount): void {
  if (embedded) narrate('That lab ended with this command. One that stays:   oauth-lab serve')
}
