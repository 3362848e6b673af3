import { LOCAL_ADDRESSES, notPermitted } from './name-constraints.js'

const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'

/** Returns a sentence for each limit that a new authority has and this one, of an earlier release, lacks. */
export async function missingLimits(certPem: string): Promise<string[]> {
  const { readLimits } = await import('./authority.js')
  const { purposes, names, mailboxes, uris } = await readLimits(certPem)
  const missing: string[] = []
  if (purposes.length !== 1 || purposes[0] !== SERVER_AUTH) {
    missing.push('it signs certificates of TLS servers alone, none of clients, mail or code')
  }
  if (!mailboxes || !uris) missing.push('it signs no certificate for a mailbox or a URI')
  if (names && notPermitted(names, LOCAL_ADDRESSES).length > 0) {
    missing.push('it stays when serve gets another --host or --san that is an address of a private network')
  }
  return missing
}
