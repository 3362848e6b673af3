import { randomBytes } from 'node:crypto'
import { decodeIfJwt } from '../../flows/answers/verify-tokens.js'
import type { HeaderList } from '../../protocol/http/message.js'
import {
  type DpopKey,
  type DpopProofFor,
  generateDpopKey,
  makeDpopProof,
} from '../../protocol/tokens/dpop.js'
import { defined } from '../../protocol/values.js'
import type { Situation } from './move.js'

/** Why no proof can be wrong; undefined where tokens are bound to a key. */
export function needsBinding({ bound }: Situation): string | undefined {
  return bound ? undefined : 'tokens are bound to no key: --dpop'
}

/** The headers without their proof. */
export function withoutProof(headers: HeaderList): HeaderList {
  return headers.filter(([name]) => name.toLowerCase() !== 'dpop')
}

/** The headers with another proof. */
export function withProof(headers: HeaderList, proof: string): HeaderList {
  return [...withoutProof(headers), ['dpop', proof]]
}

/** The nonce of the server in the proof of a request; undefined where there is none. */
export function nonceIn(headers: HeaderList): string | undefined {
  const honest = headers.find(([name]) => name.toLowerCase() === 'dpop')?.[1] ?? ''
  const nonce = decodeIfJwt(honest)?.claims.nonce
  return typeof nonce === 'string' ? nonce : undefined
}

/** Makes a proof by a key, with the nonce of the honest proof unless the request names one. */
export function proofBy(
  key: DpopKey,
  request: DpopProofFor,
  headers: HeaderList,
  now: () => number,
): Promise<string> {
  const named = defined({ nonce: nonceIn(headers), ...request })
  return makeDpopProof(key, named, { now, random: randomBytes })
}

/** Makes a proof by a new key, which nothing is bound to. */
export async function foreignProof(
  request: DpopProofFor,
  headers: HeaderList,
  now: () => number,
): Promise<string> {
  return proofBy(await generateDpopKey(), request, headers, now)
}
