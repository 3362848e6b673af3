import { type Command, Option } from 'commander'
import { UsageError } from '../../protocol/errors.js'
import type { DnsOptions } from '../../session/targets/dns-account.js'
import { examples } from '../program/examples.js'
import { type Globals, withGlobals } from '../program/globals.js'

/** The options that name the service, its credentials, and a zone. */
export interface AccountFlags
  extends Pick<DnsOptions, 'apiUrl' | 'keyFile' | 'email' | 'tokenFile' | 'zone'> {
  readonly showHttp?: true
}

/** Adds the options and the examples of every command of the DNS and security-event API; `--zone` unless it has none. */
export function withAccountOptions(
  command: Command,
  lines: readonly string[],
  { zone = true, before = '' }: { readonly zone?: boolean; readonly before?: string } = {},
): Command {
  const add = (flags: string, meaning: string) =>
    command.addOption(new Option(flags, meaning).helpGroup('Which service (default: the lab):'))
  add('--api-url <url>', 'at this address, with its /client/v4 [CLOUDFLARE_BASE_URL]')
  add('--key-file <file>', 'file with the API key; - reads stdin [CLOUDFLARE_API_KEY]')
  add('--email <address>', 'email address of the key’s owner [CLOUDFLARE_EMAIL]')
  add('--token-file <file>', 'file with an API token instead; - reads stdin [CLOUDFLARE_API_TOKEN]')
  if (zone)
    add(
      '--zone <name|id>',
      'default: the one the names are in, else the only one; of a lab the first [CLOUDFLARE_ZONE_ID]',
    )
  add('--show-http', 'print each request with its answer, and the equal curl line, on stderr')
  return withGlobals(command).addHelpText('after', before + cfExamples(lines))
}

/** Examples, and the exit codes of all commands of the API. */
export const cfExamples = (lines: readonly string[]): string =>
  examples(
    lines,
    '0 done, 1 refused or nothing matched, 2 usage, 3 no answer of a DNS API, 124 no answer in time',
  )

/** The form of a list. */
export type ListForm = 'table' | 'json' | 'jsonl' | 'csv' | 'bind'

/** `-o`, with the forms that a command has. */
export function listFormOption(...forms: readonly ListForm[]): Option {
  return new Option('-o, --output <form>', 'output format (default: table; json with --json)').choices([
    ...forms,
  ])
}

/**
 * Reads the form of a list. `--json` means `-o json`, and `-o jsonl` may stand beside it.
 * @throws UsageError for `--json` with another form
 */
export function listFormOf(output: ListForm | undefined, { json }: Globals): ListForm {
  if (!json) return output ?? 'table'
  if (output === undefined || output === 'json' || output === 'jsonl') return output ?? 'json'
  throw new UsageError(`--json and -o ${output} are two forms`, ['Leave one out'])
}
