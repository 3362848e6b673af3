import { type Command, Option } from 'commander'
import { UsageError } from '../errors.js'
import type { LabConfig } from '../lab/config.js'
import { parseDuration } from '../lab/duration.js'

/** Flags of `serve` that change the cluster. A flag beats the lab file. */
export interface ClusterFlags {
  readonly apiAudience?: readonly string[]
  /** Seconds. */
  readonly maxTokenExpiration?: number
  readonly publicDiscovery: boolean
  readonly anonymous: boolean
}

function expiration(text: string): number {
  const ms = parseDuration(text)
  if (ms !== undefined && ms >= 3_600_000) return ms / 1000
  throw new UsageError(
    `--max-token-expiration ${JSON.stringify(text)} is not a duration of at least an hour`,
    ['It looks like --max-token-expiration 48h; the API server’s own flag takes no less than 1h'],
  )
}

/** Adds the options that change the cluster. */
export function withClusterOptions(command: Command): Command {
  return command
    .option(
      '--api-audience <audience>',
      'audience of the cluster’s API server; repeat it (default: the cluster’s issuer)',
      (text: string, before: readonly string[] = []) => [...before, text],
    )
    .addOption(
      new Option(
        '--max-token-expiration <duration>',
        'longest lifetime of a service-account token, at least 1h',
      ).argParser(expiration),
    )
    .option('--no-public-discovery', 'the cluster’s issuer metadata and keys are for service accounts alone')
    .option('--no-anonymous', 'the cluster refuses requests without credentials with 401, not 403')
}

/** The lab file with the flags put over it. */
export function withClusterFlags(config: LabConfig, flags: ClusterFlags): LabConfig {
  const { apiAudience, maxTokenExpiration, publicDiscovery, anonymous } = flags
  return {
    ...config,
    cluster: {
      ...config.cluster,
      ...(apiAudience && { apiAudiences: apiAudience }),
      ...(maxTokenExpiration !== undefined && { maxTokenExpiration }),
      ...(publicDiscovery ? {} : { publicDiscovery }),
      ...(anonymous ? {} : { anonymous }),
    },
  }
}
