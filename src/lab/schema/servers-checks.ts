import type { Path } from '../lab-file/lab-file-source.js'
import type { ServerEntry } from './servers-schema.js'

/** Checks the rules between the members of named servers. */
export function checkServers(
  servers: Readonly<Record<string, ServerEntry>> = {},
  report: (path: Path, problem: string) => void,
): void {
  for (const [name, entry] of Object.entries(servers)) {
    const at = ['servers', name]
    const addresses = Object.keys(entry).some(each => each.endsWith('_endpoint') || /^jwks_/.test(each))
    if (entry.issuer === undefined && entry.metadata_file === undefined && !addresses) {
      report(at, 'it needs an issuer, a metadata_file or endpoints such as token_endpoint')
    }
    if (entry.client_secret !== undefined && entry.client_secret_file !== undefined) {
      report(at, 'client_secret and client_secret_file are two secrets; leave one out')
    }
    if (entry.jwks_uri !== undefined && entry.jwks_file !== undefined) {
      report(at, 'jwks_uri and jwks_file are two places for the keys; leave one out')
    }
    if ((entry.cert_file === undefined) !== (entry.cert_key_file === undefined)) {
      report(at, 'cert_file and cert_key_file belong together')
    }
  }
}
