import type { Command } from 'commander'
import { verify } from '../../cloudflare/client/verify.js'
import { dnsVerifyLines } from '../../render/dns-verify.js'
import { signsFor } from '../../render/signs.js'
import { readGlobals } from '../globals.js'
import { print, printJson } from '../output.js'
import { withService } from './target.js'
import type { TargetFlags } from './target-options.js'

/** `cf verify`: which credentials these are, what they reach, how much of the rate budget is left. */
export async function verifyCredentials(flags: TargetFlags, command: Command): Promise<void> {
  const globals = readGlobals(command)
  await withService(flags, globals, async ({ service, zone }) => {
    // A zone that was named is one they have to reach.
    if (flags.zone !== undefined) await zone()
    const verified = await verify(service)
    if (globals.json) return printJson(verified)
    print(...dnsVerifyLines(verified, signsFor(globals)))
  })
}
