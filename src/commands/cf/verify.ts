import { verify } from '../../servers/cloudflare/client/verify.js'
import { dnsVerifyLines } from '../../show/render/dns/dns-verify.js'
import { signsFor } from '../../show/render/text/signs.js'
import { print, printJson } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import { withAccount } from './account.js'
import type { AccountFlags } from './options.js'

/** `cf verify`: the credentials, the zones they reach, and the rest of the rate budget. */
export async function verifyCredentials(flags: AccountFlags, globals: Globals): Promise<void> {
  const verified = await withAccount(flags, globals, async ({ service, zone }) => {
    // The credentials have to reach a named zone.
    if (flags.zone !== undefined) await zone()
    return verify(service)
  })
  if (globals.json) printJson(verified)
  else print(...dnsVerifyLines(verified, signsFor(globals)))
}
