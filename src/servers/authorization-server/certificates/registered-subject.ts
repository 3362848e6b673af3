import { BlockList, isIP, isIPv6 } from 'node:net'
import { bounded } from '../../../protocol/events.js'
import type { Client } from '../../../protocol/oauth/client.js'
import {
  formatDistinguishedName,
  parseDistinguishedName,
  sameName,
} from '../../../protocol/oauth/distinguished-name.js'
import type { CertificateNames } from './certificate-names.js'

/** The members of a client that name the subject of its certificate (RFC 8705 §2.1.2). */
export const SUBJECT_MEMBERS = [
  'tls_client_auth_subject_dn',
  'tls_client_auth_san_dns',
  'tls_client_auth_san_uri',
  'tls_client_auth_san_ip',
  'tls_client_auth_san_email',
] as const

/** True for the same address, however both are written (RFC 5952). */
function sameAddress(a: string, b: string): boolean {
  if (isIP(a) === 0 || isIP(a) !== isIP(b)) return false
  const family = isIPv6(a) ? 'ipv6' : 'ipv4'
  const list = new BlockList()
  list.addAddress(a, family)
  return list.check(b, family)
}

/** True for the same mailbox. Only its domain is compared without regard to case (RFC 5280 §4.2.1.6). */
function sameMailbox(a: string, b: string): boolean {
  const split = (mailbox: string) => {
    const at = mailbox.lastIndexOf('@')
    return mailbox.slice(0, at) + mailbox.slice(at).toLowerCase()
  }
  return split(a) === split(b)
}

/** A certificate that is not that of its client. */
export interface SubjectProblem {
  readonly problem: string
  readonly evidence: string
}

function wrongSubject(registered: string, { subject }: CertificateNames): SubjectProblem | undefined {
  const read = parseDistinguishedName(registered)
  if ('name' in read && sameName(read.name, subject)) return undefined
  const reversed = 'name' in read && sameName([...read.name].reverse(), subject)
  const order = reversed ? '; the registered name has its parts in the wrong order (RFC 4514 §2.1)' : ''
  return {
    problem: 'the subject of the certificate is not the registered tls_client_auth_subject_dn',
    evidence: bounded(`subject: ${formatDistinguishedName(subject)}${order}`),
  }
}

type AlternativeKind = 'dns' | 'uri' | 'ip' | 'email'

const SAME: Readonly<Record<AlternativeKind, (a: string, b: string) => boolean>> = {
  dns: (a, b) => a.toLowerCase() === b.toLowerCase(),
  uri: (a, b) => a === b,
  ip: sameAddress,
  email: sameMailbox,
}

/** Returns the problem of a certificate whose names are not those of its client; undefined where they are. */
export function subjectProblem(client: Client, names: CertificateNames): SubjectProblem | undefined {
  const member = SUBJECT_MEMBERS.find(each => client[each] !== undefined)
  if (member === undefined) {
    return { problem: 'this client has no registered subject of its certificate', evidence: client.client_id }
  }
  const registered = client[member]!
  if (member === 'tls_client_auth_subject_dn') return wrongSubject(registered, names)
  const kind = member.slice('tls_client_auth_san_'.length) as AlternativeKind
  if (names[kind].some(each => SAME[kind](registered, each))) return undefined
  return {
    problem: `the certificate does not have the registered ${member}`,
    evidence: bounded(`its ${kind} names: ${names[kind].join(', ') || 'none'}`),
  }
}
