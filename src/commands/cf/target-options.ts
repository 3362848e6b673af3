import { type Command, Option } from 'commander'
import { withGlobals } from '../globals.js'

/** Which service, as whom, and which zone of it. */
export interface TargetFlags {
  readonly apiUrl?: string
  readonly keyFile?: string
  readonly email?: string
  readonly tokenFile?: string
  readonly zone?: string
}

/** Adds the options of every command that speaks with the DNS and security-event API; `--zone` where it has one. */
export function withTarget(command: Command, { zone = true }: { readonly zone?: boolean } = {}): Command {
  const add = (flags: string, meaning: string) =>
    command.addOption(new Option(flags, meaning).helpGroup('Which service (default: the lab):'))
  add('--api-url <url>', 'at this address, with its /client/v4 [CLOUDFLARE_BASE_URL]')
  add('--key-file <file>', 'file with the API key; - reads stdin [CLOUDFLARE_API_KEY]')
  add('--email <address>', 'whose key it is [CLOUDFLARE_EMAIL]')
  add('--token-file <file>', 'file with an API token instead; - reads stdin [CLOUDFLARE_API_TOKEN]')
  if (zone)
    add(
      '--zone <name|id>',
      'default: the one the names are in, else the only one; of a lab the first [CLOUDFLARE_ZONE_ID]',
    )
  return withGlobals(command)
}
