import { type Command, Option } from 'commander'
import { UsageError } from '../errors.js'
import type { LabConfig } from '../lab/config.js'

/** Flags of `serve` that change the DNS and security-event API. A flag beats the lab file. */
export interface DnsFlags {
  readonly rateLimit?: string
  readonly hostile?: true
}

function rate(text: string): string {
  if (/^(off|[1-9]\d{0,6}\/[1-9]\d{0,8}[smhd])$/.test(text)) return text
  throw new UsageError(`--rate-limit ${JSON.stringify(text)} is not a rate`, [
    'It looks like --rate-limit 5/10s (five requests in ten seconds), or --rate-limit off',
  ])
}

/** Adds the options that change the DNS and security-event API. */
export function withDnsOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--rate-limit <rate>', 'budget of the DNS and events API, such as 5/10s, or off').argParser(
        rate,
      ),
    )
    .option('--hostile', 'adds a security event written to harm whoever prints it unescaped')
}

/** The lab file with the flags put over it. */
export function withDnsFlags(config: LabConfig, { rateLimit, hostile }: DnsFlags): LabConfig {
  if (rateLimit === undefined && hostile === undefined) return config
  const dns = {
    ...config.effective.dns,
    ...(rateLimit !== undefined && { rate_limit: rateLimit }),
    ...(hostile && { hostile }),
  }
  return { ...config, effective: { ...config.effective, dns } }
}
