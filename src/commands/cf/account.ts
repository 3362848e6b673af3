import type { Exchange } from '../../protocol/http/exchange.js'
import type { ApiAccess, ApiRequest } from '../../servers/cloudflare/client/service.js'
import { verify } from '../../servers/cloudflare/client/verify.js'
import type { Hook } from '../../servers/cloudflare/client/webhook/poster.js'
import { allZones } from '../../servers/cloudflare/client/zones.js'
import { writeText } from '../../session/output/writer.js'
import { type DnsAccount, type DnsUse, dnsAccount } from '../../session/targets/account.js'
import { withTarget } from '../../session/targets/target.js'
import { dnsVerifyLines, ZONE_COLUMNS, zoneTable } from '../../show/render/dns/dns-lines.js'
import { listText } from '../../show/render/text/list-text.js'
import { signsFor } from '../../show/render/text/signs.js'
import { narrate, print, printJson } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import { type AccountFlags, type ListForm, listFormOf } from './options.js'

/** Works with the account that the options name. @throws UsageError, and what `work` throws */
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

/** Prints each exchange with the API on stderr, with the equal curl command. */
async function httpNarrator({ showSecrets, cacert }: Globals) {
  const { httpLines } = await import('../../show/render/kubernetes/http-lines.js')
  const { dnsCurlLine } = await import('../../show/render/curl/dns-curl.js')
  return (exchange: Exchange, request: ApiRequest, access: ApiAccess) => {
    for (const line of httpLines(exchange, { showSecrets })) narrate(line)
    narrate(`# curl     ${dnsCurlLine(access, exchange.request, request, { showSecrets, cacert })}`)
    narrate('')
  }
}

/** Prints each post to a chat on stderr. The address of the webhook is in no line, with `--show-secrets` either. */
export async function hookNarrator(hook: Hook) {
  const { httpLines } = await import('../../show/render/kubernetes/http-lines.js')
  const { hookCurlLine } = await import('../../show/render/curl/dns-curl.js')
  return (exchange: Exchange) => {
    const { request } = exchange
    const hidden: Exchange = { ...exchange, request: { ...request, url: 'https://…/…' } }
    for (const line of httpLines(hidden, { showSecrets: false })) narrate(hook.hide(line))
    narrate(`# curl     ${hookCurlLine(request)}`)
    narrate('')
  }
}

/** `cf zones`: the zones that the credentials reach. */
export async function listZones(
  flags: AccountFlags & { readonly output?: ListForm },
  globals: Globals,
): Promise<void> {
  const form = listFormOf(flags.output, globals)
  const zones = await withAccount(flags, globals, ({ service }) => allZones(service))
  if (form === 'table' || form === 'bind') print(zoneTable(zones).join('\n'))
  else writeText(listText(form, zones, ZONE_COLUMNS))
}

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
