import type { Rule } from './rule.js'

/**
 * Sections that demand again what another section demands, as the considerations at the end of an RFC do, and RFCs that
 * build on others. What keeps the other section keeps them too.
 */
export const REPEATED: Readonly<Partial<Record<Rule, Rule>>> = {
  'RFC 6749 §3.1.2.4': 'RFC 6749 §4.1.2.1',
  'RFC 6749 §4.4.2': 'RFC 6749 §3.2.1',
  'RFC 6749 §10.5': 'RFC 6749 §4.1.2',
  'RFC 6749 §10.6': 'RFC 6749 §4.1.3',
  'RFC 6749 §10.9': 'RFC 6749 §3.1',
  'RFC 7523 §3.1': 'RFC 7523 §3',
  'RFC 7636 §4.5': 'RFC 7636 §4.6',
  'RFC 8252 §6': 'RFC 9700 §2.1.1',
  'RFC 8414 §6.1': 'RFC 9325 §3.1.1',
  'RFC 8414 §6.2': 'RFC 8414 §3.3',
  'RFC 9449 §7': 'RFC 9449 §4.3',
  'RFC 9449 §11.3': 'RFC 9449 §8',
  'RFC 9449 §11.5': 'RFC 9449 §4.3',
  'RFC 9700 §2.1': 'RFC 9700 §4.1.3',
  'RFC 9700 §4.4.2.1': 'RFC 9207 §2.4',
  'RFC 7662 §2': 'RFC 9325 §3.1.1',
  'RFC 9701 §8.1': 'RFC 9068 §4',
  'RFC 9701 §8.2': 'RFC 7662 §2.1',
  'RFC 9728 §7.1': 'RFC 9325 §3.1.1',
  'RFC 9728 §7.3': 'RFC 9728 §3.3',
  'OpenID Connect Core §3.1.2': 'RFC 6749 §3.1',
  'OpenID Connect Core §3.1.2.7': 'RFC 6749 §10.12',
  'OpenID Connect Core §3.1.3': 'RFC 6749 §3.2',
  'OpenID Connect Core §3.1.3.1': 'RFC 6749 §3.2.1',
  'OpenID Connect Core §3.1.3.2': 'RFC 6749 §4.1.3',
  'OpenID Connect Core §3.1.3.5': 'RFC 6749 §5.1',
  'OpenID Connect Core §3.2.2.6': 'RFC 6749 §4.2.2.1',
  'OpenID Connect Core §3.3.2.6': 'RFC 6749 §4.2.2.1',
  'OpenID Connect Core §3.2.2.11': 'OpenID Connect Core §3.1.3.7',
  'OpenID Connect Core §12.1': 'RFC 6749 §6',
  'OpenID Connect Core §16.11': 'RFC 6749 §10.16',
  'OpenID Connect Core §16.15': 'OpenID Connect Core §3.1.3.7',
  'OpenID Connect Core §16.17': 'RFC 9325 §3.1.1',
  'OpenID Connect Core §16.19': 'RFC 6749 §10.10',
  'OpenID Connect Core §16.22': 'RFC 9700 §4.12',
}
