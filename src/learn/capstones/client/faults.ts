import type { Citation } from '../../../protocol/rules/rule.js'
import { drawsOf } from '../draw.js'

interface FaultData {
  readonly name: string
  /** Two faults of one part exclude each other. */
  readonly part: string
  /** True of a client without the fault. */
  readonly property: string
  readonly rule: Citation
}

export const FAULTS = [
  {
    name: 'no-state',
    part: 'state',
    property: 'sends a state, and refuses an answer without the state of this very login',
    rule: 'RFC 6749 §10.12',
  },
  {
    name: 'constant-state',
    part: 'state',
    property: 'sends another state in each login',
    rule: 'RFC 6749 §10.12',
  },
  {
    name: 'no-pkce',
    part: 'pkce',
    property: 'sends a new code_challenge in each login, and its code_verifier with the code',
    rule: 'RFC 9700 §2.1.1',
  },
  {
    name: 'plain-pkce',
    part: 'pkce',
    property: 'sends the hash of the code_verifier as challenge (S256)',
    rule: 'RFC 7636 §7.2',
  },
  {
    name: 'nonce-ignored',
    part: 'nonce',
    property: 'sends a new nonce in each login, and refuses an ID token with another one',
    rule: 'OpenID Connect Core §3.1.3.7',
  },
  {
    name: 'iss-ignored',
    part: 'iss',
    property: 'refuses an answer without the iss of its server',
    rule: 'RFC 9207 §2.4',
  },
  {
    name: 'open-redirect',
    part: 'next',
    property: 'leads to its own pages only',
    rule: 'RFC 9700 §4.11.1',
  },
  {
    name: 'secret-in-url',
    part: 'secret',
    property: 'keeps its secret out of addresses',
    rule: 'RFC 6749 §2.3.1',
  },
  {
    name: 'token-in-url',
    part: 'token',
    property: 'keeps tokens out of addresses',
    rule: 'RFC 9700 §4.3.2',
  },
  {
    name: 'code-reused',
    part: 'code',
    property: 'sends each code once, also when the page of the answer is loaded again',
    rule: 'RFC 6749 §4.1.2',
  },
  {
    name: 'id-token-unchecked',
    part: 'id-token',
    property: 'refuses ID tokens without a signature, and those for another client',
    rule: 'OpenID Connect Core §3.1.3.7',
  },
  {
    name: 'old-refresh-token',
    part: 'refresh',
    property: 'keeps the new refresh token of each answer, so that people stay logged in',
    rule: 'RFC 6749 §6',
  },
] as const satisfies readonly FaultData[]

export type FaultName = (typeof FAULTS)[number]['name']

/** In one sentence. */
export function faultSentence(name: FaultName): string {
  const [fault] = FAULTS.filter(each => each.name === name)
  return fault === undefined ? name : `${name}: ${fault.property} (${fault.rule}).`
}

const DRAWN = 4

/** Four faults, in the order of the table. */
export function drawFaults(seed: number): readonly FaultName[] {
  const drawn: (typeof FAULTS)[number][] = []
  for (const fault of drawsOf(seed, 'client').shuffled(FAULTS)) {
    if (drawn.length < DRAWN && drawn.every(({ part }) => part !== fault.part)) drawn.push(fault)
  }
  return FAULTS.filter(fault => drawn.includes(fault)).map(({ name }) => name)
}
